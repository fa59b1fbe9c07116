import type Stripe from 'stripe'
import type { Desk } from './desk.ts'
import { idOf, newId } from './objects.ts'

export interface PaymentOrder {
  customer: string
  amount: number
  metadata: Stripe.Metadata
  description: string | null
}

/** The least that Stripe collects in dollars. */
export const SMALLEST_PAYMENT_CENTS = 50

const DECLINED = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' } as const

/** A payment that is under way: money has neither come nor been refused. */
export function addPayment(desk: Desk, order: PaymentOrder, method: 'card' | 'us_bank_account'): Stripe.PaymentIntent {
  const id = newId('pi')
  return desk.add<Stripe.PaymentIntent>({
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: order.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: desk.now,
    currency: 'usd',
    customer: order.customer,
    customer_account: null,
    description: order.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: order.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: newId('pm'),
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [method],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'processing',
    transfer_data: null,
    transfer_group: null,
  })
}

export function succeedPayment(desk: Desk, payment: Stripe.PaymentIntent): Stripe.Charge {
  const charge = addCharge(desk, payment, true)
  payment.status = 'succeeded'
  payment.amount_received = payment.amount
  payment.latest_charge = charge.id
  payment.last_payment_error = null
  desk.save(payment)
  return charge
}

export function failPayment(desk: Desk, payment: Stripe.PaymentIntent): Stripe.Charge {
  const charge = addCharge(desk, payment, false)
  payment.status = 'requires_payment_method'
  payment.latest_charge = charge.id
  payment.last_payment_error = { type: 'card_error', charge: charge.id, ...DECLINED }
  desk.save(payment)
  return charge
}

/** The charge that brought the money, if it has come. */
export async function findCharge(desk: Desk, paymentIntent: string): Promise<Stripe.Charge | undefined> {
  const charges = await desk.all('charge', { payment_intent: paymentIntent })
  return charges.find((charge) => charge.status === 'succeeded')
}

function addCharge(desk: Desk, payment: Stripe.PaymentIntent, paid: boolean): Stripe.Charge {
  return desk.add<Stripe.Charge>({
    id: newId('ch'),
    object: 'charge',
    amount: payment.amount,
    amount_captured: paid ? payment.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? newId('txn') : null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: paid,
    created: desk.now,
    currency: payment.currency,
    customer: idOf(payment.customer),
    description: payment.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: paid ? null : DECLINED.code,
    failure_message: paid ? null : DECLINED.message,
    fraud_details: {},
    livemode: false,
    metadata: payment.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: paid ? null : DECLINED.decline_code,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details with this decline.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: payment.id,
    payment_method: payment.payment_method === null ? null : idOf(payment.payment_method),
    payment_method_details: { type: payment.payment_method_types[0] ?? 'card' },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  })
}
