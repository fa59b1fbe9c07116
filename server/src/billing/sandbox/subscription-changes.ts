import type Stripe from 'stripe'
import { collect } from './collecting.ts'
import type { Desk } from './desk.ts'
import { emitUpdate } from './events.ts'
import { badParameter, declined, Fault, noSuch, notInSandbox, refused } from './fault.ts'
import { itemOf, monthLine, prorationLines } from './invoice-lines.ts'
import { addInvoice, newInvoice } from './invoices.ts'
import { idOf, newId } from './objects.ts'
import { monthAt, setPrice } from './subscriptions.ts'

type ItemParams = { id: string | undefined; price: string | undefined; quantity: number | undefined }
type Proration = 'always_invoice' | 'none' | 'create_prorations'

export interface SubscriptionChange {
  items: ItemParams[] | undefined
  proration_behavior: Proration | undefined
  payment_behavior: 'error_if_incomplete' | 'allow_incomplete' | undefined
  proration_date: number | undefined
  cancel_at_period_end: boolean | undefined
  metadata: Stripe.Metadata | undefined
}

export const NO_CHANGE: SubscriptionChange = {
  items: undefined,
  proration_behavior: undefined,
  payment_behavior: undefined,
  proration_date: undefined,
  cancel_at_period_end: undefined,
  metadata: undefined,
}

export async function updateSubscription(
  desk: Desk,
  params: SubscriptionChange,
  id: string,
): Promise<Stripe.Subscription> {
  const subscription = await desk.get('subscription', id)
  if (subscription.status === 'canceled') {
    throw refused('A canceled subscription can only update its cancellation_details and metadata.')
  }
  const before = structuredClone(subscription)
  const to = await newPriceOf(desk, subscription, params.items)
  checkSchedule(subscription, params, to)
  if (params.metadata !== undefined) Object.assign(subscription.metadata, params.metadata)
  if (params.cancel_at_period_end !== undefined) setCancellation(desk, subscription, params.cancel_at_period_end)
  const invoice = to && (await changePrice(desk, subscription, to, params))
  desk.save(subscription)
  emitUpdate<'subscription'>(desk, 'customer.subscription.updated', subscription, before)
  if (invoice !== undefined && !(await collect(desk, invoice)) && params.payment_behavior === 'error_if_incomplete') {
    throw declined()
  }
  return subscription
}

/** What the next invoice would be: that of a change if one is given, or that of the next month. Nothing is kept. */
export async function previewInvoice(
  desk: Desk,
  params: {
    customer: string | undefined
    subscription: string
    subscription_details:
      | {
          items: ItemParams[] | undefined
          proration_behavior: Proration | undefined
          proration_date: number | undefined
        }
      | undefined
  },
): Promise<Stripe.Invoice> {
  const subscription = await desk.get('subscription', params.subscription, 'subscription')
  const customer = await desk.get('customer', idOf(subscription.customer))
  if (params.customer !== undefined && params.customer !== customer.id) {
    throw badParameter('customer', 'The subscription belongs to another customer.')
  }
  if (subscription.status === 'canceled') throw nothingUpcoming(customer.id)
  const details = params.subscription_details
  const to = await newPriceOf(desk, subscription, details?.items)
  const item = itemOf(subscription)
  const preview = (lines: Stripe.InvoiceLineItem[], end: number) => {
    const period = { start: item.current_period_start, end }
    return newInvoice(desk, { subscription, reason: 'upcoming', lines, period }, customer, newId('upcoming_in'))
  }
  if (to !== undefined && isProrated(details?.proration_behavior)) {
    const at = prorationDate(desk, subscription, details?.proration_date)
    return preview(await prorationLines(desk, subscription, to, at), at)
  }
  if (subscription.cancel_at_period_end) throw nothingUpcoming(customer.id)
  const price = to ?? (await nextPriceOf(desk, subscription))
  const month = monthAt(subscription.billing_cycle_anchor, item.current_period_end)
  return preview([await monthLine(desk, subscription, price, month)], item.current_period_end)
}

/** The price that the subscription is to have, if it is another than now. */
async function newPriceOf(
  desk: Desk,
  subscription: Stripe.Subscription,
  items: ItemParams[] | undefined,
): Promise<Stripe.Price | undefined> {
  if (items === undefined) return undefined
  const item = itemOf(subscription)
  const [wanted, ...others] = items
  if (wanted === undefined || others.length > 0 || wanted.id === undefined || (wanted.quantity ?? 1) !== 1) {
    throw notInSandbox('a subscription has one item, named by its id, in a quantity of 1', 'items')
  }
  if (wanted.id !== item.id) throw noSuch('subscription_item', wanted.id, 'items[0][id]')
  if (wanted.price === undefined || wanted.price === item.price.id) return undefined
  const price = await desk.get('price', wanted.price, 'items[0][price]')
  if (price.recurring === null) throw badParameter('items[0][price]', 'The price specified is not recurring.')
  return price
}

/** Gives the invoice that is to be collected for it. */
async function changePrice(
  desk: Desk,
  subscription: Stripe.Subscription,
  to: Stripe.Price,
  params: SubscriptionChange,
): Promise<Stripe.Invoice | undefined> {
  if (!isProrated(params.proration_behavior)) {
    setPrice(desk, subscription, to)
    return undefined
  }
  const at = prorationDate(desk, subscription, params.proration_date)
  const lines = await prorationLines(desk, subscription, to, at)
  setPrice(desk, subscription, to)
  const period = { start: itemOf(subscription).current_period_start, end: at }
  const invoice = await addInvoice(desk, { subscription, reason: 'subscription_update', lines, period })
  subscription.latest_invoice = invoice.id
  return invoice
}

function isProrated(behavior: Proration | undefined): boolean {
  if (behavior === 'none') return false
  if (behavior === 'always_invoice') return true
  throw notInSandbox('prorations are invoiced at once or not at all', 'proration_behavior')
}

function prorationDate(desk: Desk, subscription: Stripe.Subscription, date: number | undefined): number {
  const at = date ?? desk.now
  const { current_period_start, current_period_end } = itemOf(subscription)
  if (at < current_period_start || at > current_period_end) {
    throw badParameter('proration_date', 'Cannot specify a proration date outside of the current period.')
  }
  return at
}

function setCancellation(desk: Desk, subscription: Stripe.Subscription, isWanted: boolean): void {
  if (subscription.cancel_at_period_end === isWanted) return
  subscription.cancel_at_period_end = isWanted
  subscription.cancel_at = isWanted ? itemOf(subscription).current_period_end : null
  subscription.canceled_at = isWanted ? desk.now : null
  const reason = isWanted ? 'cancellation_requested' : null
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
}

/** What a schedule decides cannot be changed behind its back. */
function checkSchedule(subscription: Stripe.Subscription, params: SubscriptionChange, to: Stripe.Price | undefined) {
  if (subscription.schedule === null) return
  const managed = `The subscription is managed by the subscription schedule \`${idOf(subscription.schedule)}\``
  const { cancel_at_period_end } = params
  if (cancel_at_period_end !== undefined && cancel_at_period_end !== subscription.cancel_at_period_end) {
    throw refused(
      `${managed}, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  }
  if (to !== undefined) {
    throw refused(`${managed}, and updating its items directly is not allowed. Please update the schedule instead.`)
  }
}

/** What the schedule says about the next month, if there is one. */
export async function nextPriceOf(desk: Desk, subscription: Stripe.Subscription): Promise<Stripe.Price> {
  const item = itemOf(subscription)
  if (subscription.schedule === null) return item.price
  const schedule = await desk.get('subscription_schedule', idOf(subscription.schedule))
  const phase = schedule.phases.find(
    ({ start_date, end_date }) => start_date <= item.current_period_end && item.current_period_end < end_date,
  )
  const price = phase?.items[0]?.price
  return price === undefined ? item.price : desk.get('price', idOf(price))
}

const nothingUpcoming = (customer: string) =>
  new Fault(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: ${customer}`,
  })
