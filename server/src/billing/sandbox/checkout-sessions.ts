import type Stripe from 'stripe'
import { newSession, type SessionParams } from './checkout-session-object.ts'
import type { Desk, Page } from './desk.ts'
import { badParameter, refused } from './fault.ts'
import { listOfAll, newId } from './objects.ts'
import type { PageParams } from './params.ts'
import { SMALLEST_PAYMENT_CENTS } from './payments.ts'
import { amountOf, nameOf } from './prices.ts'

const SHORTEST_SECONDS = 30 * 60
const LONGEST_SECONDS = 24 * 60 * 60

export async function createSession(desk: Desk, params: SessionParams): Promise<Stripe.Checkout.Session> {
  const customer = await desk.get('customer', params.customer, 'customer')
  const price = await priceOf(desk, params)
  const expiresAt = params.expires_at ?? desk.now + LONGEST_SECONDS
  if (expiresAt < desk.now + SHORTEST_SECONDS || expiresAt > desk.now + LONGEST_SECONDS) {
    throw badParameter('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.')
  }
  const id = newId('cs')
  const session = newSession({
    id,
    created: desk.now,
    expiresAt,
    price,
    params,
    email: customer.email,
    url: `${desk.publicUrl}/sandbox/checkout/${id}`,
  })
  const notes = {
    price: price.id,
    paymentMetadata: params.payment_intent_data?.metadata ?? {},
    subscriptionMetadata: params.subscription_data?.metadata ?? {},
  }
  return desk.add(session, notes, expiresAt)
}

async function priceOf(desk: Desk, params: SessionParams): Promise<Stripe.Price> {
  const [item, ...others] = params.line_items
  if (item === undefined || others.length > 0 || (item.quantity ?? 1) !== 1) {
    throw badParameter('line_items', 'The sandbox sells one price in a quantity of 1.')
  }
  if (params.mode === 'payment' && params.subscription_data !== undefined) {
    throw badParameter('subscription_data', 'You can not pass `subscription_data` in `payment` mode.')
  }
  if (params.mode === 'subscription' && params.payment_intent_data !== undefined) {
    throw badParameter('payment_intent_data', 'You can not pass `payment_intent_data` in `subscription` mode.')
  }
  const price = await desk.get('price', item.price, 'line_items[0][price]')
  if (params.mode === 'payment' && price.recurring !== null) {
    throw badParameter('line_items', 'You specified `payment` mode but passed a recurring price.')
  }
  if (params.mode === 'subscription' && price.recurring === null) {
    throw badParameter('line_items', 'You must provide at least one recurring price in `subscription` mode.')
  }
  if (params.mode === 'payment' && amountOf(price) < SMALLEST_PAYMENT_CENTS) {
    throw refused('The Checkout Session’s total amount due must add up to at least $0.50 usd', {
      code: 'amount_too_small',
    })
  }
  return price
}

export async function expireSession(desk: Desk, _: object, id: string): Promise<Stripe.Checkout.Session> {
  const session = await desk.get('checkout.session', id)
  if (session.status !== 'open') {
    throw refused(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }
  session.status = 'expired'
  session.url = null
  desk.wake(session, null)
  desk.emit('checkout.session.expired', session)
  return session
}

export function listSessions(
  desk: Desk,
  params: PageParams & {
    payment_intent: string | undefined
    customer: string | undefined
    subscription: string | undefined
  },
): Promise<Page<Stripe.Checkout.Session>> {
  const { payment_intent, customer, subscription } = params
  const filter = {
    ...(payment_intent !== undefined && { payment_intent }),
    ...(customer !== undefined && { customer }),
    ...(subscription !== undefined && { subscription }),
  }
  return desk.list('checkout.session', filter, params)
}

/** What is bought: a field that a session has only when it is asked for. */
export async function lineItemsOf(desk: Desk, id: string): Promise<Stripe.ApiList<Stripe.LineItem>> {
  const session = await desk.get('checkout.session', id)
  const price = await desk.get('price', desk.notes(session).price ?? '')
  const amount = amountOf(price)
  const item: Stripe.LineItem = {
    id: `li_${session.id}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: await nameOf(desk, price),
    metadata: {},
    price,
    quantity: 1,
  }
  return listOfAll([item], `/v1/checkout/sessions/${session.id}/line_items`)
}
