import type Stripe from 'stripe'
import type { BillingPeriod } from './billing-period.ts'
import { formatDate } from './format.ts'
import { newId, objectId, toDecimal } from './objects.ts'
import { priceAmount, productName } from './prices.ts'
import type { SandboxTransaction } from './transaction.ts'

/** Returns the only item of a subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw new Error(`${subscription.id} has no item`)
  return item
}

export async function monthLine(
  tx: SandboxTransaction,
  subscription: Stripe.Subscription,
  price: Stripe.Price,
  period: BillingPeriod,
) {
  return newLine(subscription, price, {
    amount: priceAmount(price),
    period,
    description: `1 × ${await productName(tx, price)}`,
    isProration: false,
  })
}

/** Returns the lines for a change of the price: credit for the unused time, and the new price for the remaining time. */
export async function prorationLines(
  tx: SandboxTransaction,
  subscription: Stripe.Subscription,
  to: Stripe.Price,
  at: number,
): Promise<Stripe.InvoiceLineItem[]> {
  const { current_period_start: start, current_period_end: end, price: from } = itemOf(subscription)
  const period = { start: at, end }
  const share = (price: Stripe.Price) => Math.round((priceAmount(price) * (end - at)) / (end - start))
  const since = `after ${formatDate(at)}`
  return [
    newLine(subscription, from, {
      amount: 0 - share(from),
      period,
      description: `Unused time on ${await productName(tx, from)} ${since}`,
      isProration: true,
      credited: { invoice: objectId(subscription.latest_invoice), invoice_line_items: [] },
    }),
    newLine(subscription, to, {
      amount: share(to),
      period,
      description: `Remaining time on ${await productName(tx, to)} ${since}`,
      isProration: true,
    }),
  ]
}

function newLine(
  subscription: Stripe.Subscription,
  price: Stripe.Price,
  about: {
    amount: number
    period: BillingPeriod
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
      price_details: { price: price.id, product: objectId(price.product) },
      type: 'price_details',
      unit_amount_decimal: toDecimal(about.amount),
    },
    quantity: 1,
    quantity_decimal: toDecimal(1),
    subscription: subscription.id,
    subtotal: about.amount,
    taxes: [],
  }
}
