import type Stripe from 'stripe'
import { DAY_SECONDS } from './clock.ts'
import { invalidRequest } from './errors.ts'
import { newId, objectId } from './objects.ts'
import { findCharge } from './payments.ts'
import type { SandboxTransaction } from './transaction.ts'

const EVIDENCE_DUE_SECONDS = 7 * DAY_SECONDS

/** Disputes a payment as the buyer's bank does; the money is withdrawn until the dispute is closed. */
export async function openDispute(tx: SandboxTransaction, paymentIntent: string): Promise<Stripe.Dispute> {
  const charge = await findCharge(tx, paymentIntent)
  if (charge === undefined) throw invalidRequest('Only a payment that succeeded can be disputed.')
  const amount = charge.amount - charge.amount_refunded
  if (amount === 0) throw invalidRequest('The payment was refunded, so there is nothing to dispute.')
  if (charge.disputed) throw invalidRequest('The payment is already disputed.')
  charge.disputed = true
  const dispute = tx.add(newDispute(tx, charge, amount))
  tx.emit('charge.dispute.created', dispute)
  tx.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

export async function settleDispute(
  tx: SandboxTransaction,
  id: string,
  outcome: 'won' | 'lost',
): Promise<Stripe.Dispute> {
  const dispute = await tx.get('dispute', id)
  if (dispute.status !== 'needs_response')
    throw invalidRequest('This dispute is already closed', { code: 'dispute_closed' })
  dispute.status = outcome
  dispute.is_charge_refundable = outcome === 'won'
  if (outcome === 'won') tx.emit('charge.dispute.funds_reinstated', dispute)
  tx.emit('charge.dispute.closed', dispute)
  return dispute
}

/** Accepts the dispute, which loses it. */
export function closeDispute(tx: SandboxTransaction, id: string): Promise<Stripe.Dispute> {
  return settleDispute(tx, id, 'lost')
}

function newDispute(tx: SandboxTransaction, charge: Stripe.Charge, amount: number): Stripe.Dispute {
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: tx.now + EVIDENCE_DUE_SECONDS,
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
    payment_intent: objectId(charge.payment_intent),
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
