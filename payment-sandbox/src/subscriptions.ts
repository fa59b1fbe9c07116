import type Stripe from 'stripe'
import { type BillingPeriod, monthAt } from './billing-period.ts'
import { missingObject } from './errors.ts'
import { stopCollecting } from './invoice-collection.ts'
import { itemOf, monthLine } from './invoice-lines.ts'
import { addInvoice } from './invoices.ts'
import { completeList, newId, objectId, toDecimal } from './objects.ts'
import { priceAmount } from './prices.ts'
import type { SandboxTransaction } from './transaction.ts'

/** Starts a subscription with an open invoice for its first month, which the caller has to collect. */
export async function startSubscription(
  tx: SandboxTransaction,
  order: { customer: string; price: Stripe.Price; metadata: Stripe.Metadata },
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice }> {
  const period = monthAt(tx.now, tx.now)
  const subscription = tx.add(newSubscription(tx, order, period), {}, period.end)
  const lines = [await monthLine(tx, subscription, order.price, period)]
  const span = { start: tx.now, end: tx.now }
  const invoice = await addInvoice(tx, { subscription, reason: 'subscription_create', lines, period: span })
  subscription.latest_invoice = invoice.id
  tx.emit('customer.subscription.created', subscription)
  return { subscription, invoice }
}

export async function cancelSubscription(tx: SandboxTransaction, id: string): Promise<Stripe.Subscription> {
  const subscription = await tx.get('subscription', id)
  // As at Stripe, a canceled subscription is not found.
  if (subscription.status === 'canceled') throw missingObject('subscription', id)
  await endSubscription(tx, subscription, 'cancellation_requested')
  return subscription
}

/** Ends a subscription at once, with its schedule; its open invoices are not collected any more. */
export async function endSubscription(
  tx: SandboxTransaction,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Promise<void> {
  subscription.status = 'canceled'
  subscription.ended_at = tx.now
  subscription.canceled_at ??= tx.now
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
  tx.setDueAt(subscription, null)
  for (const invoice of await tx.listAll('invoice', { subscription: subscription.id })) {
    if (invoice.status === 'open') stopCollecting(tx, invoice)
  }
  if (subscription.schedule !== null) {
    const schedule = await tx.get('subscription_schedule', objectId(subscription.schedule))
    schedule.status = 'canceled'
    schedule.canceled_at = tx.now
    schedule.current_phase = null
    tx.setDueAt(schedule, null)
    tx.emit('subscription_schedule.canceled', schedule)
  }
  tx.emit('customer.subscription.deleted', subscription)
}

export function setPrice(subscription: Stripe.Subscription, price: Stripe.Price): void {
  const item = itemOf(subscription)
  item.price = price
  item.plan = toPlan(price)
}

function newSubscription(
  tx: SandboxTransaction,
  order: { customer: string; price: Stripe.Price; metadata: Stripe.Metadata },
  period: BillingPeriod,
): Stripe.Subscription {
  const id = newId('sub')
  const item: Stripe.SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: tx.now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: toPlan(order.price),
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
    billing_cycle_anchor: tx.now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: tx.now,
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
    items: completeList([item], `/v1/subscription_items?subscription=${id}`),
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
    start_date: tx.now,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  }
}

/** Returns the price in the older format that subscription items still have beside it. */
function toPlan(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: priceAmount(price),
    amount_decimal: toDecimal(priceAmount(price)),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: 'month',
    interval_count: 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: null,
    product: objectId(price.product),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
