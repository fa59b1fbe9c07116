/** Plans that are paid every month: starting, changing, cancelling and losing them. */
import assert from 'node:assert/strict'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '../../src/model/time.ts'
import { PAID_PLAN_SLUGS, PLAN_SLUGS, PLANS, type PlanSlug } from '../../src/plans/plans.ts'
import { assertBalanced, Buyer, pass, visit } from '../buyer.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { FakeClock, onEveryEngine, type Reply, TestService } from '../harness.ts'

const GRACE_DAYS = 7
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
/** Subscriptions count in whole seconds. */
const wholeSecond = (ms: number) => isoTime(Math.floor(ms / SECOND) * SECOND)

onEveryEngine('subscriptions', (engine) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(engine)
    // On one engine the news comes by messages, on the other by sweeps: it comes to the same.
    if (engine === 'postgres') await service.listen()
  })
  after(async () => {
    await assertBalanced(service)
    await service.stop()
  })

  // Each month that passes would renew them all.
  afterEach(async () => {
    const { store, billing } = service.mintick
    for (const { id } of await store.subscriptions.listAll('', 100)) await billing?.processor.cancelNow(id)
    await pass(service, MINUTE)
  })

  const change = (buyer: Buyer, planSlug: unknown, preview?: boolean) =>
    buyer.post('/billing/subscription/change', { planSlug, ...(preview !== undefined && { preview }) })
  const changed = async (buyer: Buyer, planSlug: PlanSlug, preview?: boolean): Promise<Reply['body']> => {
    const reply = await change(buyer, planSlug, preview)
    assertOk(reply)
    return reply.body.data
  }
  const cancel = (buyer: Buyer) => buyer.call('/billing/subscription', { method: 'DELETE' })
  const payable = async (checkoutUrl: string) =>
    (await visit(service, new URL(checkoutUrl).pathname)).title === 'Checkout'
  const openShop = async (context: TestContext, clock?: FakeClock) => {
    const shop = await TestService.start(engine, {}, clock)
    context.after(async () => {
      await assertBalanced(shop)
      await shop.stop()
    })
    return shop
  }
  /** To the end of the month that is paid, and a little further. */
  const passPeriod = async (buyer: Buyer, shop = service) => {
    const { currentPeriodEnd } = await buyer.subscription()
    await pass(shop, Date.parse(currentPeriodEnd) - shop.clock.now() + MINUTE)
  }
  const quota = (reply: Reply) => /q=(\d+)/.exec(reply.headers['ratelimit-policy'] ?? '')?.[1]

  test('a plan is in force on the request after the payment, with its credits', async () => {
    for (const slug of PAID_PLAN_SLUGS) {
      const buyer = await Buyer.open(service, 'free')
      const before = await buyer.call('/sec/insider-trades')
      assertError(before, 403, 'FORBIDDEN')
      assert.equal(quota(before), String(PLANS.free.burst))
      const { sessionId } = await buyer.begin(slug)
      await buyer.pay(sessionId)
      const page = await buyer.comeBack(sessionId)
      assert.match(page.texts.join(), new RegExp(`on the ${PLANS[slug].name} plan`))
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
      const shop = await openShop(context)
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
    const buyer = await Buyer.open(service)
    assertError(await buyer.call('/billing/subscription'), 404, 'NOT_FOUND')
    assertError(await service.api('/billing/subscription', DEMO_KEY), 404, 'NOT_FOUND')
    await buyer.begin('starter')
    assertError(await buyer.call('/billing/subscription'), 404, 'NOT_FOUND')
    await buyer.subscribe('starter')
    const reply = await buyer.call('/billing/subscription')
    assertOk(reply)
    assert.deepEqual(Object.keys(reply.body.data), FIELDS)
    const start = wholeSecond(service.clock.now())
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
    const buyer = await Buyer.open(service, 'professional')
    for (const path of ['/billing/subscription', '/billing/subscription/change']) {
      for (const planSlug of ['free', 'custom', 'demo', 'Starter', '', 1, null, undefined, ['starter']]) {
        const reply = await buyer.post(path, { planSlug })
        assertError(reply, 400, 'BAD_REQUEST')
        assert.deepEqual(fieldsOf(reply), ['planSlug'])
      }
      assertError(await buyer.post(path), 400, 'BAD_REQUEST')
      const demo = { method: 'POST', body: { planSlug: 'starter' } }
      assertError(await service.api(path, DEMO_KEY, demo), 403, 'FORBIDDEN')
      assertError(await service.api(path, undefined, demo), 401, 'UNAUTHORIZED')
    }
    for (const preview of ['yes', 1, null]) {
      const reply = await buyer.post('/billing/subscription/change', { planSlug: 'starter', preview })
      assert.deepEqual(fieldsOf(reply), ['preview'])
    }
  })

  test('without a subscription there is nothing to change or to cancel', async () => {
    for (const plan of ['free', 'enterprise'] as const) {
      const buyer = await Buyer.open(service, plan)
      assertError(await change(buyer, 'professional'), 404, 'NOT_FOUND')
      assertError(await change(buyer, 'professional', true), 404, 'NOT_FOUND')
      assertError(await cancel(buyer), 404, 'NOT_FOUND')
      assert.equal(await buyer.planSlug(), plan)
    }
  })

  test('a second subscription is refused, whichever plan', async () => {
    const buyer = await Buyer.open(service)
    await buyer.subscribe('professional')
    for (const planSlug of PAID_PLAN_SLUGS) {
      assertError(await buyer.post('/billing/subscription', { planSlug }), 400, 'BAD_REQUEST')
    }
    assert.equal(await buyer.planSlug(), 'professional')
  })

  test('an open checkout of the same plan is answered again, another plan closes it', async () => {
    const buyer = await Buyer.open(service)
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
    const buyer = await Buyer.open(service, 'free', 0)
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

  test('of starts at the same moment one can be paid', async () => {
    const buyer = await Buyer.open(service)
    const plans: PlanSlug[] = ['starter', 'starter', 'professional', 'starter', 'enterprise', 'professional']
    const replies = await Promise.all(plans.map((planSlug) => buyer.post('/billing/subscription', { planSlug })))
    for (const reply of replies) {
      if (reply.status === 200) assertOk(reply)
      else assertError(reply, 400, 'BAD_REQUEST')
    }
    const opened = replies.flatMap(({ body }): { checkoutUrl: string; sessionId: string }[] => body.data ?? [])
    const sessions = new Map(opened.map(({ sessionId, checkoutUrl }) => [sessionId, checkoutUrl]))
    // Whoever gave up may have closed the last one.
    const { sessionId, checkoutUrl } = await buyer.begin('starter')
    sessions.set(sessionId, checkoutUrl)
    let open = 0
    for (const url of sessions.values()) if (await payable(url)) open += 1
    assert.equal(open, 1)
    await Promise.all([...sessions.keys()].map((id) => buyer.act(id, 'pay')))
    await Promise.all([...sessions.keys()].map((id) => buyer.comeBack(id)))
    assert.equal((await service.mintick.store.subscriptions.list(buyer.id)).length, 1)
    assert.equal((await buyer.history('&type=subscription')).length, 1)
    const { priceUsd } = PLANS[(await buyer.planSlug()) as PlanSlug]
    assert.equal(await buyer.keptCents(), (priceUsd ?? 0) * 100)
  })

  test('a checkout that was left for a day makes way for another', async () => {
    const buyer = await Buyer.open(service)
    const left = await buyer.begin('starter')
    await pass(service, 25 * HOUR)
    const { sessionId } = await buyer.begin('starter')
    assert.notEqual(sessionId, left.sessionId)
    await buyer.pay(sessionId)
    await buyer.comeBack(sessionId)
    assert.equal(await buyer.planSlug(), 'starter')
  })

  test('a preview says what a change would mean and changes nothing', async () => {
    const buyer = await Buyer.open(service)
    await buyer.subscribe('professional')
    await pass(service, 10 * DAY)
    const before = await buyer.subscription()
    const { change: up, ...subscription } = await changed(buyer, 'enterprise', true)
    assert.deepEqual(subscription, before)
    assert.deepEqual(Object.keys(up), ['planSlug', 'isPreview', 'effectiveAt', 'amountDueUsd', 'credits'])
    assert.partialDeepStrictEqual(up, {
      planSlug: 'enterprise',
      isPreview: true,
      effectiveAt: isoTime(service.clock.now()),
      credits: 20_000,
    })
    assert.ok(up.amountDueUsd > 0 && up.amountDueUsd < 400, `${up.amountDueUsd}`)
    assert.deepEqual((await changed(buyer, 'starter', true)).change, {
      planSlug: 'starter',
      isPreview: true,
      effectiveAt: before.currentPeriodEnd,
      amountDueUsd: 0,
      credits: 0,
    })
    assertError(await change(buyer, 'professional', true), 400, 'BAD_REQUEST')
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
      const buyer = await Buyer.open(service, 'free', 0)
      await buyer.subscribe(from)
      await pass(service, days * DAY)
      const { currentPeriodStart, currentPeriodEnd } = await buyer.subscription()
      const { change: preview } = await changed(buyer, to, true)
      const { change: done, ...subscription } = await changed(buyer, to)
      assert.deepEqual(done, { ...preview, isPreview: false })
      assert.partialDeepStrictEqual(subscription, { planSlug: to, status: 'active', currentPeriodEnd })
      assert.equal(await buyer.planSlug(), to)
      assert.equal(quota(await buyer.call('/stats')), String(PLANS[to].burst))
      assert.equal(done.credits, PLANS[to].monthlyCredits - PLANS[from].monthlyCredits)
      assert.equal(await buyer.balance(), PLANS[to].monthlyCredits)
      const [record] = await buyer.history()
      assert.partialDeepStrictEqual(record, { type: 'subscription', planSlug: to, amountUsd: done.amountDueUsd })
      // Prices for the rest of the period, to the cent.
      const rest = Date.parse(currentPeriodEnd) - Math.floor(service.clock.now() / SECOND) * SECOND
      const share = rest / (Date.parse(currentPeriodEnd) - Date.parse(currentPeriodStart))
      const expected = (PLANS[to].priceUsd - PLANS[from].priceUsd) * share
      assert.ok(Math.abs(done.amountDueUsd - expected) <= 0.01, `${done.amountDueUsd} instead of ${expected}`)
      // The next month is a whole one of the new plan.
      await passPeriod(buyer)
      assert.equal(await buyer.balance(), PLANS[to].monthlyCredits)
      assert.equal((await buyer.history('&type=subscription'))[0]?.amountUsd, PLANS[to].priceUsd)
    }
  })

  test('real-time access comes with the plan and stays for its connections only', async () => {
    const buyer = await Buyer.open(service)
    assertError(await buyer.call('/signals/stream'), 403, 'FORBIDDEN')
    await buyer.subscribe('starter')
    assert.equal((await buyer.get('/account')).realtimeConnections.max, 1)
    await changed(buyer, 'professional')
    assert.equal((await buyer.get('/account')).realtimeConnections.max, 5)
  })

  test('a dearer plan that is declined leaves everything as it was', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('professional')
    await changed(buyer, 'starter')
    await buyer.press('card-declined')
    const before = await buyer.subscription()
    assert.equal(before.pendingPlanSlug, 'starter')
    const refused = await change(buyer, 'enterprise')
    assertError(refused, 400, 'BAD_REQUEST')
    assert.match(refused.body.error.message, /declined/)
    assert.deepEqual(await buyer.subscription(), before)
    assert.equal(await buyer.planSlug(), 'professional')
    assert.equal(await buyer.balance(), 5_000)
    assert.equal(await buyer.keptCents(), 9_900)
    await buyer.press('card-works')
    assertOk(await change(buyer, 'enterprise'))
    assert.partialDeepStrictEqual(await buyer.subscription(), { planSlug: 'enterprise', pendingPlanSlug: null })
    assert.equal(await buyer.balance(), 25_000)
  })

  test('a cheaper plan is pending until the period ends, and then in force', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('enterprise')
    await pass(service, 5 * DAY)
    const { currentPeriodEnd } = await buyer.subscription()
    const { change: done, ...subscription } = await changed(buyer, 'starter')
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
    assert.deepEqual((await changed(buyer, 'professional')).pendingPlanSlug, 'professional')
    assert.deepEqual((await changed(buyer, 'starter')).pendingPlanSlug, 'starter')
    await pass(service, Date.parse(currentPeriodEnd) - service.clock.now() - HOUR)
    assert.equal(await buyer.planSlug(), 'enterprise')
    assert.equal(await buyer.balance(), 25_000)
    await passPeriod(buyer)
    assert.equal(await buyer.planSlug(), 'starter')
    assert.partialDeepStrictEqual(await buyer.subscription(), {
      planSlug: 'starter',
      status: 'active',
      pendingPlanSlug: null,
      currentPeriodStart: currentPeriodEnd,
    })
    assert.equal(await buyer.balance(), 1_000)
    assert.equal(await buyer.keptCents(), 49_900 + 2_900)
    await passPeriod(buyer)
    await passPeriod(buyer)
    assert.equal(await buyer.planSlug(), 'starter')
    assert.equal(await buyer.keptCents(), 49_900 + 3 * 2_900)
  })

  test('the plan of the subscription takes a pending change back, and is 400 when there is none', async () => {
    const buyer = await Buyer.open(service)
    await buyer.subscribe('enterprise')
    assertError(await change(buyer, 'enterprise'), 400, 'BAD_REQUEST')
    assert.deepEqual(fieldsOf(await change(buyer, 'enterprise')), ['planSlug'])
    await changed(buyer, 'starter')
    const { change: back, pendingPlanSlug } = await changed(buyer, 'enterprise')
    assert.deepEqual([pendingPlanSlug, back.amountDueUsd, back.credits], [null, 0, 0])
    assertError(await change(buyer, 'enterprise'), 400, 'BAD_REQUEST')
    await passPeriod(buyer)
    assert.equal(await buyer.planSlug(), 'enterprise')
  })

  test('cancelling keeps the plan until the period ends, may be said twice and taken back', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('starter')
    const before = await buyer.subscription()
    for (let count = 0; count < 2; count += 1) {
      const reply = await cancel(buyer)
      assertOk(reply)
      assert.deepEqual(reply.body.data, { ...before, cancelAtPeriodEnd: true })
    }
    assert.equal(await buyer.planSlug(), 'starter')
    assert.equal((await changed(buyer, 'starter')).cancelAtPeriodEnd, false)
    await passPeriod(buyer)
    assert.equal(await buyer.planSlug(), 'starter')

    assertOk(await cancel(buyer))
    const { currentPeriodEnd } = await buyer.subscription()
    await pass(service, Date.parse(currentPeriodEnd) - service.clock.now() - MINUTE)
    assertOk(await buyer.call('/sec/insider-trades'))
    await pass(service, 2 * MINUTE)
    assertError(await buyer.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal((await buyer.subscription()).status, 'canceled')
    assertError(await cancel(buyer), 404, 'NOT_FOUND')
    assertError(await change(buyer, 'starter'), 404, 'NOT_FOUND')
    assert.equal(await buyer.keptCents(), 2 * 2_900)
    await pass(service, 40 * DAY)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.keptCents(), 2 * 2_900)
  })

  test('cancelling takes a pending change with it, and a change takes the cancellation back', async () => {
    const buyer = await Buyer.open(service)
    await buyer.subscribe('enterprise')
    await changed(buyer, 'starter')
    assert.partialDeepStrictEqual((await cancel(buyer)).body.data, { cancelAtPeriodEnd: true, pendingPlanSlug: null })
    assert.partialDeepStrictEqual(await changed(buyer, 'professional'), {
      cancelAtPeriodEnd: false,
      pendingPlanSlug: 'professional',
    })
    assertOk(await cancel(buyer))
    await passPeriod(buyer)
    assert.equal(await buyer.planSlug(), 'free')

    const other = await Buyer.open(service)
    await other.subscribe('starter')
    assertOk(await cancel(other))
    assert.partialDeepStrictEqual(await changed(other, 'professional'), {
      planSlug: 'professional',
      cancelAtPeriodEnd: false,
    })
    await passPeriod(other)
    assert.equal(await other.planSlug(), 'professional')
  })

  test('the same change asked for several times at once is paid once', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('starter')
    const { amountDueUsd } = (await changed(buyer, 'professional', true)).change
    for (const reply of await Promise.all(Array.from({ length: 4 }, () => change(buyer, 'professional')))) {
      if (reply.status === 200) assert.equal(reply.body.data.planSlug, 'professional')
      else assertError(reply, 400, 'BAD_REQUEST')
    }
    await pass(service, MINUTE)
    assert.equal(await buyer.planSlug(), 'professional')
    assert.equal(await buyer.balance(), 5_000)
    assert.equal(await buyer.keptCents(), 2_900 + Math.round(amountDueUsd * 100))
  })

  test('whatever is asked for at the same moment, one plan is in force and paid for', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('professional')
    const replies = await Promise.all([
      change(buyer, 'enterprise'),
      change(buyer, 'starter'),
      cancel(buyer),
      change(buyer, 'enterprise'),
      change(buyer, 'professional'),
    ])
    for (const { status, body } of replies) assert.ok(status === 200 || status === 400, JSON.stringify(body))
    await pass(service, MINUTE)
    const { planSlug } = await buyer.subscription()
    assert.equal(await buyer.planSlug(), planSlug)
    assert.equal(await buyer.balance(), PLANS[planSlug as PlanSlug].monthlyCredits)
    assert.ok((await buyer.history('&type=subscription')).length <= 2)
    assertOk(await cancel(buyer))
    await passPeriod(buyer)
    assert.equal(await buyer.planSlug(), 'free')
  })

  test('the portal says what follows, and cancels that as well', async () => {
    const buyer = await Buyer.open(service)
    await buyer.subscribe('enterprise')
    const portal = async () => (await visit(service, await buyer.portalPath())).texts.join(' ')
    assert.match(await portal(), /Enterprise plan.*Renews on \w+ \d+, \d+\./s)
    await changed(buyer, 'starter')
    assert.match(await portal(), /Enterprise plan.*Renews on .* as Starter plan\./s)
    await buyer.press('cancel')
    assert.match(await portal(), /Ends on /)
    await pass(service, MINUTE)
    assert.partialDeepStrictEqual(await buyer.subscription(), { cancelAtPeriodEnd: true, pendingPlanSlug: null })
    await buyer.press('keep')
    await pass(service, MINUTE)
    assert.equal((await buyer.subscription()).cancelAtPeriodEnd, false)
  })

  test('keys beyond what Free allows rest, the oldest stay, and all are back with the plan', async () => {
    const buyer = await Buyer.open(service)
    await buyer.subscribe('starter')
    const keys = [buyer.key]
    while (keys.length < PLANS.starter.maxApiKeys) {
      service.clock.advance(MINUTE)
      keys.push((await buyer.post('/account/api-keys', { name: `key ${keys.length}` })).body.data.apiKey)
    }
    const statuses = () => Promise.all(keys.map(async (key) => (await service.api('/stats', key)).status))
    const listed = async () => {
      const records: { isActive: boolean; inactiveReason?: string }[] = await buyer.get('/account/api-keys')
      return records.map(({ isActive, inactiveReason }) => [isActive, inactiveReason])
    }
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200])
    assertOk(await cancel(buyer))
    await passPeriod(buyer)
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
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('starter', 'fail')
    const { currentPeriodEnd } = await buyer.subscription()
    await passPeriod(buyer)
    assert.equal((await buyer.subscription()).status, 'past_due')
    assertOk(await buyer.call('/sec/insider-trades'))
    assertError(await change(buyer, 'professional'), 400, 'BAD_REQUEST')
    assertError(await buyer.post('/billing/subscription', { planSlug: 'starter' }), 400, 'BAD_REQUEST')
    assert.equal((await buyer.history('&type=subscription')).length, 1)
    await pass(service, Date.parse(currentPeriodEnd) + GRACE_DAYS * DAY - service.clock.now() - MINUTE)
    assertOk(await buyer.call('/sec/insider-trades'))
    await pass(service, 2 * MINUTE)
    assertError(await buyer.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal((await buyer.subscription()).status, 'canceled')
    await buyer.press('card-works')
    await pass(service, 30 * DAY)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.keptCents(), 2_900)
    await buyer.subscribe('professional')
    assert.equal(await buyer.planSlug(), 'professional')
  })

  test('a card that is mended in time goes on, and the credits of the month come once', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('starter', 'fail')
    assertOk(await buyer.call('/sec/insider-trades'))
    await passPeriod(buyer)
    assert.equal((await buyer.subscription()).status, 'past_due')
    await buyer.press('card-works')
    for (let days = 0; days < GRACE_DAYS + 1; days += 1) await pass(service, DAY)
    assert.equal((await buyer.subscription()).status, 'active')
    assert.equal(await buyer.planSlug(), 'starter')
    assert.equal(await buyer.balance(), 1_000)
    assert.equal((await buyer.history('&type=subscription')).length, 2)
    assert.equal(await buyer.keptCents(), 2 * 2_900)
  })

  test('cancelling is possible while a payment has failed', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    await buyer.subscribe('starter', 'fail')
    await passPeriod(buyer)
    assertOk(await cancel(buyer))
    for (let days = 0; days < 9; days += 1) await pass(service, DAY)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.keptCents(), 2_900)
  })

  test('a plan that is paid by a transfer which fails is lost after the week', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.begin('starter')
    await buyer.act(sessionId, 'pay-later', { transfer: 'fails' })
    await buyer.comeBack(sessionId)
    assert.equal(await buyer.balance(), 0)
    await pass(service, 5 * MINUTE)
    await buyer.press('card-declined')
    await pass(service, MINUTE)
    assert.equal(await buyer.balance(), 0)
    assert.equal((await buyer.subscription()).status, 'past_due')
    for (let days = 0; days < 9; days += 1) await pass(service, DAY)
    assert.equal(await buyer.planSlug(), 'free')
    assert.equal(await buyer.keptCents(), 0)
  })

  test('a plan that is paid by a transfer has its credits when that arrives', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.begin('starter')
    await buyer.act(sessionId, 'pay-later', { transfer: 'arrives' })
    await buyer.comeBack(sessionId)
    assert.equal(await buyer.balance(), 0)
    await pass(service, 5 * MINUTE)
    await pass(service, MINUTE)
    assert.equal(await buyer.balance(), 1_000)
    assert.equal(await buyer.planSlug(), 'starter')
    assert.equal(await buyer.keptCents(), 2_900)
  })

  test('months that begin on the 31st end on the last day of shorter ones', async (context) => {
    const shop = await openShop(context, new FakeClock('2027-12-31T23:59:30.500Z'))
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
      await passPeriod(buyer, shop)
    }
    assert.equal(await buyer.keptCents(), 7 * 2_900)
    assert.equal((await buyer.history('&type=grant')).length, 1)
  })

  test('a service that was away for months comes to the same', async (context) => {
    const shop = await openShop(context, new FakeClock('2027-01-31T10:00:00.000Z'))
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

  test('the operator cannot set the plan of a subscribed account, but may agree on something else with it', async () => {
    const buyer = await Buyer.open(service)
    await buyer.subscribe('starter')
    const patch = (body: object) => service.admin(`/accounts/${buyer.id}`, { method: 'PATCH', body })
    for (const plan of PLAN_SLUGS) {
      const reply = await patch({ plan })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['plan'])
    }
    assertOk(await patch({ overrides: { burst: 7, maxApiKeys: 9 } }))
    assert.equal(quota(await buyer.call('/stats')), '7')
    assert.equal((await changed(buyer, 'professional')).planSlug, 'professional')
    assert.partialDeepStrictEqual((await buyer.get('/account')).plan, { slug: 'professional', burst: 7, maxApiKeys: 9 })
    assertOk(await cancel(buyer))
    await passPeriod(buyer)
    assertOk(await patch({ plan: 'enterprise', overrides: {} }))
    assert.equal(await buyer.planSlug(), 'enterprise')
  })

  test('an account that the operator put on a plan falls to Free after a subscription of its own', async () => {
    const buyer = await Buyer.open(service, 'professional', 10)
    await buyer.subscribe('starter')
    assert.equal(await buyer.planSlug(), 'starter')
    assertOk(await cancel(buyer))
    await passPeriod(buyer)
    assert.equal(await buyer.planSlug(), 'free')
  })

  test('a plan bought, changed and lost at one instance is in force at the other on the next request', async () => {
    if (engine === 'sqlite') return // it has one instance
    const twin = await service.twin()
    const buyer = await Buyer.open(service)
    const there = buyer.at(twin)
    assertError(await there.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    await buyer.subscribe('starter')
    assertOk(await there.call('/sec/insider-trades'))
    await changed(buyer, 'enterprise')
    assert.equal(quota(await there.call('/stats')), String(PLANS.enterprise.burst))
    assertOk(await cancel(there))
    assert.equal((await buyer.subscription()).cancelAtPeriodEnd, true)
    await passPeriod(buyer)
    await twin.mintick.billing?.sweeper.run()
    assertError(await there.call('/sec/insider-trades'), 403, 'FORBIDDEN')
    await twin.mintick.close()
  })
})
