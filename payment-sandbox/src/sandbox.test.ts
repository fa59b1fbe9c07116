import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import Stripe from 'stripe'
import { MemoryStorage, PaymentSandbox } from './sandbox.ts'

// The server tests the sandbox on its databases, case by case; these tests cover it with the storage in memory.

const DAY = 24 * 60 * 60 * 1_000
let now: number
let sandbox: PaymentSandbox
let stripe: Stripe

beforeEach(async () => {
  now = Date.parse('2026-01-31T12:00:00Z')
  sandbox = await PaymentSandbox.open({
    storage: new MemoryStorage(),
    clock: { now: () => now },
    secretKey: 'sk_test_1',
    webhookSecret: 'whsec_1',
    pagesUrl: () => 'http://shop.example/sandbox',
    webhookUrl: () => undefined,
    onError: (error) => assert.fail(String(error)),
  })
  stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port: sandbox.port, protocol: 'http' })
})
afterEach(() => sandbox.close())

async function subscribe(): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const price = await newPrice(4_900)
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://shop.example/done',
  })
  await sandbox.checkoutAction(session.id, 'pay', {})
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
  return subscription as Stripe.Subscription
}

const newPrice = (cents: number) =>
  stripe.prices.create({
    currency: 'usd',
    unit_amount: cents,
    recurring: { interval: 'month' },
    product_data: { name: `Plan for ${cents}` },
  })

test('a subscription renews when the clock moves, on the last day of a shorter month', async () => {
  const { id } = await subscribe()
  now += 28 * DAY
  const invoices = await Array.fromAsync(stripe.invoices.list({ subscription: id, limit: 1 }))
  assert.deepEqual(
    invoices.map(({ created, status }) => [new Date(created * 1_000).toISOString(), status]),
    [
      ['2026-02-28T12:00:00.000Z', 'paid'],
      ['2026-01-31T12:00:00.000Z', 'paid'],
    ],
  )
  const { data } = await stripe.events.list({ created: { gte: Math.floor(now / 1_000) }, types: ['invoice.paid'] })
  assert.equal(data.length, 1)
})

test('a declined change of the price is undone, and its response is repeated for its idempotency key', async () => {
  const { id, items, customer } = await subscribe()
  const events = (await stripe.events.list()).data.length
  await sandbox.setCard(String(customer), 'declined')
  const price = await newPrice(9_900)
  const upgrade = () =>
    stripe.subscriptions.update(
      id,
      {
        items: [{ id: items.data[0]?.id ?? '', price: price.id }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: 'upgrade-1', maxNetworkRetries: 0 },
    )
  await assert.rejects(upgrade(), { statusCode: 402, code: 'card_declined' })
  await sandbox.setCard(String(customer), 'works')
  await assert.rejects(upgrade(), { statusCode: 402, code: 'card_declined' })
  assert.equal((await stripe.subscriptions.retrieve(id)).items.data[0]?.price.unit_amount, 4_900)
  assert.equal((await stripe.events.list()).data.length, events)
})
