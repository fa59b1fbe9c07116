import type Stripe from 'stripe'
import { doesCardWork, setCard } from '../customers.ts'
import { openDispute, settleDispute } from '../disputes.ts'
import { formatDate, formatDollars } from '../format.ts'
import { payInvoice } from '../invoice-collection.ts'
import { itemOf } from '../invoice-lines.ts'
import { objectId } from '../objects.ts'
import { findPortalSession } from '../portal-sessions.ts'
import { productName } from '../prices.ts'
import { createRefund, failRefund } from '../refunds.ts'
import { releaseSchedule } from '../schedules.ts'
import { nextPriceOf, updateSubscription } from '../subscription-changes.ts'
import type { SandboxTransaction } from '../transaction.ts'
import { type ActionResult, type HostedPage, renderNotice, renderPage } from './layout.ts'
import { type Markup, markup } from './markup.ts'

type Session = Stripe.BillingPortal.Session

/** The number of subscriptions and payments on the page; each needs several reads. */
const SHOWN = 20

export async function portalPage(tx: SandboxTransaction, id: string, problem?: string): Promise<HostedPage> {
  const session = await findPortalSession(tx, id)
  if (session === undefined) {
    return renderNotice('Page not found', 'The address is unknown, or older than a day.', undefined, false)
  }
  const customer = await tx.get('customer', session.customer)
  const shown = { limit: SHOWN }
  const { data: subscriptions } = await tx.list('subscription', { customer: customer.id }, shown)
  const { data: payments } = await tx.list('payment_intent', { customer: customer.id }, shown)
  const paid = payments.filter(({ status }) => status === 'succeeded')
  const body = markup`<h1>Your plan and payments</h1>
${problem === undefined ? undefined : markup`<p class="bad" role="alert">${problem}</p>`}
<section>
<h2>Plan</h2>
${subscriptions.length === 0 ? markup`<p class="soft">No subscription.</p>` : undefined}
${await each(subscriptions, (one) => subscriptionRow(tx, session, one))}
</section>
<section>
<h2>Card</h2>
${await cardRow(tx, session)}
</section>
<section>
<h2>Payments</h2>
${paid.length === 0 ? markup`<p class="soft">No payments yet.</p>` : undefined}
${await each(paid, (one) => paymentRow(tx, one))}
</section>
${paid.length === 0 ? undefined : await bankSection(tx, session, paid)}
${session.return_url === null ? undefined : markup`<p><a class="button" href="${session.return_url}">Back</a></p>`}`
  return { html: renderPage('Your plan and payments', body), isFound: true }
}

type Act = (tx: SandboxTransaction, id: string) => Promise<unknown>

const ACTIONS: Record<string, Act> = {
  cancel,
  pay: payInvoice,
  keep: (tx, id) => updateSubscription(tx, id, { cancel_at_period_end: false }),
  'card-works': (tx, id) => setCard(tx, id, 'works'),
  'card-declined': (tx, id) => setCard(tx, id, 'declined'),
  refund: (tx, id) => createRefund(tx, { payment_intent: id }),
  'fail-refund': failRefund,
  dispute: openDispute,
  'dispute-won': (tx, id) => settleDispute(tx, id, 'won'),
  'dispute-lost': (tx, id) => settleDispute(tx, id, 'lost'),
}

/** Cancels at the end of the period, and with it a scheduled change of the price. */
async function cancel(tx: SandboxTransaction, id: string): Promise<void> {
  const { schedule } = await tx.get('subscription', id)
  if (schedule !== null) await releaseSchedule(tx, objectId(schedule))
  await updateSubscription(tx, id, { cancel_at_period_end: true })
}

/** Runs an action and redirects to the page. Throws a `RequestError` if the action is refused. */
export async function portalAction(
  tx: SandboxTransaction,
  id: string,
  action: string,
  fields: Record<string, string>,
): Promise<ActionResult> {
  const session = await findPortalSession(tx, id)
  if (session === undefined) return portalPage(tx, id)
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (act === undefined) return renderNotice('No such action', 'This page cannot do that.', undefined, false)
  const target = fields.id ?? ''
  if ((await ownerOf(tx, target)) !== session.customer) return portalPage(tx, id, 'No such item on this page.')
  await act(tx, target)
  return { location: `${tx.pagesUrl}/portal/${session.id}` }
}

/** Returns the customer that an object belongs to, since a session may only change objects of its own customer. */
async function ownerOf(tx: SandboxTransaction, id: string): Promise<string | undefined> {
  const object = await tx.findAny(id)
  switch (object?.object) {
    case 'customer':
      return object.id
    case 'subscription':
    case 'payment_intent':
    case 'refund':
    case 'invoice':
      return objectId(object.customer)
    case 'dispute':
      return ownerOf(tx, objectId(object.payment_intent))
    default:
      return undefined
  }
}

async function subscriptionRow(
  tx: SandboxTransaction,
  session: Session,
  subscription: Stripe.Subscription,
): Promise<Markup> {
  const { price, current_period_end } = itemOf(subscription)
  const end = formatDate(current_period_end)
  const { status, cancel_at_period_end: isEnding } = subscription
  const next = await nextPriceOf(tx, subscription)
  const change = next.id === price.id ? '' : ` as ${await productName(tx, next)}`
  const state =
    status === 'canceled'
      ? `Ended on ${formatDate(subscription.ended_at ?? 0)}.`
      : status === 'past_due'
        ? 'The last payment failed. The next attempt is in a few days.'
        : isEnding
          ? `Ends on ${end}.`
          : `Renews on ${end}${change}.`
  const button = isEnding
    ? form(tx, session, 'keep', subscription.id, 'Keep the plan')
    : form(tx, session, 'cancel', subscription.id, 'Cancel at the end of the period')
  const pay =
    status === 'past_due'
      ? form(tx, session, 'pay', objectId(subscription.latest_invoice), 'Pay now with the card')
      : undefined
  return markup`<div class="row"><p><strong>${await productName(tx, price)}</strong>, ${formatDollars(price.unit_amount ?? 0)} per month<br>
<span class="soft">${state}</span></p>${status === 'canceled' ? undefined : markup`<div class="acts">${pay}${button}</div>`}</div>`
}

async function cardRow(tx: SandboxTransaction, session: Session): Promise<Markup> {
  const isWorking = await doesCardWork(tx, session.customer)
  return markup`<div class="row"><p>${isWorking ? 'The card works.' : 'The next payment with the card is declined.'}</p>
${
  isWorking
    ? form(tx, session, 'card-declined', session.customer, 'Use a card that is declined')
    : form(tx, session, 'card-works', session.customer, 'Use a card that works')
}</div>`
}

async function paymentRow(tx: SandboxTransaction, payment: Stripe.PaymentIntent): Promise<Markup> {
  const refunds = await tx.listAll('refund', { payment_intent: payment.id })
  const disputes = await tx.listAll('dispute', { payment_intent: payment.id })
  const states = [
    ...refunds.map(({ status, amount }) =>
      status === 'failed' ? `A refund of ${formatDollars(amount)} failed.` : `Refunded ${formatDollars(amount)}.`,
    ),
    ...disputes.map(({ status }) => (isOpen(status) ? 'Disputed.' : `Dispute ${status}.`)),
  ]
  return markup`<div class="row"><p>${formatDate(payment.created)}<br>
<span class="soft">${payment.description ?? 'Purchase'}${states.length === 0 ? '' : ` – ${states.join(' ')}`}</span></p>
<p><strong>${formatDollars(payment.amount)}</strong></p></div>`
}

/** A separate section, so that nobody mistakes these actions for those of a customer. */
async function bankSection(
  tx: SandboxTransaction,
  session: Session,
  payments: readonly Stripe.PaymentIntent[],
): Promise<Markup> {
  return markup`<section>
<h2>Actions of the merchant and the bank</h2>
<p class="soft">A real portal does not have these buttons. They simulate the merchant and the customer's bank.</p>
${await each(payments, (payment) => bankRow(tx, session, payment))}
</section>`
}

async function bankRow(tx: SandboxTransaction, session: Session, payment: Stripe.PaymentIntent): Promise<Markup> {
  const charge = await tx.get('charge', objectId(payment.latest_charge))
  const refunds = await tx.listAll('refund', { payment_intent: payment.id })
  const disputes = await tx.listAll('dispute', { payment_intent: payment.id })
  const isRefundable = !charge.refunded && disputes.every(({ status }) => status === 'won')
  const about = `${formatDollars(payment.amount)} of ${formatDate(payment.created)}`
  const button = (action: string, id: string, label: string) => form(tx, session, action, id, label, about)
  const buttons = [
    ...(isRefundable ? [button('refund', payment.id, 'Refund')] : []),
    ...(charge.disputed || charge.refunded ? [] : [button('dispute', payment.id, 'Dispute')]),
    ...disputes
      .filter(({ status }) => isOpen(status))
      .flatMap(({ id }) => [button('dispute-won', id, 'Dispute won'), button('dispute-lost', id, 'Dispute lost')]),
    ...refunds
      .filter(({ status }) => status === 'succeeded')
      .map(({ id }) => button('fail-refund', id, 'The refund fails')),
  ]
  if (buttons.length === 0) return markup``
  return markup`<div class="row"><p>${about}</p><div class="acts">${buttons}</div></div>`
}

const isOpen = (status: Stripe.Dispute.Status) => status === 'needs_response'

async function each<T>(all: readonly T[], write: (one: T) => Promise<Markup>): Promise<Markup[]> {
  const written: Markup[] = []
  for (const one of all) written.push(await write(one))
  return written
}

/** `about` distinguishes buttons with the same label for screen readers. */
function form(tx: SandboxTransaction, session: Session, action: string, id: string, label: string, about = ''): Markup {
  const { pathname } = new URL(`${tx.pagesUrl}/portal/${session.id}/${action}`)
  const name = about === '' ? label : `${label}: ${about}`
  return markup`<form method="post" action="${pathname}"><input type="hidden" name="id" value="${id}"><button aria-label="${name}">${label}</button></form>`
}
