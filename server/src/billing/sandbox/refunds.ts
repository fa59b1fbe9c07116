import type Stripe from 'stripe'
import type { Desk, Page } from './desk.ts'
import { badParameter, refused } from './fault.ts'
import { idOf, newId } from './objects.ts'
import type { PageParams } from './params.ts'
import { findCharge } from './payments.ts'

export async function createRefund(
  desk: Desk,
  params: { payment_intent: string; amount: number | undefined; metadata: Stripe.Metadata | undefined },
): Promise<Stripe.Refund> {
  await desk.get('payment_intent', params.payment_intent, 'payment_intent')
  const charge = await findCharge(desk, params.payment_intent)
  if (charge === undefined) {
    throw refused(`This PaymentIntent (${params.payment_intent}) does not have a successful charge to refund.`)
  }
  await checkRefundable(desk, charge)
  const left = charge.amount - charge.amount_refunded
  const amount = params.amount ?? left
  if (amount <= 0) throw badParameter('amount', 'Invalid positive integer')
  if (amount > left) {
    throw refused(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  }
  const refund = desk.add(newRefund(desk, charge, amount, params.metadata ?? {}))
  setRefunded(desk, charge, charge.amount_refunded + amount)
  desk.emit('refund.created', refund)
  desk.emit('charge.refunded', charge)
  return refund
}

export function listRefunds(
  desk: Desk,
  params: PageParams & { payment_intent: string | undefined },
): Promise<Page<Stripe.Refund>> {
  const filter = params.payment_intent === undefined ? {} : { payment_intent: params.payment_intent }
  return desk.list('refund', filter, params)
}

/** The bank sends the money back: the refund has not happened. */
export async function failRefund(desk: Desk, id: string): Promise<void> {
  const refund = await desk.get('refund', id)
  if (refund.status !== 'succeeded') throw refused(`The refund has the status ${refund.status}.`)
  refund.status = 'failed'
  refund.failure_reason = 'unknown'
  refund.failure_balance_transaction = newId('txn')
  desk.save(refund)
  const charge = await desk.get('charge', idOf(refund.charge))
  setRefunded(desk, charge, charge.amount_refunded - refund.amount)
  desk.emit('refund.updated', refund, { status: 'succeeded' })
  desk.emit('refund.failed', refund)
}

async function checkRefundable(desk: Desk, charge: Stripe.Charge): Promise<void> {
  if (charge.refunded) {
    throw refused(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const disputes = await desk.all('dispute', { payment_intent: idOf(charge.payment_intent) })
  if (disputes.some(({ status }) => status !== 'won')) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  }
}

function setRefunded(desk: Desk, charge: Stripe.Charge, amount: number): void {
  charge.amount_refunded = amount
  charge.refunded = amount === charge.amount
  desk.save(charge)
}

function newRefund(desk: Desk, charge: Stripe.Charge, amount: number, metadata: Stripe.Metadata): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: desk.now,
    currency: charge.currency,
    customer: charge.customer === null ? null : idOf(charge.customer),
    customer_account: null,
    metadata,
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}
