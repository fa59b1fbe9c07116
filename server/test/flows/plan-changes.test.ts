/** Changing and cancelling plans: immediate effects, effects at the end of the period, and prices. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '../../src/model/time.ts'
import { PLANS, type PlanSlug } from '../../src/plans/plans.ts'
import { Buyer, pass, visit } from '../buyer.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, type Reply } from '../harness.ts'
import { openShop, shopForSuite } from '../shop.ts'

/** Returns the burst limit of the plan in force. */
const quota = (reply: Reply) => /q=(\d+)/.exec(reply.headers['ratelimit-policy'] ?? '')?.[1]

onEveryEngine('changes of plan', (engine) => {
  const service = shopForSuite(engine)

  test('a preview says what a change would mean and changes nothing', async () => {
    const buyer = await Buyer.open(service())
    await buyer.subscribe('professional')
    await pass(service(), 10 * DAY)
    const before = await buyer.subscription()
    const { change: up, ...subscription } = await buyer.changed('enterprise', true)
    assert.deepEqual(subscription, before)
    assert.deepEqual(Object.keys(up), ['planSlug', 'isPreview', 'effectiveAt', 'amountDueUsd', 'credits'])
    assert.partialDeepStrictEqual(up, {
      planSlug: 'enterprise',
      isPreview: true,
      effectiveAt: isoTime(service().clock.now()),
      credits: 20_000,
    })
    assert.ok(up.amountDueUsd > 0 && up.amountDueUsd < 400, `${up.amountDueUsd}`)
    assert.deepEqual((await buyer.changed('starter', true)).change, {
      planSlug: 'starter',
      isPreview: true,
      effectiveAt: before.currentPeriodEnd,
      amountDueUsd: 0,
      credits: 0,
    })
    assertError(await buyer.change('professional', true), 400, 'BAD_REQUEST')
    assert.deepEqual(await buyer.subscription(), before)
    assert.equal(await buyer.planSlug(), 'professional')
    assert.equal(await buyer.keptCents(), 9_900)
  })

  test('a dearer plan is in force at once, for what the preview said, with the difference of the credits', async () => {
    for (const [from, to, days] of [
      ['starter', 'professional', 0],
      ['starter', 'enterprise', 3],
      ['professional', 'enterprise', 27],
    ] as const) {
      const buyer = await Buyer.open(service(), 'free', 0)
      await buyer.subscribe(from)
      await pass(service(), days * DAY)
      const { currentPeriodStart, currentPeriodEnd } = await buyer.subscription()
      const { change: preview } = await buyer.changed(to, true)
      const { change: done, ...subscription } = await buyer.changed(to)
      assert.deepEqual(done, { ...preview, isPreview: false })
      assert.partialDeepStrictEqual(subscription, { planSlug: to, status: 'active', currentPeriodEnd })
      assert.equal(await buyer.planSlug(), to)
      assert.equal(quota(await buyer.call('/stats')), String(PLANS[to].burst))
      assert.equal(done.credits, PLANS[to].monthlyCredits - PLANS[from].monthlyCredits)
      assert.equal(await buyer.balance(), PLANS[to].monthlyCredits)
      const [record] = await buyer.history()
      assert.partialDeepStrictEqual(record, { type: 'subscription', planSlug: to, amountUsd: done.amountDueUsd })
      // The price is prorated to the rest of the period, to the cent.
      const rest = Date.parse(currentPeriodEnd) - Math.floor(service().clock.now() / SECOND) * SECOND
      const share = rest / (Date.parse(currentPeriodEnd) - Date.parse(currentPeriodStart))
      const expected = (PLANS[to].priceUsd - PLANS[from].priceUsd) * share
      assert.ok(Math.abs(done.amountDueUsd - expected) <= 0.01, `${done.amountDueUsd} instead of ${expected}`)
      // The next month is a full month of the new plan.
      await buyer.passPeriod()
      assert.equal(await buyer.balance(), PLANS[to].monthlyCredits)
      assert.equal((await buyer.history('&type=subscription'))[0]?.amountUsd, PLANS[to].priceUsd)
    }
  })

  test('real-time access comes with the plan, for as many connections as it has', async (context) => {
    const shop = await openShop(context, engine)
    const url = await shop.listen()
    const buyer = await Buyer.open(shop)
    const stream = async () => {
      const response = await fetch(`${url}/signals/stream`, { headers: { authorization: `Bearer ${buyer.key}` } })
      context.after(() => response.body?.cancel())
      return response.status
    }
    assert.equal(await stream(), 403)
    await buyer.subscribe('starter')
    assert.deepEqual([await stream(), await stream()], [200, 429])
    assert.deepEqual((await buyer.get('/account')).realtimeConnections, { open: 1, max: 1 })
    await buyer.changed('professional')
    assert.equal(await stream(), 200)
    assert.deepEqual((await buyer.get('/account')).realtimeConnections, { open: 2, max: 5 })
  })

  test('a dearer plan that is declined leaves everything as it was', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('professional')
    await buyer.changed('starter')
    await buyer.press('card-declined')
    const before = await buyer.subscription()
    assert.equal(before.pendingPlanSlug, 'starter')
    const refused = await buyer.change('enterprise')
    assertError(refused, 400, 'BAD_REQUEST')
    assert.match(refused.body.error.message, /declined/)
    assert.deepEqual(await buyer.subscription(), before)
    assert.equal(await buyer.planSlug(), 'professional')
    assert.equal(await buyer.balance(), 5_000)
    assert.equal(await buyer.keptCents(), 9_900)
    await buyer.press('card-works')
    assertOk(await buyer.change('enterprise'))
    assert.partialDeepStrictEqual(await buyer.subscription(), { planSlug: 'enterprise', pendingPlanSlug: null })
    assert.equal(await buyer.balance(), 25_000)
  })

  test('a cheaper plan is pending until the period ends, and then in force', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('enterprise')
    await pass(service(), 5 * DAY)
    const { currentPeriodEnd } = await buyer.subscription()
    const { change: done, ...subscription } = await buyer.changed('starter')
    assert.partialDeepStrictEqual(subscription, {
      planSlug: 'enterprise',
      pendingPlanSlug: 'starter',
      currentPeriodEnd,
    })
    assert.deepEqual(done, {
      planSlug: 'starter',
      isPreview: false,
      effectiveAt: currentPeriodEnd,
      amountDueUsd: 0,
      credits: 0,
    })
    assert.deepEqual((await buyer.changed('professional')).pendingPlanSlug, 'professional')
    assert.deepEqual((await buyer.changed('starter')).pendingPlanSlug, 'starter')
    await pass(service(), Date.parse(currentPeriodEnd) - service().clock.now() - HOUR)
    assert.equal(await buyer.planSlug(), 'enterprise')
    assert.equal(await buyer.balance(), 25_000)
    await buyer.passPeriod()
    assert.equal(await buyer.planSlug(), 'starter')
    assert.partialDeepStrictEqual(await buyer.subscription(), {
      planSlug: 'starter',
      status: 'active',
      pendingPlanSlug: null,
      currentPeriodStart: currentPeriodEnd,
    })
    assert.equal(await buyer.balance(), 1_000)
    assert.equal(await buyer.keptCents(), 49_900 + 2_900)
    await buyer.passPeriod()
    await buyer.passPeriod()
    assert.equal(await buyer.planSlug(), 'starter')
    assert.equal(await buyer.keptCents(), 49_900 + 3 * 2_900)
  })

  test('the plan of the subscription takes a pending change back, and is 400 when there is none', async () => {
    const buyer = await Buyer.open(service())
    await buyer.subscribe('enterprise')
    assertError(await buyer.change('enterprise'), 400, 'BAD_REQUEST')
    assert.deepEqual(fieldsOf(await buyer.change('enterprise')), ['planSlug'])
    await buyer.changed('starter')
    const { change: back, pendingPlanSlug } = await buyer.changed('enterprise')
    assert.deepEqual([pendingPlanSlug, back.amountDueUsd, back.credits], [null, 0, 0])
    assertError(await buyer.change('enterprise'), 400, 'BAD_REQUEST')
    await buyer.passPeriod()
    assert.equal(await buyer.planSlug(), 'enterprise')
  })

  test('cancelling keeps the plan until the period ends, may be said twice and taken back', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('starter')
    const before = await buyer.subscription()
    for (let count = 0; count < 2; count += 1) {
      const reply = await buyer.cancel()
      assertOk(reply)
      assert.deepEqual(reply.body.data, { ...before, cancelAtPeriodEnd: true })
    }
    assert.equal(await buyer.planSlug(), 'starter')
    assert.equal((await buyer.changed('starter')).cancelAtPeriodEnd, false)
    await buyer.passPeriod()
    assert.equal(await buyer.planSlug(), 'starter')

    assertOk(await buyer.cancel())
    const { currentPeriodEnd } = await buyer.subscription()
    await pass(service(), Date.parse(currentPeriodEnd) - service().clock.now() - MINUTE)
    assertOk(await buyer.call('/sec/insider-trades'))
    await pass(service(), 2 * MINUTE)
    assertError(await buyer.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal((await buyer.subscription()).status, 'canceled')
    assertError(await buyer.cancel(), 404, 'NOT_FOUND')
    assertError(await buyer.change('starter'), 404, 'NOT_FOUND')
    assert.equal(await buyer.keptCents(), 2 * 2_900)
    await pass(service(), 40 * DAY)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.keptCents(), 2 * 2_900)
  })

  test('cancelling takes a pending change with it, and a change takes the cancellation back', async () => {
    const buyer = await Buyer.open(service())
    await buyer.subscribe('enterprise')
    await buyer.changed('starter')
    assert.partialDeepStrictEqual((await buyer.cancel()).body.data, { cancelAtPeriodEnd: true, pendingPlanSlug: null })
    assert.partialDeepStrictEqual(await buyer.changed('professional'), {
      cancelAtPeriodEnd: false,
      pendingPlanSlug: 'professional',
    })
    assertOk(await buyer.cancel())
    await buyer.passPeriod()
    assert.equal(await buyer.planSlug(), 'free')

    const other = await Buyer.open(service())
    await other.subscribe('starter')
    assertOk(await other.cancel())
    assert.partialDeepStrictEqual(await other.changed('professional'), {
      planSlug: 'professional',
      cancelAtPeriodEnd: false,
    })
    await other.passPeriod()
    assert.equal(await other.planSlug(), 'professional')
  })

  test('the same change asked for several times at once is paid once', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('starter')
    const { amountDueUsd } = (await buyer.changed('professional', true)).change
    for (const reply of await Promise.all(Array.from({ length: 4 }, () => buyer.change('professional')))) {
      if (reply.status === 200) assert.equal(reply.body.data.planSlug, 'professional')
      else assertError(reply, 400, 'BAD_REQUEST')
    }
    await pass(service(), MINUTE)
    assert.equal(await buyer.planSlug(), 'professional')
    assert.equal(await buyer.balance(), 5_000)
    assert.equal(await buyer.keptCents(), 2_900 + Math.round(amountDueUsd * 100))
  })

  test('whatever is asked for at the same moment, one plan is in force and paid for', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    await buyer.subscribe('professional')
    const replies = await Promise.all([
      buyer.change('enterprise'),
      buyer.change('starter'),
      buyer.cancel(),
      buyer.change('enterprise'),
      buyer.change('professional'),
    ])
    for (const { status, body } of replies) assert.ok(status === 200 || status === 400, JSON.stringify(body))
    await pass(service(), MINUTE)
    const { planSlug } = await buyer.subscription()
    assert.equal(await buyer.planSlug(), planSlug)
    assert.equal(await buyer.balance(), PLANS[planSlug as PlanSlug].monthlyCredits)
    assert.ok((await buyer.history('&type=subscription')).length <= 2)
    assertOk(await buyer.cancel())
    await buyer.passPeriod()
    assert.equal(await buyer.planSlug(), 'free')
  })

  test('the portal says what follows, and cancels that as well', async () => {
    const buyer = await Buyer.open(service())
    await buyer.subscribe('enterprise')
    const portal = async () => (await visit(service(), await buyer.portalPath())).texts.join(' ')
    assert.match(await portal(), /Enterprise plan.*Renews on \w+ \d+, \d+\./s)
    await buyer.changed('starter')
    assert.match(await portal(), /Enterprise plan.*Renews on .* as Starter plan\./s)
    await buyer.press('cancel')
    assert.match(await portal(), /Ends on /)
    await pass(service(), MINUTE)
    assert.partialDeepStrictEqual(await buyer.subscription(), { cancelAtPeriodEnd: true, pendingPlanSlug: null })
    await buyer.press('keep')
    await pass(service(), MINUTE)
    assert.equal((await buyer.subscription()).cancelAtPeriodEnd, false)
  })
})
