import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type Stripe from 'stripe'
import { DAY, HOUR, MINUTE } from '../../src/model/time.ts'
import { onEveryEngine } from '../harness.ts'
import { CANCEL_URL, PAGES_URL, SandboxRig } from './rig.ts'

onEveryEngine('checkout of a one-time price', (engine) => {
  let rig: SandboxRig
  beforeEach(async () => {
    rig = await SandboxRig.open(engine)
  })
  afterEach(() => rig.close())
  const act = (session: Stripe.Checkout.Session, action: string, fields = {}) =>
    rig.sandbox.checkoutAction(session.id, action, fields)
  const retrieve = (session: Stripe.Checkout.Session) =>
    rig.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge', 'line_items'] })

  test('a new session is open and unpaid, has a page and expires after 24 hours', async () => {
    const session = await rig.session(await rig.price(8_000))
    assert.equal(session.status, 'open')
    assert.equal(session.payment_status, 'unpaid')
    assert.equal(session.payment_intent, null)
    assert.equal(session.amount_total, 8_000)
    assert.equal(session.client_reference_id, 'order 1')
    assert.equal(session.url, `${PAGES_URL}/checkout/${session.id}`)
    assert.equal(session.expires_at, rig.nowSeconds + DAY / 1_000)
    const page = await rig.sandbox.checkoutPage(session.id)
    assert.ok(page.isFound && page.html.includes('Goods for 8000') && page.html.includes('$80.00'))
  })

  test('paying completes the session, creates a payment and sends an event', async () => {
    const session = await rig.session(await rig.price(8_000))
    const location = `https://shop.example/done?session=${session.id}`
    assert.deepEqual(await act(session, 'pay'), { location })
    const paid = await retrieve(session)
    assert.deepEqual([paid.status, paid.payment_status, paid.url], ['complete', 'paid', null])
    const payment = paid.payment_intent as Stripe.PaymentIntent
    assert.deepEqual(
      [payment.status, payment.amount_received, payment.metadata],
      ['succeeded', 8_000, { of: 'payment' }],
    )
    assert.equal((payment.latest_charge as Stripe.Charge).amount, 8_000)
    assert.equal(paid.line_items?.data[0]?.description, 'Goods for 8000')
    await rig.sandbox.run()
    assert.deepEqual(
      rig.listener.events.map((event) => event.type),
      ['checkout.session.completed'],
    )
    const [event] = rig.listener.events
    assert.ok(event?.type === 'checkout.session.completed')
    assert.deepEqual([event.data.object.id, event.data.object.payment_status], [session.id, 'paid'])
    assert.deepEqual(
      (await rig.stripe.checkout.sessions.list({ payment_intent: payment.id })).data.map(({ id }) => id),
      [session.id],
    )
  })

  test('concurrent clicks pay once', async () => {
    const session = await rig.session(await rig.price(8_000))
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => act(session, 'pay')))
    assert.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 1)
    assert.deepEqual(await rig.eventTypes(), ['checkout.session.completed'])
    const rows = await rig.db.query("select id from sandbox_objects where kind in ('payment_intent', 'charge')")
    assert.equal(rows.length, 2)
  })

  test('a declined card or a cancellation leaves the session open', async () => {
    const session = await rig.session(await rig.price(8_000))
    const outcome = await act(session, 'decline')
    assert.ok('html' in outcome && outcome.html.includes('Your card was declined'))
    assert.deepEqual(await act(session, 'cancel'), { location: CANCEL_URL })
    assert.equal((await retrieve(session)).status, 'open')
    assert.deepEqual(await rig.eventTypes(), [])
  })

  for (const transfer of ['arrives', 'fails'] as const) {
    test(`a transfer that ${transfer} is reported minutes after the order`, async () => {
      const session = await rig.session(await rig.price(8_000))
      await act(session, 'pay-later', { transfer })
      const ordered = await retrieve(session)
      assert.deepEqual([ordered.status, ordered.payment_status], ['complete', 'unpaid'])
      await rig.pass(4 * MINUTE)
      assert.deepEqual(await rig.eventTypes(), ['checkout.session.completed'])
      await rig.pass(2 * HOUR)
      const settled = await retrieve(session)
      const isPaid = transfer === 'arrives'
      assert.equal(settled.payment_status, isPaid ? 'paid' : 'unpaid')
      assert.equal((settled.payment_intent as Stripe.PaymentIntent).amount_received, isPaid ? 8_000 : 0)
      const told = isPaid ? 'checkout.session.async_payment_succeeded' : 'checkout.session.async_payment_failed'
      assert.deepEqual(await rig.eventTypes(), ['checkout.session.completed', told])
      const [event] = (await rig.stripe.events.list({ types: [told] })).data
      assert.equal(event?.created, ordered.created + 300)
    })
  }

  test('an unpaid session expires and cannot be paid afterwards', async () => {
    const session = await rig.session(await rig.price(8_000))
    await rig.pass(DAY - 1_000)
    assert.equal((await retrieve(session)).status, 'open')
    await rig.pass(1_000)
    const outcome = await act(session, 'pay')
    assert.ok('html' in outcome && outcome.html.includes('has expired'))
    assert.deepEqual(await rig.eventTypes(), ['checkout.session.expired'])
    await assert.rejects(rig.stripe.checkout.sessions.expire(session.id), /can be expired/)
  })

  test('a session can be expired once', async () => {
    const session = await rig.session(await rig.price(8_000))
    const expired = await rig.stripe.checkout.sessions.expire(session.id)
    assert.deepEqual([expired.status, expired.url], ['expired', null])
    await assert.rejects(rig.stripe.checkout.sessions.expire(session.id), { statusCode: 400 })
    await rig.pass(2 * DAY)
    assert.deepEqual(await rig.eventTypes(), ['checkout.session.expired'])
  })

  test('an unknown session or action is not found', async () => {
    assert.equal((await rig.sandbox.checkoutPage('cs_sandbox_<b>')).isFound, false)
    const session = await rig.session(await rig.price(8_000))
    const outcome = await act(session, 'steal')
    assert.ok('isFound' in outcome && !outcome.isFound)
  })
})
