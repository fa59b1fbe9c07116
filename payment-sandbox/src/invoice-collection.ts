import type Stripe from 'stripe'
import { DAY_SECONDS } from './clock.ts'
import { doesCardWork } from './customers.ts'
import { cardDeclined, invalidRequest, type RequestError } from './errors.ts'
import { newId, objectId } from './objects.ts'
import { addPayment, failPayment, type PaymentMethod, succeedPayment } from './payments.ts'
import type { SandboxTransaction } from './transaction.ts'

/** Days between an automatic attempt and the next one. */
const RETRY_AFTER_DAYS = [3, 5, 7]

/** Charges the customer's card; returns false if it is declined. */
export async function collectInvoice(tx: SandboxTransaction, invoice: Stripe.Invoice): Promise<boolean> {
  if (invoice.amount_due === 0) {
    await markPaid(tx, invoice)
    return true
  }
  const payment = await paymentOfInvoice(tx, invoice, 'card')
  if (await doesCardWork(tx, objectId(invoice.customer))) {
    succeedPayment(tx, payment)
    await markPaid(tx, invoice)
    return true
  }
  failPayment(tx, payment)
  await markFailed(tx, invoice, true)
  return false
}

/** Makes an additional attempt, which does not change the automatic ones. */
export async function payInvoice(tx: SandboxTransaction, id: string): Promise<Stripe.Invoice | RequestError> {
  const invoice = await tx.get('invoice', id)
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid')
  if (invoice.status !== 'open') throw invalidRequest(`Invoice is ${invoice.status} and cannot be paid`)
  const payment = await paymentOfInvoice(tx, invoice, 'card')
  if (payment.status === 'processing' && payment.payment_method_types[0] !== 'card') {
    throw invalidRequest('A bank transfer for this invoice is being processed')
  }
  if (await doesCardWork(tx, objectId(invoice.customer))) {
    succeedPayment(tx, payment)
    await markPaid(tx, invoice)
    return invoice
  }
  const charge = failPayment(tx, payment)
  await markFailed(tx, invoice, false)
  return cardDeclined(charge.id)
}

export async function voidInvoice(tx: SandboxTransaction, id: string): Promise<Stripe.Invoice> {
  const invoice = await tx.get('invoice', id)
  if (invoice.status !== 'open') throw invalidRequest(`Invoice is ${invoice.status} and cannot be voided`)
  invoice.status = 'void'
  invoice.status_transitions.voided_at = tx.now
  stopCollecting(tx, invoice)
  tx.emit('invoice.voided', invoice)
  return invoice
}

/** Cancels the automatic attempts. */
export function stopCollecting(tx: SandboxTransaction, invoice: Stripe.Invoice): void {
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  tx.setDueAt(invoice, null)
}

/** Returns the payment of an invoice, creating it at the first attempt. All attempts share one payment. */
export async function paymentOfInvoice(
  tx: SandboxTransaction,
  invoice: Stripe.Invoice,
  method: PaymentMethod,
): Promise<Stripe.PaymentIntent> {
  const [open] = await tx.listAll('invoice_payment', { invoice: invoice.id })
  if (open !== undefined) return tx.get('payment_intent', objectId(open.payment.payment_intent))
  const customer = objectId(invoice.customer)
  const order = { customer, amount: invoice.amount_due, metadata: {}, description: 'Subscription' }
  const payment = addPayment(tx, order, method)
  tx.add<Stripe.InvoicePayment>({
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: tx.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: payment.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
  return payment
}

export async function markPaid(tx: SandboxTransaction, invoice: Stripe.Invoice): Promise<void> {
  for (const payment of await tx.listAll('invoice_payment', { invoice: invoice.id })) {
    payment.status = 'paid'
    payment.amount_paid = payment.amount_requested
    payment.status_transitions.paid_at = tx.now
  }
  invoice.status = 'paid'
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.attempted = true
  if (invoice.attempt_count === 0) invoice.attempt_count = 1
  invoice.status_transitions.paid_at = tx.now
  stopCollecting(tx, invoice)
  tx.emit('invoice.paid', invoice)
  await setSubscriptionStatus(tx, invoice, 'past_due', 'active')
}

/** An automatic attempt counts and schedules the next one, until none is left. */
export async function markFailed(tx: SandboxTransaction, invoice: Stripe.Invoice, isAutomatic: boolean): Promise<void> {
  const subscription = await subscriptionOfInvoice(tx, invoice)
  if (isAutomatic && subscription.status !== 'canceled') {
    const days = RETRY_AFTER_DAYS[invoice.attempt_count]
    invoice.attempt_count += 1
    invoice.next_payment_attempt = days === undefined ? null : tx.now + days * DAY_SECONDS
    invoice.auto_advance = days !== undefined
    tx.setDueAt(invoice, invoice.next_payment_attempt)
  }
  invoice.attempted = true
  tx.emit('invoice.payment_failed', invoice)
  await setSubscriptionStatus(tx, invoice, 'active', 'past_due')
}

export function subscriptionOfInvoice(tx: SandboxTransaction, invoice: Stripe.Invoice): Promise<Stripe.Subscription> {
  return tx.get('subscription', objectId(invoice.parent?.subscription_details?.subscription))
}

/** Only the latest invoice decides about the status. */
async function setSubscriptionStatus(
  tx: SandboxTransaction,
  invoice: Stripe.Invoice,
  from: Stripe.Subscription.Status,
  to: Stripe.Subscription.Status,
): Promise<void> {
  const subscription = await subscriptionOfInvoice(tx, invoice)
  if (subscription.latest_invoice !== invoice.id || subscription.status !== from) return
  subscription.status = to
  tx.emitUpdate('customer.subscription.updated', subscription)
}
