import type Stripe from 'stripe'
import type { Desk } from './desk.ts'
import { decimal, idOf, newId } from './objects.ts'
import { amountOf, nameOf } from './prices.ts'
import { day } from './wording.ts'

export interface Period {
  start: number
  end: number
}

/** The item of a subscription: there is always one. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw new Error(`${subscription.id} has no item`)
  return item
}

/** A month of a price. */
export async function monthLine(desk: Desk, subscription: Stripe.Subscription, price: Stripe.Price, period: Period) {
  const amount = amountOf(price)
  return newLine(subscription, price, {
    amount,
    period,
    description: `1 × ${await nameOf(desk, price)}`,
    isProration: false,
  })
}

/** What a change of the price at `at` costs for the rest of the period: the unused time back, the remaining time anew. */
export async function prorationLines(
  desk: Desk,
  subscription: Stripe.Subscription,
  to: Stripe.Price,
  at: number,
): Promise<Stripe.InvoiceLineItem[]> {
  const { current_period_start: start, current_period_end: end, price: from } = itemOf(subscription)
  const period = { start: at, end }
  const share = (price: Stripe.Price) => Math.round((amountOf(price) * (end - at)) / (end - start))
  const since = `after ${day(at)}`
  return [
    newLine(subscription, from, {
      amount: 0 - share(from),
      period,
      description: `Unused time on ${await nameOf(desk, from)} ${since}`,
      isProration: true,
      credited: { invoice: idOf(subscription.latest_invoice), invoice_line_items: [] },
    }),
    newLine(subscription, to, {
      amount: share(to),
      period,
      description: `Remaining time on ${await nameOf(desk, to)} ${since}`,
      isProration: true,
    }),
  ]
}

function newLine(
  subscription: Stripe.Subscription,
  price: Stripe.Price,
  about: {
    amount: number
    period: Period
    description: string
    isProration: boolean
    credited?: { invoice: string; invoice_line_items: string[] }
  },
): Stripe.InvoiceLineItem {
  return {
    id: newId('il'),
    object: 'line_item',
    amount: about.amount,
    currency: price.currency,
    description: about.description,
    discount_amounts: [],
    discountable: !about.isProration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: about.isProration ? newId('ii') : null,
        proration: about.isProration,
        proration_details: { credited_items: about.credited ?? null },
        subscription: subscription.id,
        subscription_item: itemOf(subscription).id,
      },
      type: 'subscription_item_details',
    },
    period: about.period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(about.amount),
    },
    quantity: 1,
    quantity_decimal: decimal(1),
    subscription: subscription.id,
    subtotal: about.amount,
    taxes: [],
  }
}
