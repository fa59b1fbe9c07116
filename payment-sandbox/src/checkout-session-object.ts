import type Stripe from 'stripe'
import { type ParamsOf, param, required } from './params.ts'
import { priceAmount } from './prices.ts'

export const CREATE_SESSION = {
  mode: required(param.enum('payment', 'subscription')),
  customer: required(param.string),
  line_items: required(param.array(param.object({ price: required(param.string), quantity: param.integer }))),
  success_url: required(param.url),
  cancel_url: param.url,
  client_reference_id: param.stringUpTo(200),
  metadata: param.metadata,
  payment_intent_data: param.object({ metadata: param.metadata }),
  subscription_data: param.object({ metadata: param.metadata }),
  expires_at: param.integer,
}
export type SessionParams = ParamsOf<typeof CREATE_SESSION>

export function newSession(about: {
  id: string
  created: number
  expiresAt: number
  price: Stripe.Price
  params: SessionParams
  email: string | null
  url: string
}): Stripe.Checkout.Session {
  const { params, price } = about
  return {
    id: about.id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: priceAmount(price),
    amount_total: priceAmount(price),
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: about.created,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: params.customer,
    customer_account: null,
    customer_creation: null,
    customer_details: {
      address: null,
      business_name: null,
      email: about.email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: null,
    discounts: [],
    expires_at: about.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: params.metadata ?? {},
    mode: params.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: params.mode === 'payment' ? 'if_required' : 'always',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card', 'us_bank_account'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: about.url,
    wallet_options: null,
  }
}
