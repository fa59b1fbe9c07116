/** Subscription months that renew, fail to be paid, or end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '../../src/model/time.ts'
import { PLANS } from '../../src/plans/plans.ts'
import { Buyer, backOffice, pass } from '../buyer.ts'
import { assertError, assertOk } from '../envelope.ts'
import { FakeClock, onEveryEngine } from '../harness.ts'
import { openShop, shopForSuite } from '../shop.ts'

const GRACE_DAYS = 7

onEveryEngine('renewals', (engine) => {
  const service = shopForSuite(engine)

  test('keys beyond what Free allows rest, the oldest stay, and all are back with the plan', async () => {
    const buyer = await Buyer.open(service())
    await buyer.subscribe('starter')
    const keys = [buyer.key]
    while (keys.length < PLANS.starter.maxApiKeys) {
      service().clock.advance(MINUTE)
      keys.push((await buyer.post('/account/api-keys', { name: `key ${keys.length}` })).body.data.apiKey)
    }
    const statuses = () => Promise.all(keys.map(async (key) => (await service().api('/stats', key)).status))
    const listed = async () => {
      const records: { isActive: boolean; inactiveReason?: string }[] = await buyer.get('/account/api-keys')
      return records.map(({ isActive, inactiveReason }) => [isActive, inactiveReason])
    }
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200])
    assertOk(await buyer.cancel())
    await buyer.passPeriod()
    assert.deepEqual(await statuses(), [200, 200, 401, 401, 401])
    const resting = [false, 'plan_limit']
    assert.deepEqual(await listed(), [[true, undefined], [true, undefined], resting, resting, resting])
    assertError(await buyer.post('/account/api-keys', { name: 'more' }), 403, 'FORBIDDEN')
    assert.deepEqual((await buyer.get('/account')).apiKeys, { active: 2, max: 2 })
    await buyer.subscribe('professional')
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200])
    assert.ok((await listed()).every(([isActive, reason]) => isActive && reason === undefined))
  })

  test('after a failed renewal the plan stays for a week and is gone then', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('starter', 'fail')
    const { currentPeriodEnd } = await buyer.subscription()
    await buyer.passPeriod()
    assert.equal((await buyer.subscription()).status, 'past_due')
    assertOk(await buyer.call('/sec/insider-trades'))
    assertError(await buyer.change('professional'), 400, 'BAD_REQUEST')
    assertError(await buyer.post('/billing/subscription', { planSlug: 'starter' }), 400, 'BAD_REQUEST')
    assert.equal((await buyer.history('&type=subscription')).length, 1)
    await pass(service(), Date.parse(currentPeriodEnd) + GRACE_DAYS * DAY - service().clock.now() - MINUTE)
    assertOk(await buyer.call('/sec/insider-trades'))
    await pass(service(), 2 * MINUTE)
    assertError(await buyer.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal((await buyer.subscription()).status, 'canceled')
    await buyer.press('card-works')
    await pass(service(), 30 * DAY)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.keptCents(), 2_900)
    await buyer.subscribe('professional')
    assert.equal(await buyer.planSlug(), 'professional')
  })

  test('a card that is mended in time goes on, and the credits of the month come once', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('starter', 'fail')
    assertOk(await buyer.call('/sec/insider-trades'))
    await buyer.passPeriod()
    assert.equal((await buyer.subscription()).status, 'past_due')
    await buyer.press('card-works')
    for (let days = 0; days < GRACE_DAYS + 1; days += 1) await pass(service(), DAY)
    assert.equal((await buyer.subscription()).status, 'active')
    assert.equal(await buyer.planSlug(), 'starter')
    assert.equal(await buyer.balance(), 1_000)
    assert.equal((await buyer.history('&type=subscription')).length, 2)
    assert.equal(await buyer.keptCents(), 2 * 2_900)
  })

  test('cancelling is possible while a payment has failed', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('starter', 'fail')
    await buyer.passPeriod()
    assertOk(await buyer.cancel())
    for (let days = 0; days < 9; days += 1) await pass(service(), DAY)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.keptCents(), 2_900)
  })

  test('a plan whose first transfer fails was never in force, and another can be bought', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    const { sessionId } = await buyer.begin('starter')
    await buyer.act(sessionId, 'pay-later', { transfer: 'fails' })
    assert.equal((await buyer.comeBack(sessionId)).title, 'Your payment is on its way')
    assert.equal(await buyer.planSlug(), 'free')
    assertError(await buyer.post('/billing/subscription', { planSlug: 'starter' }), 400, 'BAD_REQUEST')
    await buyer.press('card-declined')
    await pass(service(), 6 * MINUTE)
    assertError(await buyer.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    await pass(service(), 2 * HOUR)
    assert.equal((await buyer.subscription()).status, 'canceled')
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.balance(), 0)
    assert.equal(await buyer.keptCents(), 0)
    await buyer.subscribe('professional')
    assert.equal(await buyer.planSlug(), 'professional')
  })

  test('a plan that is paid by a transfer is in force, with its credits, when that arrives', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    const { sessionId } = await buyer.begin('starter')
    await buyer.act(sessionId, 'pay-later', { transfer: 'arrives' })
    await buyer.comeBack(sessionId)
    assert.deepEqual([await buyer.planSlug(), await buyer.balance()], ['free', 0])
    assert.equal((await buyer.subscription()).status, 'incomplete')
    assertError(await buyer.change('professional'), 400, 'BAD_REQUEST')
    assertError(await buyer.cancel(), 400, 'BAD_REQUEST')
    await pass(service(), 6 * MINUTE)
    assert.deepEqual([await buyer.planSlug(), await buyer.balance()], ['starter', 1_000])
    assert.equal((await buyer.comeBack(sessionId)).title, 'Thank you')
    assert.equal(await buyer.keptCents(), 2_900)
  })

  test('a change in the last minutes brings the difference, and it is gone with the plan', async () => {
    const buyer = await Buyer.open(service(), 'free', 7)
    await buyer.subscribe('starter')
    const { currentPeriodEnd } = await buyer.subscription()
    await pass(service(), Date.parse(currentPeriodEnd) - service().clock.now() - 5 * MINUTE)
    assert.equal((await buyer.changed('enterprise')).change.credits, 24_000)
    assert.equal(await buyer.balance(), 25_007)
    assertOk(await buyer.cancel())
    await pass(service(), 6 * MINUTE)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.balance(), 7)
  })

  test('credits of a month whose plan was ended in the middle of it expire with the month', async () => {
    const buyer = await Buyer.open(service(), 'free', 7)
    await buyer.subscribe('starter')
    await pass(service(), 10 * DAY)
    await backOffice(service()).subscriptions.cancel((await buyer.subscription()).id)
    await pass(service(), MINUTE)
    assert.deepEqual([await buyer.planSlug(), await buyer.balance()], ['free', 1_007])
    await pass(service(), 25 * DAY)
    await service().mintick.grants.run()
    assert.equal(await buyer.balance(), 7)
  })

  test('months that begin on the 31st end on the last day of shorter ones', async (context) => {
    const shop = await openShop(context, engine, new FakeClock('2027-12-31T23:59:30.500Z'))
    const buyer = await Buyer.open(shop, 'free', 7)
    await buyer.subscribe('starter')
    const ends = ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31', '2028-06-30']
    for (const [month, end] of ends.entries()) {
      const { currentPeriodEnd, status } = await buyer.subscription()
      assert.equal(status, 'active')
      assert.equal(currentPeriodEnd, `${end}T23:59:30.000Z`)
      assert.equal(await buyer.balance(), 1_007)
      assert.equal((await buyer.history('&type=subscription')).length, month + 1)
      await buyer.call('/sec/insider-trades')
      await buyer.passPeriod()
    }
    assert.equal(await buyer.keptCents(), 7 * 2_900)
    assert.equal((await buyer.history('&type=grant')).length, 1)
  })

  test('a service that was away for months comes to the same', async (context) => {
    const shop = await openShop(context, engine, new FakeClock('2027-01-31T10:00:00.000Z'))
    const buyer = await Buyer.open(shop, 'free', 7)
    await buyer.subscribe('professional')
    await pass(shop, MINUTE)
    await pass(shop, 100 * DAY)
    await pass(shop, MINUTE)
    await shop.mintick.grants.run()
    assert.equal((await buyer.subscription()).currentPeriodEnd, '2027-05-31T10:00:00.000Z')
    assert.equal((await buyer.history('&type=subscription')).length, 4)
    assert.equal(await buyer.balance(), 5_007)
    assert.equal(await buyer.keptCents(), 4 * 9_900)
  })

  test('an account that the operator put on a plan falls to Free after a subscription of its own', async () => {
    const buyer = await Buyer.open(service(), 'professional', 10)
    await buyer.subscribe('starter')
    assert.equal(await buyer.planSlug(), 'starter')
    assertOk(await buyer.cancel())
    await buyer.passPeriod()
    assert.equal(await buyer.planSlug(), 'free')
  })
})
