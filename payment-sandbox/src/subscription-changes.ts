import type Stripe from 'stripe'
import { monthAt } from './billing-period.ts'
import { cardDeclined, invalidParameter, invalidRequest, missingObject, notSupported, RequestError } from './errors.ts'
import { collectInvoice } from './invoice-collection.ts'
import { itemOf, monthLine, prorationLines } from './invoice-lines.ts'
import { addInvoice, newInvoice } from './invoices.ts'
import { newId, objectId } from './objects.ts'
import { type ParamsOf, param, required } from './params.ts'
import { setPrice } from './subscriptions.ts'
import type { SandboxTransaction } from './transaction.ts'

export const prorationParam = param.enum('always_invoice', 'none', 'create_prorations')

const PRICE_CHANGE = {
  items: param.array(param.object({ id: param.string, price: param.string, quantity: param.integer })),
  proration_behavior: prorationParam,
  proration_date: param.integer,
}
type PriceChange = ParamsOf<typeof PRICE_CHANGE>

export const UPDATE_SUBSCRIPTION = {
  ...PRICE_CHANGE,
  payment_behavior: param.enum('error_if_incomplete', 'allow_incomplete'),
  cancel_at_period_end: param.boolean,
  metadata: param.metadata,
}
type SubscriptionChange = ParamsOf<typeof UPDATE_SUBSCRIPTION>

export const PREVIEW_INVOICE = {
  customer: param.string,
  subscription: required(param.string),
  subscription_details: param.object(PRICE_CHANGE),
}

export async function updateSubscription(
  tx: SandboxTransaction,
  id: string,
  params: SubscriptionChange,
): Promise<Stripe.Subscription> {
  const subscription = await tx.get('subscription', id)
  if (subscription.status === 'canceled') {
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
  }
  const to = await newPriceOf(tx, subscription, params.items)
  checkSchedule(subscription, params, to)
  if (params.metadata !== undefined) Object.assign(subscription.metadata, params.metadata)
  if (params.cancel_at_period_end !== undefined) setCancellation(tx, subscription, params.cancel_at_period_end)
  const invoice = to && (await changePrice(tx, subscription, to, params))
  tx.emitUpdate('customer.subscription.updated', subscription)
  if (
    invoice !== undefined &&
    !(await collectInvoice(tx, invoice)) &&
    params.payment_behavior === 'error_if_incomplete'
  ) {
    throw cardDeclined()
  }
  return subscription
}

/** Returns the invoice that the given change, or without one the next renewal, would create. */
export async function previewInvoice(
  tx: SandboxTransaction,
  params: ParamsOf<typeof PREVIEW_INVOICE>,
): Promise<Stripe.Invoice> {
  const subscription = await tx.get('subscription', params.subscription, 'subscription')
  const customer = await tx.get('customer', objectId(subscription.customer))
  if (params.customer !== undefined && params.customer !== customer.id) {
    throw invalidParameter('customer', 'The subscription belongs to another customer.')
  }
  if (subscription.status === 'canceled') throw nothingUpcoming(customer.id)
  const details = params.subscription_details
  const to = await newPriceOf(tx, subscription, details?.items)
  const item = itemOf(subscription)
  const preview = (lines: Stripe.InvoiceLineItem[], end: number) => {
    const period = { start: item.current_period_start, end }
    return newInvoice(tx, { subscription, reason: 'upcoming', lines, period }, customer, newId('upcoming_in'))
  }
  if (to !== undefined && isProrated(details?.proration_behavior)) {
    const at = prorationDate(tx, subscription, details?.proration_date)
    return preview(await prorationLines(tx, subscription, to, at), at)
  }
  if (subscription.cancel_at_period_end) throw nothingUpcoming(customer.id)
  const price = to ?? (await nextPriceOf(tx, subscription))
  const month = monthAt(subscription.billing_cycle_anchor, item.current_period_end)
  return preview([await monthLine(tx, subscription, price, month)], item.current_period_end)
}

/** Returns the price that `items` changes the subscription to, if any. */
async function newPriceOf(
  tx: SandboxTransaction,
  subscription: Stripe.Subscription,
  items: PriceChange['items'],
): Promise<Stripe.Price | undefined> {
  if (items === undefined) return undefined
  const item = itemOf(subscription)
  const [wanted, ...others] = items
  if (wanted === undefined || others.length > 0 || wanted.id === undefined || (wanted.quantity ?? 1) !== 1) {
    throw notSupported('one item per subscription, given by its id, with a quantity of 1', 'items')
  }
  if (wanted.id !== item.id) throw missingObject('subscription_item', wanted.id, 'items[0][id]')
  if (wanted.price === undefined || wanted.price === item.price.id) return undefined
  const price = await tx.get('price', wanted.price, 'items[0][price]')
  if (price.recurring === null) throw invalidParameter('items[0][price]', 'The price specified is not recurring.')
  return price
}

/** Returns the invoice to collect, if the change is prorated. */
async function changePrice(
  tx: SandboxTransaction,
  subscription: Stripe.Subscription,
  to: Stripe.Price,
  params: SubscriptionChange,
): Promise<Stripe.Invoice | undefined> {
  if (!isProrated(params.proration_behavior)) {
    setPrice(subscription, to)
    return undefined
  }
  const at = prorationDate(tx, subscription, params.proration_date)
  const lines = await prorationLines(tx, subscription, to, at)
  setPrice(subscription, to)
  const period = { start: itemOf(subscription).current_period_start, end: at }
  const invoice = await addInvoice(tx, { subscription, reason: 'subscription_update', lines, period })
  subscription.latest_invoice = invoice.id
  return invoice
}

function isProrated(behavior: PriceChange['proration_behavior']): boolean {
  if (behavior === 'none') return false
  if (behavior === 'always_invoice') return true
  throw notSupported('the values always_invoice and none here', 'proration_behavior')
}

function prorationDate(tx: SandboxTransaction, subscription: Stripe.Subscription, date: number | undefined): number {
  const at = date ?? tx.now
  const { current_period_start, current_period_end } = itemOf(subscription)
  if (at < current_period_start || at > current_period_end) {
    throw invalidParameter('proration_date', 'Cannot specify a proration date outside of the current period.')
  }
  return at
}

function setCancellation(tx: SandboxTransaction, subscription: Stripe.Subscription, isWanted: boolean): void {
  if (subscription.cancel_at_period_end === isWanted) return
  subscription.cancel_at_period_end = isWanted
  subscription.cancel_at = isWanted ? itemOf(subscription).current_period_end : null
  subscription.canceled_at = isWanted ? tx.now : null
  const reason = isWanted ? 'cancellation_requested' : null
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
}

/** Refuses changes that only the schedule of the subscription may make. */
function checkSchedule(subscription: Stripe.Subscription, params: SubscriptionChange, to: Stripe.Price | undefined) {
  if (subscription.schedule === null) return
  const managed = `The subscription is managed by the subscription schedule \`${objectId(subscription.schedule)}\``
  const { cancel_at_period_end } = params
  if (cancel_at_period_end !== undefined && cancel_at_period_end !== subscription.cancel_at_period_end) {
    throw invalidRequest(
      `${managed}, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  }
  if (to !== undefined) {
    throw invalidRequest(
      `${managed}, and updating its items directly is not allowed. Please update the schedule instead.`,
    )
  }
}

/** Returns the price of the next renewal, which a schedule may change. */
export async function nextPriceOf(tx: SandboxTransaction, subscription: Stripe.Subscription): Promise<Stripe.Price> {
  const item = itemOf(subscription)
  if (subscription.schedule === null) return item.price
  const schedule = await tx.get('subscription_schedule', objectId(subscription.schedule))
  const phase = schedule.phases.find(
    ({ start_date, end_date }) => start_date <= item.current_period_end && item.current_period_end < end_date,
  )
  const price = phase?.items[0]?.price
  return price === undefined ? item.price : tx.get('price', objectId(price))
}

const nothingUpcoming = (customer: string) =>
  new RequestError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: ${customer}`,
  })
