/** Subscribing to a plan: permissions, payment and the plan in force afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '../../src/model/time.ts'
import { PAID_PLAN_SLUGS, PLAN_SLUGS, PLANS, type PlanSlug } from '../../src/plans/plans.ts'
import { Buyer, pass, visit } from '../buyer.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, type Reply } from '../harness.ts'
import { openInstances, openShop, shopForSuite } from '../shop.ts'

const FIELDS = [
  'id',
  'planSlug',
  'status',
  'currentPeriodStart',
  'currentPeriodEnd',
  'cancelAtPeriodEnd',
  'pendingPlanSlug',
  'createdAt',
]
/** Rounds down to a whole second, the precision of subscriptions. */
const wholeSecond = (ms: number) => isoTime(Math.floor(ms / SECOND) * SECOND)

/** Returns the burst limit of the plan in force. */
const quota = (reply: Reply) => /q=(\d+)/.exec(reply.headers['ratelimit-policy'] ?? '')?.[1]

onEveryEngine('subscriptions', (engine) => {
  const service = shopForSuite(engine)
  const payable = async (checkoutUrl: string, shop = service()) =>
    (await visit(shop, new URL(checkoutUrl).pathname)).title === 'Checkout'

  test('a plan is in force on the request after the payment, with its credits', async () => {
    for (const slug of PAID_PLAN_SLUGS) {
      const buyer = await Buyer.open(service(), 'free')
      const before = await buyer.call('/sec/insider-trades')
      assertError(before, 403, 'FORBIDDEN')
      assert.equal(quota(before), String(PLANS.free.burst))
      const { sessionId } = await buyer.begin(slug)
      await buyer.pay(sessionId)
      const page = await buyer.comeBack(sessionId)
      assert.match(page.texts.join(), new RegExp(`The ${PLANS[slug].name} plan is paid`))
      const reply = await buyer.call('/sec/insider-trades')
      assertOk(reply)
      assert.equal(reply.body.meta.plan, slug)
      assert.equal(quota(reply), String(PLANS[slug].burst))
      assert.equal(await buyer.balance(), 100 + (PLANS[slug].monthlyCredits ?? 0) - 2)
      assert.partialDeepStrictEqual((await buyer.get('/account')).plan, PLANS[slug])
      const [usage, month] = await buyer.history()
      assert.equal(usage?.type, 'usage')
      assert.partialDeepStrictEqual(month, {
        type: 'subscription',
        description: `Month of the ${PLANS[slug].name} plan`,
        credits: PLANS[slug].monthlyCredits,
        amountUsd: PLANS[slug].priceUsd,
        planSlug: slug,
        packageId: null,
      })
    }
  })

  test('whoever pays and never comes back has the plan, by messages and by sweeps', async (context) => {
    for (const isListening of [true, false]) {
      const shop = await openShop(context, engine)
      if (isListening) await shop.listen()
      const buyer = await Buyer.open(shop, 'free')
      const { sessionId } = await buyer.begin('starter')
      await buyer.pay(sessionId)
      if (isListening) await shop.mintick.sandbox?.run()
      else await pass(shop, MINUTE)
      assertOk(await buyer.call('/sec/insider-trades'))
      await pass(shop, MINUTE)
      await buyer.comeBack(sessionId)
      assert.equal(await buyer.balance(), 1_098)
    }
  })

  test('the subscription is 404 before there is one, and then has exactly its fields', async () => {
    const buyer = await Buyer.open(service())
    assertError(await buyer.call('/billing/subscription'), 404, 'NOT_FOUND')
    assertError(await service().api('/billing/subscription', DEMO_KEY), 404, 'NOT_FOUND')
    await buyer.begin('starter')
    assertError(await buyer.call('/billing/subscription'), 404, 'NOT_FOUND')
    await buyer.subscribe('starter')
    const reply = await buyer.call('/billing/subscription')
    assertOk(reply)
    assert.deepEqual(Object.keys(reply.body.data), FIELDS)
    const start = wholeSecond(service().clock.now())
    const { id, currentPeriodEnd, ...rest } = reply.body.data
    assert.match(id, /^sub_/)
    assert.deepEqual(rest, {
      planSlug: 'starter',
      status: 'active',
      currentPeriodStart: start,
      cancelAtPeriodEnd: false,
      pendingPlanSlug: null,
      createdAt: start,
    })
    const days = (Date.parse(currentPeriodEnd) - Date.parse(start)) / DAY
    assert.ok(days >= 28 && days <= 31, currentPeriodEnd)
    assert.equal((await buyer.get('/account')).credits.periodEnd, currentPeriodEnd)
  })

  test('a plan that cannot be bought, or none, answers 400 naming the field', async () => {
    const buyer = await Buyer.open(service(), 'professional')
    for (const path of ['/billing/subscription', '/billing/subscription/change']) {
      for (const planSlug of ['free', 'custom', 'demo', 'Starter', '', 1, null, undefined, ['starter']]) {
        const reply = await buyer.post(path, { planSlug })
        assertError(reply, 400, 'BAD_REQUEST')
        assert.deepEqual(fieldsOf(reply), ['planSlug'])
      }
      assertError(await buyer.post(path), 400, 'BAD_REQUEST')
      const demo = { method: 'POST', body: { planSlug: 'starter' } }
      assertError(await service().api(path, DEMO_KEY, demo), 403, 'FORBIDDEN')
      assertError(await service().api(path, undefined, demo), 401, 'UNAUTHORIZED')
    }
    for (const preview of ['yes', 1, null]) {
      const reply = await buyer.post('/billing/subscription/change', { planSlug: 'starter', preview })
      assert.deepEqual(fieldsOf(reply), ['preview'])
    }
  })

  test('without a subscription there is nothing to change or to cancel', async () => {
    for (const plan of ['free', 'enterprise'] as const) {
      const buyer = await Buyer.open(service(), plan)
      assertError(await buyer.change('professional'), 404, 'NOT_FOUND')
      assertError(await buyer.change('professional', true), 404, 'NOT_FOUND')
      assertError(await buyer.cancel(), 404, 'NOT_FOUND')
      assert.equal(await buyer.planSlug(), plan)
    }
  })

  test('a second subscription is refused, whichever plan', async () => {
    const buyer = await Buyer.open(service())
    await buyer.subscribe('professional')
    for (const planSlug of PAID_PLAN_SLUGS) {
      assertError(await buyer.post('/billing/subscription', { planSlug }), 400, 'BAD_REQUEST')
    }
    assert.equal(await buyer.planSlug(), 'professional')
  })

  test('an open checkout of the same plan is answered again, another plan closes it', async () => {
    const buyer = await Buyer.open(service())
    const first = await buyer.begin('starter')
    assert.deepEqual(await buyer.begin('starter'), first)
    const second = await buyer.begin('professional')
    assert.notEqual(second.sessionId, first.sessionId)
    assert.deepEqual([await payable(first.checkoutUrl), await payable(second.checkoutUrl)], [false, true])
    assert.equal((await buyer.act(first.sessionId, 'pay')).status, 200)
    assert.equal((await buyer.comeBack(first.sessionId)).title, 'Nothing was paid yet')
    assertError(await buyer.call('/billing/subscription'), 404, 'NOT_FOUND')
    await buyer.pay(second.sessionId)
    await buyer.comeBack(second.sessionId)
    assert.equal(await buyer.planSlug(), 'professional')
    assert.equal(await buyer.keptCents(), 9_900)
  })

  test('packs and a plan are bought beside each other', async () => {
    const buyer = await Buyer.open(service(), 'free', 0)
    const pack = await buyer.order('credits_1000')
    const plan = await buyer.begin('starter')
    assert.ok((await payable(pack.checkoutUrl)) && (await payable(plan.checkoutUrl)))
    await Promise.all([buyer.pay(pack.sessionId), buyer.pay(plan.sessionId)])
    await Promise.all([buyer.comeBack(pack.sessionId), buyer.comeBack(plan.sessionId)])
    assert.equal(await buyer.balance(), 2_000)
    assert.partialDeepStrictEqual((await buyer.get('/account')).credits, {
      monthlyRemaining: 1_000,
      purchasedRemaining: 1_000,
    })
  })

  test('of starts at the same moment, at any instance, one can be paid', async (context) => {
    const [shop, twin] = await openInstances(context, engine)
    const buyer = await Buyer.open(shop)
    const there = buyer.at(twin)
    const plans: PlanSlug[] = ['starter', 'starter', 'professional', 'starter', 'enterprise', 'professional']
    const replies = await Promise.all(
      plans.map((planSlug, index) => (index % 2 ? there : buyer).post('/billing/subscription', { planSlug })),
    )
    for (const reply of replies) {
      if (reply.status === 200) assertOk(reply)
      else assertError(reply, 400, 'BAD_REQUEST')
    }
    const opened = replies.flatMap(({ body }): { checkoutUrl: string; sessionId: string }[] => body.data ?? [])
    const sessions = new Map(opened.map(({ sessionId, checkoutUrl }) => [sessionId, checkoutUrl]))
    // A refused request may have closed the last open session.
    const { sessionId, checkoutUrl } = await buyer.begin('starter')
    sessions.set(sessionId, checkoutUrl)
    let open = 0
    for (const url of sessions.values()) if (await payable(url, shop)) open += 1
    assert.equal(open, 1)
    await Promise.all([...sessions.keys()].map((id) => buyer.act(id, 'pay')))
    await Promise.all([...sessions.keys()].map((id) => buyer.comeBack(id)))
    assert.equal((await shop.mintick.store.subscriptions.list(buyer.id)).length, 1)
    assert.equal((await buyer.history('&type=subscription')).length, 1)
    const { priceUsd } = PLANS[(await buyer.planSlug()) as PlanSlug]
    assert.equal(await buyer.keptCents(), (priceUsd ?? 0) * 100)
  })

  test('a checkout that was left for a day makes way for another', async () => {
    const buyer = await Buyer.open(service())
    const left = await buyer.begin('starter')
    await pass(service(), 25 * HOUR)
    const { sessionId } = await buyer.begin('starter')
    assert.notEqual(sessionId, left.sessionId)
    await buyer.pay(sessionId)
    await buyer.comeBack(sessionId)
    assert.equal(await buyer.planSlug(), 'starter')
  })

  test('the operator cannot set the plan of a subscribed account, but may agree on something else with it', async () => {
    const buyer = await Buyer.open(service())
    await buyer.subscribe('starter')
    const patch = (body: object) => service().admin(`/accounts/${buyer.id}`, { method: 'PATCH', body })
    for (const plan of PLAN_SLUGS) {
      const reply = await patch({ plan })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['plan'])
    }
    assertOk(await patch({ overrides: { burst: 7, maxApiKeys: 9 } }))
    assert.equal(quota(await buyer.call('/stats')), '7')
    assert.equal((await buyer.changed('professional')).planSlug, 'professional')
    assert.partialDeepStrictEqual((await buyer.get('/account')).plan, { slug: 'professional', burst: 7, maxApiKeys: 9 })
    assertOk(await buyer.cancel())
    await buyer.passPeriod()
    assertOk(await patch({ plan: 'enterprise', overrides: {} }))
    assert.equal(await buyer.planSlug(), 'enterprise')
  })

  test('a plan bought, changed and lost at one instance is in force at the other on the next request', async (context) => {
    const [shop, twin] = await openInstances(context, engine)
    const buyer = await Buyer.open(shop)
    const there = buyer.at(twin)
    assertError(await there.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    await buyer.subscribe('starter')
    assertOk(await there.call('/sec/insider-trades'))
    await buyer.changed('enterprise')
    assert.equal(quota(await there.call('/stats')), String(PLANS.enterprise.burst))
    assertOk(await there.cancel())
    assert.equal((await buyer.subscription()).cancelAtPeriodEnd, true)
    await buyer.passPeriod()
    await twin.mintick.billing?.sweeper.run()
    assertError(await there.call('/sec/insider-trades'), 403, 'FORBIDDEN')
  })
})
