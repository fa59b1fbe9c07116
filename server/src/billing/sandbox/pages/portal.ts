import type Stripe from 'stripe'
import { type Html, html } from '../../../model/html.ts'
import { payInvoice } from '../collecting.ts'
import { doesCardWork, setCard } from '../customers.ts'
import type { Desk } from '../desk.ts'
import { openDispute, settleDispute } from '../disputes.ts'
import { itemOf } from '../invoice-lines.ts'
import { idOf } from '../objects.ts'
import { findPortalSession } from '../portal.ts'
import { nameOf } from '../prices.ts'
import { createRefund, failRefund } from '../refunds.ts'
import { releaseSchedule } from '../schedules.ts'
import { NO_CHANGE, nextPriceOf, updateSubscription } from '../subscription-changes.ts'
import { day, dollars } from '../wording.ts'
import { layout, notice, type Outcome, type Page } from './page.ts'

type Session = Stripe.BillingPortal.Session

/** The last subscriptions and payments; each takes some looking up. */
const SHOWN = 20

export async function portalPage(desk: Desk, id: string, problem?: string): Promise<Page> {
  const session = await findPortalSession(desk, id)
  if (session === undefined) {
    return notice('This page is not there', 'Its address is unknown, or older than a day.', undefined, false)
  }
  const customer = await desk.get('customer', session.customer)
  const shown = { limit: SHOWN, starting_after: undefined }
  const { data: subscriptions } = await desk.list('subscription', { customer: customer.id }, shown)
  const { data: payments } = await desk.list('payment_intent', { customer: customer.id }, shown)
  const paid = payments.filter(({ status }) => status === 'succeeded')
  const body = html`<h1>Your plan and payments</h1>
${problem === undefined ? undefined : html`<p class="bad" role="alert">${problem}</p>`}
<section>
<h2>Plan</h2>
${subscriptions.length === 0 ? html`<p class="soft">There is no subscription.</p>` : undefined}
${await each(subscriptions, (one) => subscriptionRow(desk, session, one))}
</section>
<section>
<h2>Card</h2>
${await cardRow(desk, session)}
</section>
<section>
<h2>Payments</h2>
${paid.length === 0 ? html`<p class="soft">Nothing was paid so far.</p>` : undefined}
${await each(paid, (one) => paymentRow(desk, one))}
</section>
${paid.length === 0 ? undefined : await bankSection(desk, session, paid)}
${session.return_url === null ? undefined : html`<p><a class="button" href="${session.return_url}">Back</a></p>`}`
  return { html: layout('Your plan and payments', body), isFound: true }
}

type Act = (desk: Desk, id: string) => Promise<unknown>

const ACTIONS: Record<string, Act> = {
  cancel,
  pay: (desk, id) => payInvoice(desk, {}, id),
  keep: (desk, id) => updateSubscription(desk, { ...NO_CHANGE, cancel_at_period_end: false }, id),
  'card-works': (desk, id) => setCard(desk, id, 'works'),
  'card-declined': (desk, id) => setCard(desk, id, 'declined'),
  refund: (desk, id) => createRefund(desk, { payment_intent: id, amount: undefined, metadata: undefined }),
  'fail-refund': failRefund,
  dispute: openDispute,
  'dispute-won': (desk, id) => settleDispute(desk, id, 'won'),
  'dispute-lost': (desk, id) => settleDispute(desk, id, 'lost'),
}

/** With it goes what was to follow at the end of the period. */
async function cancel(desk: Desk, id: string): Promise<void> {
  const { schedule } = await desk.get('subscription', id)
  if (schedule !== null) await releaseSchedule(desk, {}, idOf(schedule))
  await updateSubscription(desk, { ...NO_CHANGE, cancel_at_period_end: true }, id)
}

/** Leads back to the page, which then shows what has become of it. Throws a `Fault` when it cannot be done. */
export async function portalAction(
  desk: Desk,
  id: string,
  action: string,
  fields: Record<string, string>,
): Promise<Outcome> {
  const session = await findPortalSession(desk, id)
  if (session === undefined) return portalPage(desk, id)
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (act === undefined) return notice('No such action', 'This page cannot do that.', undefined, false)
  const target = fields.id ?? ''
  if ((await ownerOf(desk, target)) !== session.customer) return portalPage(desk, id, 'There is no such thing here.')
  await act(desk, target)
  return { location: `${desk.publicUrl}/sandbox/portal/${session.id}` }
}

/** The customer that an object belongs to: a session opens nothing of anybody else. */
async function ownerOf(desk: Desk, id: string): Promise<string | undefined> {
  const object = await desk.findAny(id)
  switch (object?.object) {
    case 'customer':
      return object.id
    case 'subscription':
    case 'payment_intent':
    case 'refund':
    case 'invoice':
      return idOf(object.customer)
    case 'dispute':
      return ownerOf(desk, idOf(object.payment_intent))
    default:
      return undefined
  }
}

async function subscriptionRow(desk: Desk, session: Session, subscription: Stripe.Subscription): Promise<Html> {
  const { price, current_period_end } = itemOf(subscription)
  const end = day(current_period_end)
  const { status, cancel_at_period_end: isEnding } = subscription
  const next = await nextPriceOf(desk, subscription)
  const change = next.id === price.id ? '' : ` as ${await nameOf(desk, next)}`
  const state =
    status === 'canceled'
      ? `Ended on ${day(subscription.ended_at ?? 0)}.`
      : status === 'past_due'
        ? 'The last payment failed; it is tried again in a few days.'
        : isEnding
          ? `Ends on ${end}.`
          : `Renews on ${end}${change}.`
  const button = isEnding
    ? form(desk, session, 'keep', subscription.id, 'Keep the plan')
    : form(desk, session, 'cancel', subscription.id, 'Cancel at the end of the period')
  const pay =
    status === 'past_due'
      ? form(desk, session, 'pay', idOf(subscription.latest_invoice), 'Pay now with the card')
      : undefined
  return html`<div class="row"><p><strong>${await nameOf(desk, price)}</strong>, ${dollars(price.unit_amount ?? 0)} per month<br>
<span class="soft">${state}</span></p>${status === 'canceled' ? undefined : html`<div class="acts">${pay}${button}</div>`}</div>`
}

async function cardRow(desk: Desk, session: Session): Promise<Html> {
  const isWorking = await doesCardWork(desk, session.customer)
  return html`<div class="row"><p>${isWorking ? 'The card works.' : 'The card is declined at the next payment.'}</p>
${
  isWorking
    ? form(desk, session, 'card-declined', session.customer, 'Use a card that is declined')
    : form(desk, session, 'card-works', session.customer, 'Use a card that works')
}</div>`
}

async function paymentRow(desk: Desk, payment: Stripe.PaymentIntent): Promise<Html> {
  const refunds = await desk.all('refund', { payment_intent: payment.id })
  const disputes = await desk.all('dispute', { payment_intent: payment.id })
  const states = [
    ...refunds.map(({ status, amount }) =>
      status === 'failed' ? `A refund of ${dollars(amount)} failed.` : `Refunded ${dollars(amount)}.`,
    ),
    ...disputes.map(({ status }) => (isOpen(status) ? 'Disputed.' : `Dispute ${status}.`)),
  ]
  return html`<div class="row"><p>${day(payment.created)}<br>
<span class="soft">${payment.description ?? 'Purchase'}${states.length === 0 ? '' : ` – ${states.join(' ')}`}</span></p>
<p><strong>${dollars(payment.amount)}</strong></p></div>`
}

/** Kept apart, so that nobody takes these for something that customers can do. */
async function bankSection(desk: Desk, session: Session, payments: readonly Stripe.PaymentIntent[]): Promise<Html> {
  return html`<section>
<h2>What only the merchant or the bank can do</h2>
<p class="soft">A real portal has no such buttons. Here they stand in for the other side.</p>
${await each(payments, (payment) => bankRow(desk, session, payment))}
</section>`
}

async function bankRow(desk: Desk, session: Session, payment: Stripe.PaymentIntent): Promise<Html> {
  const charge = await desk.get('charge', idOf(payment.latest_charge))
  const refunds = await desk.all('refund', { payment_intent: payment.id })
  const disputes = await desk.all('dispute', { payment_intent: payment.id })
  const isRefundable = !charge.refunded && disputes.every(({ status }) => status === 'won')
  const about = `${dollars(payment.amount)} of ${day(payment.created)}`
  const button = (action: string, id: string, label: string) => form(desk, session, action, id, label, about)
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
  if (buttons.length === 0) return html``
  return html`<div class="row"><p>${about}</p><div class="acts">${buttons}</div></div>`
}

const isOpen = (status: Stripe.Dispute.Status) => status === 'needs_response'

async function each<T>(all: readonly T[], write: (one: T) => Promise<Html>): Promise<Html[]> {
  const written: Html[] = []
  for (const one of all) written.push(await write(one))
  return written
}

/** `about` tells buttons of the same name apart for those who do not see where they stand. */
function form(desk: Desk, session: Session, action: string, id: string, label: string, about = ''): Html {
  const { pathname } = new URL(`${desk.publicUrl}/sandbox/portal/${session.id}/${action}`)
  const name = about === '' ? label : `${label}: ${about}`
  return html`<form method="post" action="${pathname}"><input type="hidden" name="id" value="${id}"><button aria-label="${name}">${label}</button></form>`
}
