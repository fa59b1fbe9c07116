import type Stripe from 'stripe'
import { setCard } from './customers.ts'
import { collectInvoice, markFailed, markPaid, paymentOfInvoice } from './invoice-collection.ts'
import { objectId } from './objects.ts'
import { addPayment, failPayment, type PaymentMethod, succeedPayment } from './payments.ts'
import { startSubscription } from './subscriptions.ts'
import type { SandboxTransaction } from './transaction.ts'

const TRANSFER_SECONDS = 5 * 60

/**
 * Pays a checkout session by card. The card of a subscription also pays its renewals, or is declined then. A session that
 * is not open stays as it is, so a second click pays nothing.
 */
export async function payByCard(
  tx: SandboxTransaction,
  session: Stripe.Checkout.Session,
  atRenewal: 'works' | 'declined',
): Promise<void> {
  if (session.status !== 'open') return
  if (session.mode === 'subscription') {
    const customer = objectId(session.customer)
    await setCard(tx, customer, 'works')
    await collectInvoice(tx, await subscribe(tx, session))
    await setCard(tx, customer, atRenewal)
  } else {
    const payment = startPayment(tx, session, 'card')
    succeedPayment(tx, payment)
    session.payment_intent = payment.id
  }
  completeSession(tx, session, 'paid')
}

/** Completes the session at once; `settleTransfer` follows when the transfer arrives or fails. */
export async function payByTransfer(
  tx: SandboxTransaction,
  session: Stripe.Checkout.Session,
  transfer: 'arrives' | 'fails',
): Promise<void> {
  if (session.status !== 'open') return
  if (session.mode === 'subscription') {
    await paymentOfInvoice(tx, await subscribe(tx, session), 'us_bank_account')
  } else {
    session.payment_intent = startPayment(tx, session, 'us_bank_account').id
  }
  completeSession(tx, session, 'unpaid')
  tx.setNotes(session, { transfer })
  tx.setDueAt(session, tx.now + TRANSFER_SECONDS)
}

export async function settleTransfer(tx: SandboxTransaction, session: Stripe.Checkout.Session): Promise<void> {
  tx.setDueAt(session, null)
  const hasArrived = tx.notes(session).transfer === 'arrives'
  const invoice = session.invoice === null ? undefined : await tx.get('invoice', objectId(session.invoice))
  const payment = invoice
    ? await paymentOfInvoice(tx, invoice, 'us_bank_account')
    : await tx.get('payment_intent', objectId(session.payment_intent))
  if (hasArrived) succeedPayment(tx, payment)
  else failPayment(tx, payment)
  if (invoice !== undefined) await (hasArrived ? markPaid(tx, invoice) : markFailed(tx, invoice, true))
  if (hasArrived) session.payment_status = 'paid'
  tx.emit(hasArrived ? 'checkout.session.async_payment_succeeded' : 'checkout.session.async_payment_failed', session)
}

/** Starts the subscription that the session sells; returns its first invoice. */
async function subscribe(tx: SandboxTransaction, session: Stripe.Checkout.Session): Promise<Stripe.Invoice> {
  const notes = tx.notes(session)
  const price = await tx.get('price', notes.price ?? '')
  const metadata = notes.subscriptionMetadata ?? {}
  const customer = objectId(session.customer)
  const { subscription, invoice } = await startSubscription(tx, { customer, price, metadata })
  session.subscription = subscription.id
  session.invoice = invoice.id
  return invoice
}

function startPayment(tx: SandboxTransaction, session: Stripe.Checkout.Session, method: PaymentMethod) {
  const metadata = tx.notes(session).paymentMetadata ?? {}
  const customer = objectId(session.customer)
  return addPayment(tx, { customer, amount: session.amount_total ?? 0, metadata, description: null }, method)
}

function completeSession(
  tx: SandboxTransaction,
  session: Stripe.Checkout.Session,
  paymentStatus: 'paid' | 'unpaid',
): void {
  session.status = 'complete'
  session.payment_status = paymentStatus
  session.url = null
  tx.setDueAt(session, null)
  tx.emit('checkout.session.completed', session)
}
