import type Stripe from 'stripe'
import { SECOND } from '../../model/time.ts'
import { periodAt } from '../../plans/period.ts'
import type { Desk, Page } from './desk.ts'
import { noSuch } from './fault.ts'
import { itemOf, monthLine, type Period } from './invoice-lines.ts'
import { addInvoice } from './invoices.ts'
import { decimal, idOf, listOfAll, newId } from './objects.ts'
import type { PageParams } from './params.ts'
import { amountOf } from './prices.ts'

/** Begins a subscription with an open invoice of its first month, which the caller has to collect. */
export async function startSubscription(
  desk: Desk,
  order: { customer: string; price: Stripe.Price; metadata: Stripe.Metadata },
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice }> {
  const period = monthAt(desk.now, desk.now)
  const subscription = desk.add(newSubscription(desk, order, period), {}, period.end)
  const lines = [await monthLine(desk, subscription, order.price, period)]
  const span = { start: desk.now, end: desk.now }
  const invoice = await addInvoice(desk, { subscription, reason: 'subscription_create', lines, period: span })
  subscription.latest_invoice = invoice.id
  desk.emit('customer.subscription.created', subscription)
  return { subscription, invoice }
}

export async function cancelSubscription(desk: Desk, _: object, id: string): Promise<Stripe.Subscription> {
  const subscription = await desk.get('subscription', id)
  // As in Stripe, one that is over is not found.
  if (subscription.status === 'canceled') throw noSuch('subscription', id)
  await endSubscription(desk, subscription, 'cancellation_requested')
  return subscription
}

/** Nothing is collected and nothing is renewed any more. */
export async function endSubscription(
  desk: Desk,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Promise<void> {
  subscription.status = 'canceled'
  subscription.ended_at = desk.now
  subscription.canceled_at ??= desk.now
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
  desk.wake(subscription, null)
  for (const invoice of await desk.all('invoice', { subscription: subscription.id })) {
    if (invoice.status !== 'open') continue
    invoice.auto_advance = false
    invoice.next_payment_attempt = null
    desk.wake(invoice, null)
  }
  if (subscription.schedule !== null) {
    const schedule = await desk.get('subscription_schedule', idOf(subscription.schedule))
    schedule.status = 'canceled'
    schedule.canceled_at = desk.now
    schedule.current_phase = null
    desk.wake(schedule, null)
    desk.emit('subscription_schedule.canceled', schedule)
  }
  desk.emit('customer.subscription.deleted', subscription)
}

/** Those that are over as well. */
export function listSubscriptions(
  desk: Desk,
  params: PageParams & { customer: string | undefined },
): Promise<Page<Stripe.Subscription>> {
  return desk.list('subscription', params.customer === undefined ? {} : { customer: params.customer }, params)
}

export function setPrice(desk: Desk, subscription: Stripe.Subscription, price: Stripe.Price): void {
  const item = itemOf(subscription)
  item.price = price
  item.plan = planOf(price)
  desk.save(subscription)
}

/** The month that a moment lies in, counted from the day of the anchor. */
export function monthAt(anchor: number, at: number): Period {
  const { start, end } = periodAt(anchor * SECOND, at * SECOND)
  return { start: start / SECOND, end: end / SECOND }
}

function newSubscription(
  desk: Desk,
  order: { customer: string; price: Stripe.Price; metadata: Stripe.Metadata },
  period: Period,
): Stripe.Subscription {
  const id = newId('sub')
  const item: Stripe.SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: desk.now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(order.price),
    price: order.price,
    quantity: 1,
    subscription: id,
    tax_rates: [],
  }
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: desk.now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: desk.now,
    currency: order.price.currency,
    customer: order.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOfAll([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: order.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: desk.now,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  }
}

/** What a price was before there were prices; items still have both. */
function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: amountOf(price),
    amount_decimal: decimal(amountOf(price)),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: 'month',
    interval_count: 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: null,
    product: idOf(price.product),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
