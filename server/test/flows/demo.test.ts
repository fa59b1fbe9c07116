/** The demo table of spec 5, with the decisions of design 6. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { HOUR, MINUTE, SECOND } from '../../src/model/time.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { type CallOptions, onEveryEngine, serviceForSuite } from '../harness.ts'

const POOL = 100
const PER_MINUTE = 240

onEveryEngine('demo key', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })

  /** Starts every test 20 minutes into a new hour, with a full pool and a full bucket. */
  beforeEach(() => service.clock.advance(HOUR - (service.clock.now() % HOUR) + 20 * MINUTE))

  const demo = (path: string, options?: CallOptions) => service.api(path, DEMO_KEY, options)
  const many = async (count: number, path: string) => {
    const replies = await Promise.all(Array.from({ length: count }, () => demo(path)))
    return Object.groupBy(replies, ({ status }) => status)
  }
  const remaining = async () => Number((await demo('/stats')).headers['x-credits-remaining'])

  test('all callers share a pool of 100 credits an hour; beyond it 402 says so and when to come back', async () => {
    const replies = await many(POOL + 50, '/entries')
    assert.equal(replies[200]?.length, POOL)
    assert.equal(replies[402]?.length, 50)
    for (const reply of replies[402] ?? []) {
      assertError(reply, 402, 'INSUFFICIENT_CREDITS')
      assert.match(reply.body.error.message, /demo budget is exhausted.*refills hourly/)
      assert.equal(reply.headers['retry-after'], String((40 * MINUTE) / SECOND))
      assert.equal(reply.headers['x-credits-cost'], '0')
    }
  })

  test('each call draws its cost, and the answer says what is left', async () => {
    for (const left of [99, 98, 97]) {
      const reply = await demo('/entries')
      assert.equal(reply.headers['x-credits-cost'], '1')
      assert.equal(reply.headers['x-credits-remaining'], String(left))
    }
  })

  test('with an empty pool the free endpoints still answer', async () => {
    await many(POOL, '/entries')
    assertError(await demo('/entries'), 402, 'INSUFFICIENT_CREDITS')
    for (const path of ['/stats', '/account', '/account/usage', '/account/logs']) assertOk(await demo(path))
  })

  test('the pool refills exactly at the hour, and waiting for Retry-After is enough', async () => {
    await many(POOL, '/entries')
    service.clock.advance(40 * MINUTE - 1)
    const refused = await demo('/entries')
    assertError(refused, 402, 'INSUFFICIENT_CREDITS')
    assert.equal(refused.headers['retry-after'], '1')
    service.clock.advance(1)
    assert.equal(await remaining(), POOL)
    await many(POOL, '/entries')
    const next = await demo('/entries')
    assert.equal(next.headers['retry-after'], '3600')
    service.clock.advance(Number(next.headers['retry-after']) * SECOND)
    assertOk(await demo('/entries'))
  })

  test('what was not used does not pile up', async () => {
    await many(10, '/entries')
    for (const hours of [1, 1, 5]) {
      service.clock.advance(hours * HOUR)
      assert.equal(await remaining(), POOL)
    }
  })

  test('many callers at the turn of the hour get one new pool between them', async () => {
    await many(POOL, '/entries')
    service.clock.advance(40 * MINUTE)
    const replies = await many(2 * POOL, '/entries')
    assert.equal(replies[200]?.length, POOL)
    assert.equal(replies[402]?.length, POOL)
  })

  test('a restart within the hour does not refill the pool', async () => {
    await many(60, '/entries')
    await service.restart()
    assert.equal(await remaining(), 40)
  })

  test('lists have three items by default and at most; a greater limit answers 400 and is not trimmed', async () => {
    const { data, meta } = (await demo('/entries')).body
    assert.equal(data.length, 3)
    assert.deepEqual([meta.limit, meta.count, meta.plan], [3, 3, 'demo'])
    for (const limit of [1, 2, 3]) assert.equal((await demo(`/entries?limit=${limit}`)).body.data.length, limit)
    for (const limit of ['4', '50', '100', '1000', '0', '-1', 'x']) {
      const refused = await demo(`/entries?limit=${limit}`)
      assertError(refused, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(refused), ['limit'])
    }
    assert.equal(await remaining(), POOL - 4)
  })

  test('paging parameters answer 400, valid or not, and cost nothing', async () => {
    const { key } = await service.open()
    const { nextCursor } = (await service.api('/entries?limit=3', key)).body.meta
    for (const query of [`after=${nextCursor}`, `before=${nextCursor}`, 'after=', 'before=x', 'after=1&after=2']) {
      const refused = await demo(`/entries?${query}`)
      assertError(refused, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(refused), [query.split('=')[0]])
    }
    assert.deepEqual(fieldsOf(await demo('/account/logs?offset=0')), ['offset'])
    assert.equal(await remaining(), POOL)
  })

  test('the filters of own keys are dropped unread, valid or not', async () => {
    const { data, meta } = (await demo('/entries')).body
    const valid = 'assetKey=AAPL&language=de&hasAssets=false&sortBy=publishedAt:asc&publishedBefore=2026-01-01'
    const bad = 'assetId=x&sentimentScoreMin=9&publishedAfter=never&sortBy=up&hasAssets=1&topicSlug=%00&countryCode='
    for (const query of [valid, bad, `${bad}&${bad}`]) {
      const reply = await demo(`/entries?${query}`)
      assertOk(reply)
      assert.deepEqual(reply.body, { success: true, data, meta })
    }
    const { meta: searched } = (await demo('/entries?search=bank')).body
    assert.ok(searched.totalCount > 0 && searched.totalCount < meta.totalCount, 'search is for all')
  })

  test('240 requests a minute are shared; beyond them 429 with a Retry-After that works, free of charge', async () => {
    const replies = await many(PER_MINUTE + 10, '/stats')
    assert.equal(replies[200]?.length, PER_MINUTE)
    assert.equal(replies[429]?.length, 10)
    for (const reply of replies[429] ?? []) {
      assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
      assert.equal(reply.headers['retry-after'], '1')
    }
    assertError(await demo('/entries'), 429, 'RATE_LIMIT_EXCEEDED')
    service.clock.advance(SECOND)
    const second = await many(10, '/stats')
    assert.equal(second[200]?.length, PER_MINUTE / 60)
    service.clock.advance(MINUTE)
    assert.equal((await many(PER_MINUTE + 1, '/stats'))[200]?.length, PER_MINUTE)
    service.clock.advance(SECOND)
    assert.equal(await remaining(), POOL)
  })

  test('keys can be neither created nor listed nor revoked', async () => {
    const { id: accountId } = (await demo('/account')).body.data
    const [key] = await service.mintick.store.keys.list(accountId)
    assertError(await demo('/account/api-keys', { method: 'POST', body: { name: 'mine' } }), 403, 'FORBIDDEN')
    assertError(await demo('/account/api-keys'), 403, 'FORBIDDEN')
    assertError(await demo(`/account/api-keys/${key?.id}`, { method: 'DELETE' }), 403, 'FORBIDDEN')
    assert.equal((await service.mintick.store.keys.list(accountId)).length, 1)
    assertOk(await demo('/stats'))
  })

  test('the account is the shared demo account with read access to SEC data and without real time', async () => {
    const { data } = (await demo('/account')).body
    assert.equal(data.isDemo, true)
    assert.equal(data.plan.slug, 'demo')
    assert.equal(data.plan.secData, true)
    assert.equal(data.plan.realtimeConnections, 0)
    assert.equal(data.balance, POOL)
  })

  test('after two days of uneven use the ledger adds up to the credit', async () => {
    const { id } = (await demo('/account')).body.data
    let used = 0
    for (let hour = 0; hour < 48; hour += 1) {
      service.clock.advance(HOUR + (hour % 3 === 0 ? 7 * MINUTE : 0))
      used = (hour * 37) % 23
      await many(used, '/entries')
    }
    assert.equal(await service.balance(id), POOL - used)
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
    assert.equal(service.mintick.admission.meter.held(id), 0)
  })
})
