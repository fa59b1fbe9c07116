/** GET /account/cost tells what a call would cost and whether it would pass; the call itself then confirms it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SCOPES, type Scope } from '../../src/model/accounts.ts'
import { PLAN_SLUGS } from '../../src/plans/plans.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { EventReader } from '../event-source.ts'
import { onEveryEngine, type Reply, serviceForSuite } from '../harness.ts'

const CALLS: readonly [method: string, path: string][] = [
  ['GET', '/entries?limit=2'],
  ['GET', '/entries?query=gold&limit=1'],
  ['GET', '/entries?limit=1&fields=id'],
  ['GET', '/entries?limit=0'],
  ['GET', '/entries?limit=1&fields=nope'],
  ['GET', '/entries?search=%zz'],
  ['GET', '/entries/%zz'],
  ['GET', '/assets/AAPL'],
  ['GET', '/assets/?limit=1'],
  ['GET', `/assets/${'x'.repeat(600)}`],
  ['GET', '/markets/BTC-USD/candles?maxPoints=1'],
  ['GET', '/sec/datasets'],
  ['GET', '/sec/insider-trades?limit=1'],
  ['GET', '/signals?limit=1'],
  ['GET', '/stats'],
  ['GET', '/account'],
  ['GET', '/account/cost?path=/entries'],
  ['GET', '/account/cost'],
  ['GET', '/billing/packages'],
  ['GET', '/nothing'],
  ['GET', '/entriez'],
  ['POST', '/entries'],
  ['DELETE', '/assets/AAPL'],
]

const account = fc.record({
  plan: fc.constantFrom(...PLAN_SLUGS),
  credits: fc.integer({ min: 0, max: 4 }),
  scopes: fc.oneof(fc.constant(undefined), fc.subarray([...SCOPES], { minLength: 1 })),
  overrides: fc.record(
    {
      burst: fc.integer({ min: 1, max: 4 }),
      requestsPerHour: fc.integer({ min: 2, max: 6 }),
      creditMultiplier: fc.constantFrom(0.1, 0.55, 1, 1.5, 3),
    },
    { requiredKeys: [] },
  ),
  calls: fc.array(fc.record({ call: fc.constantFrom(...CALLS), waitMs: fc.constantFrom(0, 0, 7_000) }), {
    minLength: 1,
    maxLength: 5,
  }),
})

onEveryEngine('the cost of a call', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  const ask = (path: string, key: string, method = 'GET') =>
    service.api(`/account/cost?path=${encodeURIComponent(path)}&method=${method}`, key)
  const askedFor = async (path: string, key: string, method?: string) => {
    const reply = await ask(path, key, method)
    assertOk(reply)
    return reply.body.data
  }

  /** Opens an account whose key has these scopes, and whose plan has these values. */
  async function open({ plan, credits, scopes, overrides }: Omit<Account, 'calls'>) {
    const opened = await service.open(plan, credits)
    const { store, bus } = service.mintick
    const [key] = await store.keys.list(opened.id)
    assert.ok(key)
    if (scopes !== undefined) await store.keys.change(opened.id, key.id, () => ({ scopes }))
    await bus.publish('accounts', opened.id)
    assertOk(await service.admin(`/accounts/${opened.id}`, { method: 'PATCH', body: { overrides } }))
    return opened
  }

  test('the call is answered as foretold, and charged as foretold', async () => {
    await fc.assert(
      fc.asyncProperty(account, async ({ calls, ...given }) => {
        const { id, key } = await open(given)
        for (const { call, waitMs } of calls) {
          const [method, path] = call
          service.clock.advance(waitMs)
          const balance = await service.balance(id)
          const asked = await ask(path, key, method)
          assert.equal(await service.balance(id), balance)
          const made = await service.api(path, key, { method })
          const charged = balance - (await service.balance(id))
          if (asked.status === 200) assertForetold(asked.body.data, made, charged)
          // The question itself is refused in the same way, unless the key lacks its scope.
          else if (asked.status === 429) assertError(made, 429, 'RATE_LIMIT_EXCEEDED')
          else assert.ok(asked.status === 403 && given.scopes && !given.scopes.includes('account'))
          assert.equal(service.mintick.admission.meter.held(id), 0)
        }
      }),
      { numRuns: runs(engine === 'sqlite' ? 40 : 15, 600) },
    )
  })

  test('says what the credits are made of', async () => {
    const { key } = await service.open('professional', 1_000)
    const plain = await askedFor('/entries?limit=5', key)
    assert.equal(plain.path, '/api/v1/entries?limit=5')
    assert.equal(plain.endpoint, 'GET /entries')
    assert.equal(plain.credits, 1)
    assert.deepEqual(plain.cost, { base: 1, parameter: null, multiplier: 0.9 })
    assert.deepEqual((await askedFor('/entries?query=gold', key)).cost, {
      base: 2,
      parameter: 'query',
      multiplier: 0.9,
    })
    const stream = await askedFor('/signals/stream', key)
    assert.deepEqual(stream.cost, { base: 0, parameter: null, multiplier: 0.9, perMinute: 5 })
    assert.ok(stream.wouldPass)
  })

  test('a path may have the prefix of the API, and characters that clients encode', async () => {
    const { key } = await service.open()
    assert.deepEqual((await askedFor('/api/v1/stats', key)).path, '/api/v1/stats')
    const { path, wouldPass } = await askedFor('/entries?search=café au lait', key)
    assert.equal(path, '/api/v1/entries?search=caf%C3%A9%20au%20lait')
    assert.ok(wouldPass)
    assert.equal((await askedFor('/api/v10', key)).error.code, 'NOT_FOUND')
    assert.equal((await askedFor('/admin/accounts', key)).error.code, 'NOT_FOUND')
  })

  test('the body of a call is not looked at', async () => {
    const { key } = await service.open()
    const asked = await askedFor('/account/api-keys', key, 'POST')
    assert.equal(asked.endpoint, 'POST /account/api-keys')
    assert.ok(asked.wouldPass)
  })

  test('a path that is missing or none is 400, and so is an unknown method', async () => {
    const { key } = await service.open()
    for (const query of [
      '',
      '?path=',
      '?path=entries',
      '?path=https://x.example/',
      '?path=/entries%23x',
      '?path=%00',
    ]) {
      const reply = await service.api(`/account/cost${query}`, key)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['path'], query)
    }
    assert.deepEqual(fieldsOf(await ask('/entries', key, 'BREW')), ['method'])
  })

  test('the demo key is told its own rules', async () => {
    const { error } = await askedFor('/entries?limit=4', 'mtk_demo')
    assert.deepEqual(error.details, [{ field: 'limit', message: 'must be at most 3 with the demo key' }])
    assert.equal((await askedFor('/account/api-keys', 'mtk_demo', 'POST')).error.code, 'FORBIDDEN')
    assert.equal((await askedFor('/sec/datasets', 'mtk_demo')).credits, 1)
  })

  test('a stream is foretold with its minute and its slot', async () => {
    const url = await service.listen()
    const foretold = async (path: string, key: string) => {
      const { wouldPass, error } = await askedFor(path, key)
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
      assert.equal(wouldPass, false)
      assert.equal(error.statusCode, response.status)
      assert.equal(error.message, (await response.json()).error.message)
      return error.code
    }
    const rich = await service.open('starter', 100)
    const stream = await EventReader.open(`${url}/signals/stream`, rich.key)
    await stream.next()
    assert.equal(await foretold('/signals/stream', rich.key), 'RATE_LIMIT_EXCEEDED')
    stream.close()
    assert.equal(await foretold('/signals/stream', (await service.open('starter', 4)).key), 'INSUFFICIENT_CREDITS')
    assert.equal(await foretold('/signals/stream', (await service.open('free', 100)).key), 'FORBIDDEN')
    assert.ok((await askedFor('/signals/ws', (await service.open('starter', 5)).key)).wouldPass)
  })
})

interface Account {
  plan: (typeof PLAN_SLUGS)[number]
  credits: number
  scopes: Scope[] | undefined
  overrides: Record<string, number>
}

function assertForetold(told: Reply['body'], made: Reply, charged: number): void {
  const [burst] = told.limits
  const remaining = Number(/"burst";r=(\d+)/.exec(made.headers.ratelimit ?? '')?.[1])
  assert.equal(remaining, burst.remaining - (made.status === 429 ? 0 : 1))
  if (told.wouldPass) {
    assert.equal(made.status, 200, JSON.stringify(made.body))
    assert.equal(told.error, null)
    assert.equal(charged, told.credits)
    assert.equal(made.headers['x-credits-cost'], String(told.credits))
    assert.equal(made.headers['x-credits-remaining'], String(told.available - told.credits))
    assert.equal(told.credits, Math.ceil(Number((told.cost.base * told.cost.multiplier).toFixed(6))))
    return
  }
  const { statusCode, retryAfterSeconds, ...error } = told.error
  assertError(made, statusCode, error.code)
  assert.deepEqual(made.body.error, error)
  assert.equal(made.headers['retry-after'], retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds))
  assert.equal(charged, 0)
}
