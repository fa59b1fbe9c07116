import type Stripe from 'stripe'
import { invalidParameter, invalidRequest } from './errors.ts'
import { newId, objectId } from './objects.ts'
import { type ParamsOf, param, required } from './params.ts'
import { findCharge } from './payments.ts'
import type { SandboxTransaction } from './transaction.ts'

export const CREATE_REFUND = { payment_intent: required(param.string), amount: param.integer, metadata: param.metadata }

export async function createRefund(
  tx: SandboxTransaction,
  params: ParamsOf<typeof CREATE_REFUND>,
): Promise<Stripe.Refund> {
  await tx.get('payment_intent', params.payment_intent, 'payment_intent')
  const charge = await findCharge(tx, params.payment_intent)
  if (charge === undefined) {
    throw invalidRequest(`This PaymentIntent (${params.payment_intent}) does not have a successful charge to refund.`)
  }
  await checkRefundable(tx, charge)
  const left = charge.amount - charge.amount_refunded
  const amount = params.amount ?? left
  if (amount <= 0) throw invalidParameter('amount', 'Invalid positive integer')
  if (amount > left) {
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  }
  const refund = tx.add(newRefund(tx, charge, amount, params.metadata ?? {}))
  setRefunded(charge, charge.amount_refunded + amount)
  tx.emit('refund.created', refund)
  tx.emit('charge.refunded', charge)
  return refund
}

/** Fails a refund afterwards, as a bank does when it sends the money back. */
export async function failRefund(tx: SandboxTransaction, id: string): Promise<void> {
  const refund = await tx.get('refund', id)
  if (refund.status !== 'succeeded')
    throw invalidRequest(`Only a refund that succeeded can fail; its status is ${refund.status}.`)
  refund.status = 'failed'
  refund.failure_reason = 'unknown'
  refund.failure_balance_transaction = newId('txn')
  const charge = await tx.get('charge', objectId(refund.charge))
  setRefunded(charge, charge.amount_refunded - refund.amount)
  tx.emit('refund.updated', refund, { status: 'succeeded' })
  tx.emit('refund.failed', refund)
}

async function checkRefundable(tx: SandboxTransaction, charge: Stripe.Charge): Promise<void> {
  if (charge.refunded) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const disputes = await tx.listAll('dispute', { payment_intent: objectId(charge.payment_intent) })
  if (disputes.some(({ status }) => status !== 'won')) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
}

function setRefunded(charge: Stripe.Charge, amount: number): void {
  charge.amount_refunded = amount
  charge.refunded = amount === charge.amount
}

function newRefund(
  tx: SandboxTransaction,
  charge: Stripe.Charge,
  amount: number,
  metadata: Stripe.Metadata,
): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    customer: charge.customer === null ? null : objectId(charge.customer),
    customer_account: null,
    metadata,
    payment_intent: objectId(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}
