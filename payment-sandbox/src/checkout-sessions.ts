import type Stripe from 'stripe'
import { newSession, type SessionParams } from './checkout-session-object.ts'
import { DAY_SECONDS } from './clock.ts'
import { getCustomer } from './customers.ts'
import { invalidParameter, invalidRequest } from './errors.ts'
import { completeList, newId } from './objects.ts'
import { MINIMUM_CHARGE_CENTS } from './payments.ts'
import { priceAmount, productName } from './prices.ts'
import type { SandboxTransaction } from './transaction.ts'

const SHORTEST_SECONDS = 30 * 60

export async function createSession(tx: SandboxTransaction, params: SessionParams): Promise<Stripe.Checkout.Session> {
  const customer = await getCustomer(tx, params.customer, 'customer')
  const price = await checkPrice(tx, params)
  const expiresAt = params.expires_at ?? tx.now + DAY_SECONDS
  if (expiresAt < tx.now + SHORTEST_SECONDS || expiresAt > tx.now + DAY_SECONDS) {
    throw invalidParameter('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.')
  }
  const id = newId('cs')
  const session = newSession({
    id,
    created: tx.now,
    expiresAt,
    price,
    params,
    email: customer.email,
    url: `${tx.pagesUrl}/checkout/${id}`,
  })
  const notes = {
    price: price.id,
    paymentMetadata: params.payment_intent_data?.metadata ?? {},
    subscriptionMetadata: params.subscription_data?.metadata ?? {},
  }
  return tx.add(session, notes, expiresAt)
}

async function checkPrice(tx: SandboxTransaction, params: SessionParams): Promise<Stripe.Price> {
  const [item, ...others] = params.line_items
  if (item === undefined || others.length > 0 || (item.quantity ?? 1) !== 1) {
    throw invalidParameter('line_items', 'The sandbox sells one price with a quantity of 1.')
  }
  if (params.mode === 'payment' && params.subscription_data !== undefined) {
    throw invalidParameter('subscription_data', 'You can not pass `subscription_data` in `payment` mode.')
  }
  if (params.mode === 'subscription' && params.payment_intent_data !== undefined) {
    throw invalidParameter('payment_intent_data', 'You can not pass `payment_intent_data` in `subscription` mode.')
  }
  const price = await tx.get('price', item.price, 'line_items[0][price]')
  if (params.mode === 'payment' && price.recurring !== null) {
    throw invalidParameter('line_items', 'You specified `payment` mode but passed a recurring price.')
  }
  if (params.mode === 'subscription' && price.recurring === null) {
    throw invalidParameter('line_items', 'You must provide at least one recurring price in `subscription` mode.')
  }
  if (params.mode === 'payment' && priceAmount(price) < MINIMUM_CHARGE_CENTS) {
    throw invalidRequest('The Checkout Session’s total amount due must add up to at least $0.50 usd', {
      code: 'amount_too_small',
    })
  }
  return price
}

export async function expireSession(tx: SandboxTransaction, id: string): Promise<Stripe.Checkout.Session> {
  const session = await tx.get('checkout.session', id)
  if (session.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }
  session.status = 'expired'
  session.url = null
  tx.setDueAt(session, null)
  tx.emit('checkout.session.expired', session)
  return session
}

export async function lineItemsOfSession(tx: SandboxTransaction, id: string): Promise<Stripe.ApiList<Stripe.LineItem>> {
  const session = await tx.get('checkout.session', id)
  const price = await tx.get('price', tx.notes(session).price ?? '')
  const amount = priceAmount(price)
  const item: Stripe.LineItem = {
    id: `li_${session.id}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: await productName(tx, price),
    metadata: {},
    price,
    quantity: 1,
  }
  return completeList([item], `/v1/checkout/sessions/${session.id}/line_items`)
}
