/** The operator's API (design 7): same envelopes, its own token. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { HOUR, isoTime } from '../../src/model/time.ts'
import { PLAN_SLUGS, PLANS } from '../../src/plans/plans.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const VIEW = [
  'id',
  'email',
  'name',
  'plan',
  'overrides',
  'isActive',
  'suspendedReason',
  'isDemo',
  'balance',
  'createdAt',
  'deletedAt',
]

onEveryEngine("operator's API", (engine) => {
  const service = serviceForSuite(engine)

  const post = (path: string, body: unknown) => service.admin(path, { method: 'POST', body })
  const patch = (id: string, body: unknown) => service.admin(`/accounts/${id}`, { method: 'PATCH', body })
  const give = (id: string, credits: unknown, reason: unknown = 'test') =>
    post(`/accounts/${id}/credits`, { credits, reason })
  const newEmail = () => `${randomUUID()}@test.example`
  const opened = async (body: object = {}) => {
    const reply = await post('/accounts', { email: newEmail(), ...body })
    assertOk(reply)
    return reply.body.data
  }

  test('every endpoint answers 401 without the token, with another, or with an API key', async () => {
    const { adminToken } = service.mintick
    const { id, key } = await service.open('custom', 5)
    const calls = [
      ['GET', '/accounts'],
      ['POST', '/accounts'],
      ['GET', `/accounts/${id}`],
      ['PATCH', `/accounts/${id}`],
      ['POST', `/accounts/${id}/credits`],
      ['DELETE', `/entries/${NOBODY}`],
      ['GET', '/audit'],
    ] as const
    const tokens = ['', 'Bearer', 'Bearer ', `Bearer ${key}`, `Bearer ${adminToken}x`, `Bearer ${adminToken.slice(1)}`]
    const schemes = [`Basic ${adminToken}`, adminToken, `Bearer ${adminToken} x`, `Bearer ${'x'.repeat(10_000)}`]
    for (const [method, path] of calls) {
      for (const authorization of [...tokens, ...schemes]) {
        const body = method === 'GET' ? undefined : { credits: 7, reason: 'x', isActive: false, email: newEmail() }
        assertError(await service.admin(path, { method, body, headers: { authorization } }), 401, 'UNAUTHORIZED')
      }
      assertError(await service.call(`/admin${path}`, { method }), 401, 'UNAUTHORIZED')
    }
    assert.equal(await service.balance(id), 5)
    assertOk(await service.api('/stats', key))
    assertError(await service.api('/stats', adminToken), 401, 'UNAUTHORIZED')
  })

  for (const slug of PLAN_SLUGS) {
    test(`an account opened on ${slug} has that plan's signup and monthly credits and a key that works`, async () => {
      const { account, apiKey } = await opened({ plan: slug, name: 'Ada' })
      const { signupCredits, monthlyCredits } = PLANS[slug]
      assert.deepEqual(Object.keys(account), VIEW)
      assert.partialDeepStrictEqual(account, { plan: slug, name: 'Ada', isActive: true, isDemo: false, overrides: {} })
      assert.equal(account.balance, (signupCredits ?? 0) + (monthlyCredits ?? 0))
      assert.equal(account.createdAt, isoTime(service.clock.now()))
      assert.equal((await service.api('/account', apiKey)).body.data.plan.slug, slug)
    })
  }

  test('credits sets the opening balance exactly, 0 included, and the plan is free unless it is given', async () => {
    for (const credits of [0, 1, 123_456]) {
      const { account } = await opened({ credits, plan: 'enterprise' })
      assert.equal(account.balance, credits)
    }
    const { account } = await opened()
    assert.deepEqual([account.plan, account.balance, account.name], ['free', 100, null])
  })

  test('an email has one account, however it is written', async () => {
    const { account } = await opened({ email: 'Grace@Test.Example' })
    assert.equal(account.email, 'grace@test.example')
    for (const email of ['grace@test.example', 'GRACE@TEST.EXAMPLE']) {
      const reply = await post('/accounts', { email })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['email'])
    }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => post('/accounts', { email: 'race@test.example' })),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(replies.filter(({ status }) => status === 400).length, 9)
  })

  test('an account is not opened from bad input', async () => {
    const email = newEmail()
    const cases: [body: object, field: string][] = [
      [{}, 'email'],
      [{ email: 'nobody' }, 'email'],
      [{ email: 'a b@c' }, 'email'],
      [{ email: 7 }, 'email'],
      [{ email, plan: 'gold' }, 'plan'],
      [{ email, plan: 'demo' }, 'plan'],
      [{ email, credits: -1 }, 'credits'],
      [{ email, credits: 1.5 }, 'credits'],
      [{ email, credits: '5' }, 'credits'],
      [{ email, credits: 1e30 }, 'credits'],
      [{ email, name: 'x'.repeat(201) }, 'name'],
      [{ email, name: '\0' }, 'name'],
    ]
    for (const [body, field] of cases) {
      const reply = await post('/accounts', body)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [field])
    }
  })

  test('accounts are listed newest first with offsets, and shown one by one', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      service.clock.advance(1)
      ids.unshift((await opened()).account.id)
    }
    const first = (await service.admin('/accounts?limit=2')).body
    const second = (await service.admin('/accounts?limit=3&offset=2')).body
    assert.deepEqual(
      [...first.data, ...second.data].map(({ id }: { id: string }) => id),
      ids,
    )
    assert.partialDeepStrictEqual(first.meta, {
      count: 2,
      limit: 2,
      offset: 0,
      hasMore: true,
      prevOffset: null,
      nextOffset: 2,
    })
    for (const account of first.data) {
      const { effectivePlan, lots, ...shown } = (await service.admin(`/accounts/${account.id}`)).body.data
      assert.deepEqual(shown, { ...account, owed: 0, subscription: null })
      assert.equal(effectivePlan.slug, account.plan)
      assert.equal(lots[0].remaining, account.balance)
    }
    for (const id of [NOBODY, 'nope', '%00']) {
      assertError(await service.admin(`/accounts/${id}`), 404, 'NOT_FOUND')
      assertError(await patch(id, {}), 404, 'NOT_FOUND')
      assertError(await give(id, 1), 404, 'NOT_FOUND')
    }
  })

  test('a new plan is in force on the next request: what it opens and its pace', async () => {
    const { id, key } = await service.open('starter', 1_000)
    const create = () => {
      const body = { name: 'x', expiresAt: isoTime(service.clock.now() + HOUR) }
      return service.api('/account/api-keys', key, { method: 'POST', body })
    }
    assertError(await create(), 403, 'FORBIDDEN')
    assert.equal((await patch(id, { plan: 'enterprise' })).body.data.plan, 'enterprise')
    assertOk(await create())
    assert.match((await service.api('/stats', key)).headers['ratelimit-policy'] ?? '', /"burst";q=2000/)
    await patch(id, { plan: 'free' })
    const { headers, body } = await service.api('/account', key)
    assert.match(headers['ratelimit-policy'] ?? '', /"burst";q=15/)
    assert.equal(body.data.plan.slug, 'free')
    assert.equal(body.data.balance, 1_000, 'a change of plan leaves the balance alone')
    assertError(await create(), 403, 'FORBIDDEN')
  })

  test('overrides are in force on the next request, and a new set replaces the old one', async () => {
    const { id, key } = await service.open('custom', 100)
    const costNow = async () => (await service.api('/entries', key)).headers['x-credits-cost']
    for (const [creditMultiplier, cost] of [
      [2.5, '3'],
      [0.1, '1'],
      [7, '7'],
      [1, '1'],
    ] as const) {
      await patch(id, { overrides: { creditMultiplier } })
      assert.equal(await costNow(), cost)
    }
    await patch(id, { overrides: { burst: 2, requestsPerMinute: 1, customKeyExpiration: false } })
    const { plan } = (await service.api('/account', key)).body.data
    assert.partialDeepStrictEqual(plan, {
      slug: 'custom',
      burst: 2,
      creditMultiplier: null,
      customKeyExpiration: false,
    })
    assertOk(await service.api('/stats', key))
    assertError(await service.api('/stats', key), 429, 'RATE_LIMIT_EXCEEDED')
    await patch(id, { overrides: {} })
    service.clock.advance(HOUR)
    assert.match((await service.api('/stats', key)).headers['ratelimit-policy'] ?? '', /"burst";q=5000/)
  })

  test('overrides that no plan could have answer 400 and change nothing', async () => {
    const { id } = await service.open('custom')
    const bad = [{ burst: 0 }, { burst: 1.5 }, { burst: '9' }, { creditMultiplier: 0 }, { creditMultiplier: -1 }]
    const worse = [{ nonsense: 1 }, { slug: 'x' }, { secData: 1 }, { maxApiKeys: 1e12 }, [], null, 'x']
    for (const overrides of [...bad, ...worse]) assertError(await patch(id, { overrides }), 400, 'BAD_REQUEST')
    assertError(await patch(id, { plan: 'gold' }), 400, 'BAD_REQUEST')
    assertError(await patch(id, { isActive: 'no' }), 400, 'BAD_REQUEST')
    const { data } = (await service.admin(`/accounts/${id}`)).body
    assert.partialDeepStrictEqual(data, { plan: 'custom', overrides: {}, isActive: true })
  })

  test('an account that is switched off gets 401 on the next request, and works again when switched on', async () => {
    const { id, key } = await service.open()
    assertOk(await service.api('/stats', key))
    assert.equal((await patch(id, { isActive: false })).body.data.isActive, false)
    assertError(await service.api('/stats', key), 401, 'UNAUTHORIZED')
    await patch(id, { isActive: true })
    assertOk(await service.api('/stats', key))
  })

  test('credits are given and taken to the credit, never more than there are', async () => {
    const { id, key } = await service.open('free', 3)
    assert.equal((await give(id, 5)).body.data.balance, 8)
    assert.equal((await give(id, -6)).body.data.balance, 2)
    const over = await give(id, -3)
    assertError(over, 400, 'BAD_REQUEST')
    assert.deepEqual(fieldsOf(over), ['credits'])
    for (const credits of [0, 1.5, '1', 1e30]) assertError(await give(id, credits), 400, 'BAD_REQUEST')
    for (const reason of ['', 7, null, 'x'.repeat(501)]) assertError(await give(id, 1, reason), 400, 'BAD_REQUEST')
    assert.equal(await service.balance(id), 2)
    assert.equal((await give(id, -2)).body.data.balance, 0)
    assertError(await service.api('/entries', key), 402, 'INSUFFICIENT_CREDITS')
    await give(id, 1)
    assertOk(await service.api('/entries', key))
  })

  test('taking from many hands at once never takes more than the balance', async () => {
    const { id } = await service.open('free', 10)
    const replies = await Promise.all(Array.from({ length: 15 }, () => give(id, -1)))
    assert.equal(replies.filter(({ status }) => status === 200).length, 10)
    assert.equal(await service.balance(id), 0)
  })

  test('the audit finds the books in order', async () => {
    const { data } = (await service.admin('/audit')).body
    assert.partialDeepStrictEqual(data, { isBalanced: true, problems: [] })
    const { totalCount } = (await service.admin('/accounts')).body.meta
    assert.equal(data.accounts, totalCount)
  })
})
