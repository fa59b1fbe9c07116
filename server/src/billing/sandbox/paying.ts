/** What a buyer does on the page of a checkout session, and what follows when the money comes later. */
import type Stripe from 'stripe'
import { collect, markFailed, markPaid, startCollecting } from './collecting.ts'
import { setCard } from './customers.ts'
import type { Desk } from './desk.ts'
import { idOf } from './objects.ts'
import { addPayment, failPayment, succeedPayment } from './payments.ts'
import { startSubscription } from './subscriptions.ts'

export type Transfer = 'arrives' | 'fails'

/** How long a transfer is under way. */
const TRANSFER_SECONDS = 5 * 60

/**
 * Pays by card; that of a plan is kept for its renewals, where it works or does not. A session that is not open any more stays as it is: a second click pays nothing.
 */
export async function payNow(desk: Desk, session: Stripe.Checkout.Session, later: 'works' | 'declined'): Promise<void> {
  if (session.status !== 'open') return
  if (session.mode === 'subscription') {
    const customer = idOf(session.customer)
    await setCard(desk, customer, 'works')
    await collect(desk, await startPlan(desk, session))
    await setCard(desk, customer, later)
  } else {
    const payment = startPayment(desk, session, 'card')
    succeedPayment(desk, payment)
    session.payment_intent = payment.id
  }
  complete(desk, session, 'paid')
}

/** Orders a transfer: the session is complete, the money comes later or not at all. */
export async function payLater(desk: Desk, session: Stripe.Checkout.Session, transfer: Transfer): Promise<void> {
  if (session.status !== 'open') return
  if (session.mode === 'subscription') {
    await startCollecting(desk, await startPlan(desk, session), 'us_bank_account')
  } else {
    session.payment_intent = startPayment(desk, session, 'us_bank_account').id
  }
  complete(desk, session, 'unpaid')
  desk.note(session, { transfer })
  desk.wake(session, desk.now + TRANSFER_SECONDS)
}

/** The time of the transfer has come. */
export async function settleTransfer(desk: Desk, session: Stripe.Checkout.Session): Promise<void> {
  desk.wake(session, null)
  const hasArrived = desk.notes(session).transfer === 'arrives'
  const invoice = session.invoice === null ? undefined : await desk.get('invoice', idOf(session.invoice))
  const payment = invoice
    ? await startCollecting(desk, invoice, 'us_bank_account')
    : await desk.get('payment_intent', idOf(session.payment_intent))
  if (hasArrived) succeedPayment(desk, payment)
  else failPayment(desk, payment)
  if (invoice !== undefined) await (hasArrived ? markPaid(desk, invoice) : markFailed(desk, invoice, true))
  if (hasArrived) session.payment_status = 'paid'
  desk.save(session)
  desk.emit(hasArrived ? 'checkout.session.async_payment_succeeded' : 'checkout.session.async_payment_failed', session)
}

/** Begins the subscription and gives its first invoice. */
async function startPlan(desk: Desk, session: Stripe.Checkout.Session): Promise<Stripe.Invoice> {
  const notes = desk.notes(session)
  const price = await desk.get('price', notes.price ?? '')
  const metadata = notes.subscriptionMetadata ?? {}
  const customer = idOf(session.customer)
  const { subscription, invoice } = await startSubscription(desk, { customer, price, metadata })
  session.subscription = subscription.id
  session.invoice = invoice.id
  return invoice
}

function startPayment(desk: Desk, session: Stripe.Checkout.Session, method: 'card' | 'us_bank_account') {
  const metadata = desk.notes(session).paymentMetadata ?? {}
  const order = { customer: idOf(session.customer), amount: session.amount_total ?? 0, metadata, description: null }
  return addPayment(desk, order, method)
}

function complete(desk: Desk, session: Stripe.Checkout.Session, paymentStatus: 'paid' | 'unpaid'): void {
  session.status = 'complete'
  session.payment_status = paymentStatus
  session.url = null
  desk.wake(session, null)
  desk.emit('checkout.session.completed', session)
}
