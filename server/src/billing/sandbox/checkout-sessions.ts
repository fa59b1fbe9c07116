import type Stripe from 'stripe'
import { type Desk, listOfAll, newId, type Page } from './desk.ts'
import { badParameter, refused } from './fault.ts'
import type { PageParams } from './params.ts'
import { SMALLEST_PAYMENT_CENTS } from './payments.ts'
import { amountOf, nameOf } from './prices.ts'

const SHORTEST_SECONDS = 30 * 60
const LONGEST_SECONDS = 24 * 60 * 60

export interface SessionParams {
  mode: 'payment' | 'subscription'
  customer: string
  line_items: { price: string; quantity: number | undefined }[]
  success_url: string
  cancel_url: string | undefined
  client_reference_id: string | undefined
  metadata: Stripe.Metadata | undefined
  payment_intent_data: { metadata: Stripe.Metadata | undefined } | undefined
  subscription_data: { metadata: Stripe.Metadata | undefined } | undefined
  expires_at: number | undefined
}

export async function createSession(desk: Desk, params: SessionParams): Promise<Stripe.Checkout.Session> {
  const customer = await desk.get('customer', params.customer, 'customer')
  const price = await priceOf(desk, params)
  const expiresAt = params.expires_at ?? desk.now + LONGEST_SECONDS
  if (expiresAt < desk.now + SHORTEST_SECONDS || expiresAt > desk.now + LONGEST_SECONDS) {
    throw badParameter('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.')
  }
  const id = newId('cs')
  const session = newSession({
    id,
    created: desk.now,
    expiresAt,
    price,
    params,
    email: customer.email,
    url: `${desk.publicUrl}/sandbox/checkout/${id}`,
  })
  const notes = {
    price: price.id,
    paymentMetadata: params.payment_intent_data?.metadata ?? {},
    subscriptionMetadata: params.subscription_data?.metadata ?? {},
  }
  return desk.add(session, notes, expiresAt)
}

async function priceOf(desk: Desk, params: SessionParams): Promise<Stripe.Price> {
  const [item, ...others] = params.line_items
  if (item === undefined || others.length > 0 || (item.quantity ?? 1) !== 1) {
    throw badParameter('line_items', 'The sandbox sells one price in a quantity of 1.')
  }
  if (params.mode === 'payment' && params.subscription_data !== undefined) {
    throw badParameter('subscription_data', 'You can not pass `subscription_data` in `payment` mode.')
  }
  if (params.mode === 'subscription' && params.payment_intent_data !== undefined) {
    throw badParameter('payment_intent_data', 'You can not pass `payment_intent_data` in `subscription` mode.')
  }
  const price = await desk.get('price', item.price, 'line_items[0][price]')
  if (params.mode === 'payment' && price.recurring !== null) {
    throw badParameter('line_items', 'You specified `payment` mode but passed a recurring price.')
  }
  if (params.mode === 'subscription' && price.recurring === null) {
    throw badParameter('line_items', 'You must provide at least one recurring price in `subscription` mode.')
  }
  if (params.mode === 'payment' && amountOf(price) < SMALLEST_PAYMENT_CENTS) {
    throw refused('The Checkout Session’s total amount due must add up to at least $0.50 usd', {
      code: 'amount_too_small',
    })
  }
  return price
}

export async function expireSession(desk: Desk, _: object, id: string): Promise<Stripe.Checkout.Session> {
  const session = await desk.get('checkout.session', id)
  if (session.status !== 'open') {
    throw refused(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }
  session.status = 'expired'
  session.url = null
  desk.wake(session, null)
  desk.emit('checkout.session.expired', session)
  return session
}

export function listSessions(
  desk: Desk,
  params: PageParams & {
    payment_intent: string | undefined
    customer: string | undefined
    subscription: string | undefined
  },
): Promise<Page<Stripe.Checkout.Session>> {
  const { payment_intent, customer, subscription } = params
  const filter = {
    ...(payment_intent !== undefined && { payment_intent }),
    ...(customer !== undefined && { customer }),
    ...(subscription !== undefined && { subscription }),
  }
  return desk.list('checkout.session', filter, params)
}

/** What is bought: a field that a session has only when it is asked for. */
export async function lineItemsOf(desk: Desk, id: string): Promise<Stripe.ApiList<Stripe.LineItem>> {
  const session = await desk.get('checkout.session', id)
  const price = await desk.get('price', desk.notes(session).price ?? '')
  const amount = amountOf(price)
  const item: Stripe.LineItem = {
    id: `li_${session.id}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: await nameOf(desk, price),
    metadata: {},
    price,
    quantity: 1,
  }
  return listOfAll([item], `/v1/checkout/sessions/${session.id}/line_items`)
}

function newSession(about: {
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
    amount_subtotal: amountOf(price),
    amount_total: amountOf(price),
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
