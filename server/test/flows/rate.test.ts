/** Rate limits over the API: spec 5, 7 and 8.1, with design 5. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createSecret, DEMO_KEY } from '../../src/admission/key.ts'
import { DAY, HOUR, isoTime, SECOND } from '../../src/model/time.ts'
import { PLAN_SLUGS, PLANS } from '../../src/plans/plans.ts'
import { some } from '../depth.ts'
import { assertError, assertOk } from '../envelope.ts'
import { instancesOf, onEveryEngine, type Reply, serviceForSuite } from '../harness.ts'

/** Limits high enough that only the hour and day windows apply. */
const FAST = { burst: 100_000, requestsPerMinute: 100_000 }

onEveryEngine('rate limits', (engine) => {
  const service = serviceForSuite(engine)
  beforeEach(() => service.clock.advance(DAY))

  const open = async (overrides: object) => {
    const account = await service.open('custom', 1_000)
    await service.admin(`/accounts/${account.id}`, { method: 'PATCH', body: { overrides } })
    return account
  }
  const call = (key: string) => service.api('/stats', key)
  const calls = async (count: number, key: string) => {
    for (let made = 0; made < count; made += 1) assertOk(await call(key))
  }
  const refusedFor = (reply: Reply) => {
    assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
    assert.match(reply.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    return Number(reply.headers['retry-after'])
  }
  /** Returns the remaining burst, hour and day quotas from the header. */
  const left = ({ headers }: Reply) => [...(headers.ratelimit ?? '').matchAll(/;r=(\d+)/g)].map(([, r]) => Number(r))

  // Larger bursts of the other plans would only take longer.
  for (const slug of some(['free', 'professional', 'starter'] as const, 2)) {
    test(`${slug}: a burst of ${PLANS[slug].burst} passes, the next answers 429, and waiting is rewarded`, async () => {
      const { key } = await service.open(slug)
      const { burst, requestsPerMinute } = PLANS[slug]
      const replies = await Promise.all(Array.from({ length: burst + 20 }, () => call(key)))
      assert.equal(replies.filter(({ status }) => status === 200).length, burst)
      const wait = refusedFor(replies.find(({ status }) => status === 429) ?? assert.fail('nothing was refused'))
      assert.equal(wait, Math.ceil(60 / requestsPerMinute))
      service.clock.advance(wait * SECOND)
      assertOk(await call(key))
    })
  }

  for (const slug of PLAN_SLUGS) {
    test(`${slug}: the headers tell the limits of the plan and what is left of them`, async () => {
      const { key } = await service.open(slug)
      const { burst, requestsPerMinute, requestsPerHour, requestsPerDay } = PLANS[slug]
      const { headers } = await call(key)
      const refill = Math.ceil((burst * 60) / requestsPerMinute)
      const policy = `"burst";q=${burst};w=${refill}, "hour";q=${requestsPerHour};w=3600, "day";q=${requestsPerDay};w=86400`
      assert.equal(headers['ratelimit-policy'], policy)
      assert.deepEqual(left(await call(key)), [burst - 2, requestsPerHour - 2, requestsPerDay - 2])
    })
  }

  test('Retry-After is exact for the pace: a millisecond less is refused, then one request passes', async () => {
    const { key } = await service.open('free')
    await calls(15, key)
    assert.equal(refusedFor(await call(key)), 6)
    service.clock.advance(6 * SECOND - 1)
    assert.equal(refusedFor(await call(key)), 1)
    service.clock.advance(1)
    assertOk(await call(key))
    assert.equal(refusedFor(await call(key)), 6)
  })

  test('the hour and the day are rolling windows that are never overshot, and Retry-After always works', async () => {
    const limits = { requestsPerHour: 20, requestsPerDay: 50 }
    const { key } = await open({ ...FAST, ...limits })
    const passed: number[] = []
    const end = service.clock.now() + 30 * HOUR
    while (service.clock.now() < end) {
      const reply = await call(key)
      if (reply.status === 200) {
        passed.push(service.clock.now())
        service.clock.advance(50 * SECOND)
      } else {
        service.clock.advance(refusedFor(reply) * SECOND)
        assertOk(await call(key))
        passed.push(service.clock.now())
      }
    }
    for (const at of passed) {
      const within = (length: number) => passed.filter((time) => time > at - length && time <= at).length
      assert.ok(within(HOUR) <= limits.requestsPerHour && within(DAY) <= limits.requestsPerDay, isoTime(at))
    }
    assert.ok(passed.length > 50, 'a new day brings new requests')
  })

  test('limits are per key: another key of the same account goes on', async () => {
    const { key } = await service.open('free')
    const created = await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'other' } })
    const other: string = created.body.data.apiKey
    await calls(14, key)
    refusedFor(await call(key))
    await calls(15, other)
    refusedFor(await call(other))
  })

  test('every authenticated request counts, whatever it ends in; one without a valid key does not', async () => {
    const { key } = await service.open('free', 0)
    const revoke = { method: 'DELETE' }
    const expiring = { method: 'POST', body: { name: 'x', expiresAt: isoTime(service.clock.now() + HOUR) } }
    const requests: [status: number, reply: () => Promise<Reply>][] = [
      [200, () => service.api('/stats', key)],
      [400, () => service.api('/entries?limit=0', key)],
      [402, () => service.api('/entries', key)],
      [403, () => service.api('/account/api-keys', key, expiring)],
      [404, () => service.api('/account/api-keys/nope', key, revoke)],
      [404, () => service.api('/no/such/route', key)],
      [404, () => service.api('/entries', key, { method: 'PUT' })],
      [400, () => service.api('/entries/%zz', key)],
    ]
    for (const [index, [status, request]] of requests.entries()) {
      const reply = await request()
      assert.equal(reply.status, status)
      assert.deepEqual(left(reply), [14 - index, 99 - index, 499 - index])
      assertError(await service.api('/stats', `${key.slice(0, -1)}!`), 401, 'UNAUTHORIZED')
    }
    await calls(7, key)
    for (const [, request] of requests) refusedFor(await request())
  })

  test('a request refused with 429 is free and counts nowhere, so that a flood does not lengthen the wait', async () => {
    const { id, key } = await service.open('free', 100)
    await calls(15, key)
    for (let flood = 0; flood < 50; flood += 1) {
      const reply = await service.api('/entries', key)
      assert.equal(refusedFor(reply), 6)
      assert.deepEqual(left(reply), [0, 85, 485])
      assert.deepEqual([reply.headers['x-credits-cost'], reply.headers['x-credits-remaining']], ['0', '100'])
    }
    service.clock.advance(6 * SECOND)
    assert.deepEqual(left(await call(key)), [0, 84, 484])
    assert.equal(await service.balance(id), 100)
  })

  test('hour and day survive a restart of the service on the same store', async () => {
    const { key } = await open({ ...FAST, requestsPerHour: 10, requestsPerDay: 15 })
    await calls(7, key)
    await service.restart()
    assert.deepEqual(left(await call(key)).slice(1), [2, 7])
    await calls(2, key)
    const wait = refusedFor(await call(key))
    await service.restart()
    assert.equal(refusedFor(await call(key)), wait)
    service.clock.advance(wait * SECOND)
    await calls(5, key)
    await service.restart()
    const dayWait = refusedFor(await call(key))
    assert.ok(dayWait > HOUR / SECOND)
    service.clock.advance(dayWait * SECOND)
    assertOk(await call(key))
  })

  test('requests that arrive together after a restart count the past of their key once', async (t) => {
    if (instancesOf(engine) > 1) return t.skip('instances with Redis keep the rates')
    const { key } = await open({ ...FAST, requestsPerHour: 100 })
    await calls(3, key)
    await service.restart()
    const count = t.mock.method(service.mintick.store.requestLog, 'recentByKey')
    const replies = await Promise.all(Array.from({ length: 20 }, () => call(key)))
    assert.equal(count.mock.callCount(), 1)
    assert.equal(Math.min(...replies.map((reply) => left(reply)[1] ?? 0)), 77)
  })

  test('a flood without a valid key meets the limiter of its address; valid keys from there still work', async (t) => {
    if (instancesOf(engine) > 1) return t.skip('each instance watches addresses on its own')
    const [used, unused] = [await service.open(), await service.open()]
    assertOk(await call(used.key))
    const strangers = [undefined, createSecret(), 'nonsense']
    const statuses = new Map<number, number>()
    let wait = 0
    for (let flood = 0; flood < 700; flood += 1) {
      const reply = await service.api('/entries', strangers[flood % strangers.length])
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      if (reply.status === 429) wait = refusedFor(reply)
      else assertError(reply, 401, 'UNAUTHORIZED')
    }
    assert.deepEqual(
      [...statuses],
      [
        [401, 600],
        [429, 100],
      ],
    )
    for (const key of [used.key, unused.key, DEMO_KEY]) assertOk(await call(key))
    assertOk(await service.call('/health'))
    const elsewhere = await service.mintick.app.inject({ url: '/api/v1/entries', remoteAddress: '192.0.2.7' })
    assert.equal(elsewhere.statusCode, 401)
    service.clock.advance(wait * SECOND)
    assertError(await service.api('/entries', undefined), 401, 'UNAUTHORIZED')
  })

  test('a new key takes over what the revoked keys of its account have used', async () => {
    const { key: used } = await service.open('free')
    const create = (key: string) =>
      service.api('/account/api-keys', key, { method: 'POST', body: { name: 'next' } }).then(({ body }) => body.data)
    const [{ id: usedId }] = (await service.api('/account/api-keys', used)).body.data
    const second = await create(used)
    while ((await service.api('/stats', used)).status === 200);
    service.clock.advance(1)
    await service.api(`/account/api-keys/${usedId}`, second.apiKey, { method: 'DELETE' })
    await service.mintick.admission.requestWriter.drain()
    const third = await create(second.apiKey)
    assertError(await service.api('/stats', third.apiKey), 429, 'RATE_LIMIT_EXCEEDED')
    assertOk(await service.api('/stats', second.apiKey))
  })
})
