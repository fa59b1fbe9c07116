import type Stripe from 'stripe'
import { collect, subscriptionOf } from './collecting.ts'
import type { Desk } from './desk.ts'
import { emitUpdate } from './events.ts'
import { itemOf, monthLine } from './invoice-lines.ts'
import { addInvoice } from './invoices.ts'
import { endSubscription, monthAt } from './subscriptions.ts'

/** The period is over: the next one begins, or the subscription ends. */
export async function renew(desk: Desk, subscription: Stripe.Subscription): Promise<void> {
  if (subscription.cancel_at_period_end) {
    await endSubscription(desk, subscription, 'cancellation_requested')
    return
  }
  const before = structuredClone(subscription)
  const item = itemOf(subscription)
  const last = { start: item.current_period_start, end: item.current_period_end }
  const month = monthAt(subscription.billing_cycle_anchor, last.end)
  item.current_period_start = month.start
  item.current_period_end = month.end
  desk.wake(subscription, month.end)
  const lines = [await monthLine(desk, subscription, item.price, month)]
  const invoice = await addInvoice(desk, { subscription, reason: 'subscription_cycle', lines, period: last })
  subscription.latest_invoice = invoice.id
  emitUpdate<'subscription'>(desk, 'customer.subscription.updated', subscription, before)
  await collect(desk, invoice)
}

/** Tries again to collect an invoice; after the last attempt the subscription is over. */
export async function retry(desk: Desk, invoice: Stripe.Invoice): Promise<void> {
  const isPaid = await collect(desk, invoice)
  if (isPaid || invoice.next_payment_attempt !== null) return
  await endSubscription(desk, await subscriptionOf(desk, invoice), 'payment_failed')
}
