import type Stripe from 'stripe'
import type { Desk, Page } from './desk.ts'
import { refused } from './fault.ts'
import { idOf, newId } from './objects.ts'
import type { PageParams } from './params.ts'
import { findCharge } from './payments.ts'

const ANSWER_WITHIN_SECONDS = 7 * 24 * 60 * 60

/** The buyer asks the bank for the money back; the bank takes it until the dispute is decided. */
export async function openDispute(desk: Desk, paymentIntent: string): Promise<Stripe.Dispute> {
  const charge = await findCharge(desk, paymentIntent)
  if (charge === undefined) throw refused('Only a payment that has succeeded can be disputed.')
  const amount = charge.amount - charge.amount_refunded
  if (amount === 0) throw refused('The payment was refunded: there is nothing to dispute.')
  if (charge.disputed) throw refused('The payment is disputed already.')
  charge.disputed = true
  desk.save(charge)
  const dispute = desk.add(newDispute(desk, charge, amount))
  desk.emit('charge.dispute.created', dispute)
  desk.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

export async function settleDispute(desk: Desk, id: string, outcome: 'won' | 'lost'): Promise<Stripe.Dispute> {
  const dispute = await desk.get('dispute', id)
  if (dispute.status !== 'needs_response') throw refused('This dispute is already closed', { code: 'dispute_closed' })
  dispute.status = outcome
  dispute.is_charge_refundable = outcome === 'won'
  desk.save(dispute)
  if (outcome === 'won') desk.emit('charge.dispute.funds_reinstated', dispute)
  desk.emit('charge.dispute.closed', dispute)
  return dispute
}

/** Giving in is losing. */
export function closeDispute(desk: Desk, _: object, id: string): Promise<Stripe.Dispute> {
  return settleDispute(desk, id, 'lost')
}

export function listDisputes(
  desk: Desk,
  params: PageParams & { payment_intent: string | undefined },
): Promise<Page<Stripe.Dispute>> {
  const filter = params.payment_intent === undefined ? {} : { payment_intent: params.payment_intent }
  return desk.list('dispute', filter, params)
}

function newDispute(desk: Desk, charge: Stripe.Charge, amount: number): Stripe.Dispute {
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: desk.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: desk.now + ANSWER_WITHIN_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    reason: 'fraudulent',
    status: 'needs_response',
  }
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
