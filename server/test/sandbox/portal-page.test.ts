import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type Stripe from 'stripe'
import { DAY, HOUR } from '../../src/model/time.ts'
import { onEveryEngine } from '../harness.ts'
import { PAGES_URL, SandboxRig } from './rig.ts'

onEveryEngine('customer portal', (engine) => {
  let rig: SandboxRig
  let customer: Stripe.Customer
  let portal: Stripe.BillingPortal.Session
  beforeEach(async () => {
    rig = await SandboxRig.open(engine)
    customer = await rig.customer()
    portal = await rig.stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://shop.example/?a=1&b="2"',
    })
  })
  afterEach(() => rig.close())
  const page = async () => (await rig.sandbox.portalPage(portal.id)).html
  const act = async (action: string, id: string) => {
    const outcome = await rig.sandbox.portalAction(portal.id, action, { id })
    assert.deepEqual(outcome, { location: portal.url })
  }

  test('the page exists for a day and links back', async () => {
    assert.equal(portal.url, `${PAGES_URL}/portal/${portal.id}`)
    assert.match(await page(), /no money moves[\s\S]*href="https:\/\/shop.example\/\?a=1&#38;b=&#34;2&#34;"/)
    await rig.pass(DAY - HOUR)
    assert.equal((await rig.sandbox.portalPage(portal.id)).isFound, true)
    await rig.pass(HOUR)
    assert.equal((await rig.sandbox.portalPage(portal.id)).isFound, false)
    const outcome = await rig.sandbox.portalAction(portal.id, 'card-declined', { id: customer.id })
    assert.ok('isFound' in outcome && !outcome.isFound)
  })

  test('the subscription can be canceled at the end of its period, and kept', async () => {
    const { id } = await rig.subscribe(await rig.price(4_900, true), customer)
    assert.match(await page(), /Renews on April 2, 2026/)
    await act('cancel', id)
    assert.equal((await rig.stripe.subscriptions.retrieve(id)).cancel_at_period_end, true)
    assert.match(await page(), /Ends on April 2, 2026/)
    await act('keep', id)
    assert.equal((await rig.stripe.subscriptions.retrieve(id)).cancel_at_period_end, false)
  })

  test('the card can be replaced by one that is declined, and back', async () => {
    await rig.subscribe(await rig.price(4_900, true), customer)
    await act('card-declined', customer.id)
    await rig.pass(32 * DAY)
    const [subscription] = (await rig.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data
    assert.equal(subscription?.status, 'past_due')
    portal = await rig.stripe.billingPortal.sessions.create({ customer: customer.id })
    assert.match(await page(), /The last payment failed/)
    await act('card-works', customer.id)
    assert.match(await page(), /The card works/)
  })

  test('payments can be refunded and disputed, and a refused action shows its reason', async () => {
    const [first, second] = [await rig.buy(900, customer), await rig.buy(1_900, customer)]
    await act('refund', first)
    assert.match(await page(), /Refunded \$9\.00/)
    const again = await rig.sandbox.portalAction(portal.id, 'refund', { id: first })
    assert.ok('html' in again && again.html.includes('has already been refunded'))
    const [refund] = (await rig.stripe.refunds.list({ payment_intent: first })).data
    await act('fail-refund', refund?.id ?? '')
    await act('dispute', second)
    const [dispute] = (await rig.stripe.disputes.list({ payment_intent: second })).data
    assert.match(await page(), /Dispute won[\s\S]*Dispute lost/)
    await act('dispute-lost', dispute?.id ?? '')
    assert.match(await page(), /Dispute lost\./)
    assert.equal((await rig.stripe.disputes.retrieve(dispute?.id ?? '')).status, 'lost')
  })

  test('objects of other customers and unknown actions are refused', async () => {
    const payment = await rig.buy(900)
    const subscription = await rig.subscribe(await rig.price(4_900, true))
    for (const [action, id] of [
      ['refund', payment],
      ['dispute', payment],
      ['cancel', subscription.id],
      ['card-declined', String(subscription.customer)],
      ['cancel', customer.id],
      ['cancel', ''],
      ['toString', customer.id],
    ] as const) {
      const outcome = await rig.sandbox.portalAction(portal.id, action, { id })
      assert.ok('html' in outcome, action)
    }
    assert.equal((await rig.stripe.refunds.list()).data.length, 0)
    assert.equal((await rig.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end, false)
  })
})
