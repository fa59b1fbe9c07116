import type Stripe from 'stripe'
import { CARD_DECLINED } from './errors.ts'
import { newId, objectId } from './objects.ts'
import type { SandboxTransaction } from './transaction.ts'

export type PaymentMethod = 'card' | 'us_bank_account'

export interface PaymentOrder {
  customer: string
  amount: number
  metadata: Stripe.Metadata
  description: string | null
}

/** Stripe's minimum charge in US dollars. */
export const MINIMUM_CHARGE_CENTS = 50

/** Adds a payment in process, which has neither succeeded nor failed. */
export function addPayment(tx: SandboxTransaction, order: PaymentOrder, method: PaymentMethod): Stripe.PaymentIntent {
  const id = newId('pi')
  return tx.add<Stripe.PaymentIntent>({
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
    created: tx.now,
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

export function succeedPayment(tx: SandboxTransaction, payment: Stripe.PaymentIntent): Stripe.Charge {
  const charge = addCharge(tx, payment, true)
  payment.status = 'succeeded'
  payment.amount_received = payment.amount
  payment.latest_charge = charge.id
  payment.last_payment_error = null
  return charge
}

export function failPayment(tx: SandboxTransaction, payment: Stripe.PaymentIntent): Stripe.Charge {
  const charge = addCharge(tx, payment, false)
  payment.status = 'requires_payment_method'
  payment.latest_charge = charge.id
  payment.last_payment_error = { type: 'card_error', charge: charge.id, ...CARD_DECLINED }
  return charge
}

/** Returns the successful charge of a payment. */
export async function findCharge(tx: SandboxTransaction, paymentIntent: string): Promise<Stripe.Charge | undefined> {
  const charges = await tx.listAll('charge', { payment_intent: paymentIntent })
  return charges.find((charge) => charge.status === 'succeeded')
}

function addCharge(tx: SandboxTransaction, payment: Stripe.PaymentIntent, paid: boolean): Stripe.Charge {
  return tx.add<Stripe.Charge>({
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
    created: tx.now,
    currency: payment.currency,
    customer: objectId(payment.customer),
    description: payment.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: paid ? null : CARD_DECLINED.code,
    failure_message: paid ? null : CARD_DECLINED.message,
    fraud_details: {},
    livemode: false,
    metadata: payment.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: paid ? null : CARD_DECLINED.decline_code,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details with this decline.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: payment.id,
    payment_method: payment.payment_method === null ? null : objectId(payment.payment_method),
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
