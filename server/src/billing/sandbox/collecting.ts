/** How the money of an invoice is collected, and what becomes of its subscription. */
import type Stripe from 'stripe'
import { doesCardWork } from './customers.ts'
import type { Desk } from './desk.ts'
import { emitUpdate } from './events.ts'
import { declined, type Fault, refused } from './fault.ts'
import { idOf, newId } from './objects.ts'
import { addPayment, failPayment, succeedPayment } from './payments.ts'

const DAY_SECONDS = 24 * 60 * 60
/** After the first attempt, each after the one before it. */
const RETRY_AFTER_DAYS = [3, 5, 7]

/** Charges the customer's card at once; false when it was declined. */
export async function collect(desk: Desk, invoice: Stripe.Invoice): Promise<boolean> {
  if (invoice.amount_due === 0) {
    await markPaid(desk, invoice)
    return true
  }
  const payment = await startCollecting(desk, invoice, 'card')
  if (await doesCardWork(desk, idOf(invoice.customer))) {
    succeedPayment(desk, payment)
    await markPaid(desk, invoice)
    return true
  }
  failPayment(desk, payment)
  await markFailed(desk, invoice, true)
  return false
}

/** What a caller asks for: another attempt that changes nothing about those that are planned. */
export async function payInvoice(desk: Desk, _: object, id: string): Promise<Stripe.Invoice | Fault> {
  const invoice = await desk.get('invoice', id)
  if (invoice.status === 'paid') throw refused('Invoice is already paid')
  if (invoice.status !== 'open') throw refused(`Invoice is ${invoice.status} and cannot be paid`)
  const payment = await startCollecting(desk, invoice, 'card')
  if (payment.status === 'processing' && payment.payment_method_types[0] !== 'card') {
    throw refused('This invoice is being paid by a transfer that is under way')
  }
  if (await doesCardWork(desk, idOf(invoice.customer))) {
    succeedPayment(desk, payment)
    await markPaid(desk, invoice)
    return invoice
  }
  const charge = failPayment(desk, payment)
  await markFailed(desk, invoice, false)
  return declined(charge.id)
}

/** It is not to be paid any more. */
export async function voidInvoice(desk: Desk, _: object, id: string): Promise<Stripe.Invoice> {
  const invoice = await desk.get('invoice', id)
  if (invoice.status !== 'open') throw refused(`Invoice is ${invoice.status} and cannot be voided`)
  invoice.status = 'void'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions.voided_at = desk.now
  desk.wake(invoice, null)
  desk.save(invoice)
  desk.emit('invoice.voided', invoice)
  return invoice
}

/** The payment that the invoice waits for; there is one, however often it is tried. */
export async function startCollecting(
  desk: Desk,
  invoice: Stripe.Invoice,
  method: 'card' | 'us_bank_account',
): Promise<Stripe.PaymentIntent> {
  const [open] = await desk.all('invoice_payment', { invoice: invoice.id })
  if (open !== undefined) return desk.get('payment_intent', idOf(open.payment.payment_intent))
  const customer = idOf(invoice.customer)
  const order = { customer, amount: invoice.amount_due, metadata: {}, description: 'Subscription' }
  const payment = addPayment(desk, order, method)
  desk.add<Stripe.InvoicePayment>({
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: desk.now,
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

export async function markPaid(desk: Desk, invoice: Stripe.Invoice): Promise<void> {
  for (const payment of await desk.all('invoice_payment', { invoice: invoice.id })) {
    payment.status = 'paid'
    payment.amount_paid = payment.amount_requested
    payment.status_transitions.paid_at = desk.now
    desk.save(payment)
  }
  invoice.status = 'paid'
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.attempted = true
  if (invoice.attempt_count === 0) invoice.attempt_count = 1
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions.paid_at = desk.now
  desk.wake(invoice, null)
  desk.emit('invoice.paid', invoice)
  const subscription = await subscriptionOf(desk, invoice)
  if (subscription.latest_invoice === invoice.id) setStatus(desk, subscription, 'past_due', 'active')
}

/** Only attempts that come by themselves count, and after the last of them nothing more is tried. */
export async function markFailed(desk: Desk, invoice: Stripe.Invoice, isPlanned: boolean): Promise<void> {
  const subscription = await subscriptionOf(desk, invoice)
  if (isPlanned && subscription.status !== 'canceled') {
    const days = RETRY_AFTER_DAYS[invoice.attempt_count]
    invoice.attempt_count += 1
    invoice.next_payment_attempt = days === undefined ? null : desk.now + days * DAY_SECONDS
    invoice.auto_advance = days !== undefined
    desk.wake(invoice, invoice.next_payment_attempt)
  }
  invoice.attempted = true
  desk.save(invoice)
  desk.emit('invoice.payment_failed', invoice)
  if (subscription.latest_invoice === invoice.id) setStatus(desk, subscription, 'active', 'past_due')
}

export function subscriptionOf(desk: Desk, invoice: Stripe.Invoice): Promise<Stripe.Subscription> {
  return desk.get('subscription', idOf(invoice.parent?.subscription_details?.subscription))
}

function setStatus(
  desk: Desk,
  subscription: Stripe.Subscription,
  from: Stripe.Subscription.Status,
  to: Stripe.Subscription.Status,
): void {
  if (subscription.status !== from) return
  const before = structuredClone(subscription)
  subscription.status = to
  desk.save(subscription)
  emitUpdate<'subscription'>(desk, 'customer.subscription.updated', subscription, before)
}
