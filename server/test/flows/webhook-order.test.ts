/** Webhooks of the payment processor over HTTP: in any order, repeated, and with invalid signatures. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, test } from 'node:test'
import type Stripe from 'stripe'
import { STRIPE_EVENTS } from '../../src/billing/stripe/events.ts'
import { SECOND } from '../../src/model/time.ts'
import { PACKS } from '../../src/plans/packs.ts'
import { dice } from '../dice.ts'
import { onEveryEngine, type Reply, serviceForSuite } from '../harness.ts'
import { creditsByKind } from '../lots.ts'
import { shuffled } from '../money/orders-of.ts'
import { clientOf, signPayload } from '../sandbox/rig.ts'

const ROUNDS = 6

onEveryEngine('events over HTTP', (engine) => {
  const service = serviceForSuite(engine)
  let stripe: Stripe
  before(async () => {
    assert.ok(service.mintick.sandbox !== undefined)
    stripe = clientOf(service.mintick.sandbox, `sk_sandbox_${secret('sandbox')}`)
  })

  const secret = (of: string) => createHmac('sha256', service.mintick.pepper).update(of).digest('hex')
  const post = (body: string, signed: string): Promise<Reply> =>
    service.call('/webhooks/stripe', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'stripe-signature': signed },
    })
  const send = (event: Stripe.Event, key = `whsec_${secret('sandbox webhook')}`) => {
    const body = JSON.stringify(event)
    return post(body, signPayload(body, key, Math.floor(service.clock.now() / SECOND)))
  }

  /** Subscribes, buys a pack and refunds half of it, without delivering events. Returns the events. */
  const play = async (id: string): Promise<Stripe.Event[]> => {
    const { billing, sandbox, store } = service.mintick
    const account = async () => (await store.accounts.find(id)) ?? assert.fail()
    const [pack] = PACKS
    assert.ok(billing !== undefined && sandbox !== undefined && pack !== undefined)
    const known = new Set((await Array.fromAsync(stripe.events.list({ limit: 100 }))).map((event) => event.id))
    const plan = await billing.orders.subscribe(await account(), 'starter')
    await sandbox.checkoutAction(plan.sessionId, 'pay', {})
    const order = await billing.orders.buyPack(await account(), pack)
    await sandbox.checkoutAction(order.sessionId, 'pay', {})
    const { payment_intent } = await stripe.checkout.sessions.retrieve(order.sessionId)
    await stripe.refunds.create({ payment_intent: String(payment_intent), amount: 500 })
    const events = await Array.fromAsync(stripe.events.list({ limit: 100 }))
    return events.filter(({ id: event, type }) => !known.has(event) && Object.hasOwn(STRIPE_EVENTS, type))
  }

  test('in any order and repeated, they bring what was paid for, once', async () => {
    const roll = dice(5)
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await service.open('free')
      const events = await play(id)
      for (const event of shuffled(events, roll, 3)) {
        const { status, body } = await send(event)
        assert.deepEqual([status, body.data], [200, { isReceived: true }])
      }
      const { monthly, signup, pack } = await creditsByKind(service.mintick.store, id)
      assert.deepEqual({ monthly, signup, pack }, { monthly: 1_000, signup: 100, pack: 500 })
      assert.equal((await service.mintick.store.accounts.find(id))?.planSlug, 'starter')
    }
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })

  test('what is signed by somebody else is refused', async () => {
    const { id } = await service.open('free')
    for (const event of await play(id)) assert.equal((await send(event, 'whsec_other')).status, 400)
  })
})
