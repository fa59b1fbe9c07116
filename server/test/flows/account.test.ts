/** Checks that /account, /account/usage and /account/logs agree with the requests made (spec 2.7 and 4.5). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, isoDay, isoTime, MINUTE, SECOND } from '../../src/model/time.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

interface Logged {
  id: string
  requestId: string
  path: string
  query: string | null
  statusCode: number
  errorCode: string | null
  creditsCharged: number
}

onEveryEngine('account', (engine) => {
  const service = serviceForSuite(engine)

  const times = async (count: number, path: string, key: string) => {
    for (let call = 0; call < count; call += 1) await service.api(path, key)
  }
  /** Returns the body of a reply after pending log writes: free requests are logged asynchronously. */
  const settled = async (path: string, key: string) => {
    await service.mintick.admission.requestWriter.drain()
    const reply = await service.api(path, key)
    assertOk(reply)
    return reply.body
  }
  const secondKey = async (key: string) => {
    const reply = await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'second' } })
    return reply.body.data as { id: string; apiKey: string; keyPrefix: string }
  }

  test('usage counts every call by endpoint, key and outcome, with the credits it cost', async () => {
    const { id, key } = await service.open('starter', 1_000)
    const second = await secondKey(key)
    await times(5, '/entries', key)
    await times(3, '/stats', key)
    await times(2, '/entries?limit=0', key)
    await times(1, '/entries/nope', key)
    await times(1, '/nope', key)
    await times(4, '/entries', second.apiKey)

    const { data: usage } = await settled('/account/usage', key)
    assert.deepEqual(usage.requests, { total: 17, succeeded: 13, failed: 4, rateLimited: 0 })
    assert.deepEqual(usage.credits, { used: 9, balance: 991 })
    assert.equal(usage.balance, await service.balance(id))
    assert.deepEqual(
      Object.fromEntries(usage.byEndpoint.map(({ endpoint, ...sums }: { endpoint: string }) => [endpoint, sums])),
      {
        'GET /entries': { requests: 11, failed: 2, credits: 9 },
        'GET /entries/:id': { requests: 1, failed: 1, credits: 0 },
        'GET /stats': { requests: 3, failed: 0, credits: 0 },
        'POST /account/api-keys': { requests: 1, failed: 0, credits: 0 },
        unknown: { requests: 1, failed: 1, credits: 0 },
      },
    )
    const byKey = new Map(usage.byKey.map((row: { keyPrefix: string }) => [row.keyPrefix, row]))
    assert.partialDeepStrictEqual(byKey.get(key.slice(0, 12)), {
      name: 'First key',
      requests: 13,
      failed: 4,
      credits: 5,
    })
    assert.partialDeepStrictEqual(byKey.get(second.keyPrefix), { apiKeyId: second.id, requests: 4, credits: 4 })
    assert.deepEqual(usage.daily, [{ date: isoDay(service.clock.now()), requests: 17, failed: 4, credits: 9 }])

    const again = (await settled('/account/usage', key)).data
    assert.equal(again.requests.total, 18, 'the call for the usage is counted in the next one')
  })

  test('usage says what the calling key has used of its own limits', async () => {
    const { key } = await service.open('starter')
    const { apiKey } = await secondKey(key)
    await times(9, '/stats', apiKey)
    const limitsOf = async (secret: string) =>
      (await settled('/account/usage', secret)).data.limits.map(
        ({ window, limit, used, remaining }: Record<string, unknown>) => [window, limit, used, remaining],
      )
    assert.deepEqual(await limitsOf(apiKey), [
      ['burst', 100, 10, 90],
      ['hour', 1_000, 10, 990],
      ['day', 10_000, 10, 9_990],
    ])
    assert.deepEqual((await limitsOf(key))[1], ['hour', 1_000, 2, 998])
    service.clock.advance(10 * SECOND)
    assert.deepEqual((await limitsOf(apiKey))[0], ['burst', 100, 1, 99])
    const { limits } = (await settled('/account/usage', apiKey)).data
    for (const { resetAt } of limits) assert.ok(Date.parse(resetAt) > service.clock.now())
  })

  test('usage is split by UTC day', async () => {
    const { key } = await service.open('starter')
    const days: string[] = []
    for (const calls of [3, 1, 2]) {
      await times(calls, '/entries', key)
      days.push(isoDay(service.clock.now()))
      service.clock.advance(DAY)
    }
    const { data } = await settled('/account/usage', key)
    assert.deepEqual(data.daily, [
      { date: days[0], requests: 3, failed: 0, credits: 3 },
      { date: days[1], requests: 1, failed: 0, credits: 1 },
      { date: days[2], requests: 2, failed: 0, credits: 2 },
    ])
  })

  test('usage of any range is grouped by day, key and endpoint, and adds up to the log', async () => {
    const { key } = await service.open('professional')
    const second = await secondKey(key)
    const start = service.clock.now()
    for (const calls of [3, 1, 2]) {
      await times(calls, '/entries', key)
      await times(1, '/assets', second.apiKey)
      service.clock.advance(DAY)
    }
    const [first, , third] = [0, 1, 2].map((days) => isoDay(start + days * DAY))
    const ask = async (query: string) => (await settled(`/account/usage?${query}`, key)).data
    const ranged = await ask(`from=${first}&to=${third}&groupBy=day,endpoint`)
    assert.deepEqual(ranged.period, { start: `${first}T00:00:00.000Z`, end: `${third}T00:00:00.000Z` })
    assert.deepEqual(ranged.groups, [
      { date: first, endpoint: 'GET /assets', requests: 1, failed: 0, credits: 1 },
      { date: first, endpoint: 'GET /entries', requests: 3, failed: 0, credits: 3 },
      { date: first, endpoint: 'POST /account/api-keys', requests: 1, failed: 0, credits: 0 },
      { date: isoDay(start + DAY), endpoint: 'GET /assets', requests: 1, failed: 0, credits: 1 },
      { date: isoDay(start + DAY), endpoint: 'GET /entries', requests: 1, failed: 0, credits: 1 },
    ])
    assert.deepEqual([ranged.credits.used, ranged.requests.total, ranged.daily.length], [6, 7, 2])

    const { groups } = await ask(`from=${isoTime(start + 1)}&groupBy=key`)
    assert.deepEqual(
      new Map(groups.map(({ apiKeyId, credits }: { apiKeyId: string; credits: number }) => [apiKeyId, credits])).get(
        second.id,
      ),
      2,
      'a range may start within a day',
    )
    const month = await ask('groupBy=endpoint')
    assert.equal(month.period.start, isoTime(start))
    assert.equal(month.credits.used, 9)
    assert.equal((await ask(`to=${third}`)).credits.used, 6)
    assert.ok(!('groups' in (await ask(`to=${third}`))))
  })

  test('usage of a range without requests is empty, and a bad range answers 400', async () => {
    const { key } = await service.open('professional')
    const { id } = await secondKey(key)
    const day = isoDay(service.clock.now())
    for (const query of [
      `from=${day}&to=${day}`,
      'from=0000-01-01&to=1969-12-31',
      'from=9999-12-31T23:59:59-23:00',
      'to=2001-01-01',
      'from=2200-01-01&to=9999-12-31T23:59-23:59',
    ]) {
      const { data } = await settled(`/account/usage?${query}&groupBy=day,key,endpoint`, key)
      assert.deepEqual([data.groups, data.daily, data.byEndpoint, data.credits.used], [[], [], [], 0])
      assert.equal(data.byKey.find(({ apiKeyId }: { apiKeyId: string }) => apiKeyId === id).requests, 0)
    }
    for (const [query, field] of [
      ['from=2026-02-01&to=2026-01-31', 'from'],
      ['from=yesterday', 'from'],
      ['to=2026-02-30', 'to'],
      ['groupBy=', 'groupBy'],
      ['groupBy=hour', 'groupBy'],
      ['groupBy=day,plan', 'groupBy'],
      ['groupBy=day,key,endpoint,day', 'groupBy'],
    ]) {
      const reply = await service.api(`/account/usage?${query}`, key)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [field])
    }
    const shared = await service.api('/account/usage?groupBy=key&from=2026-01-01', 'mtk_demo')
    assertOk(shared)
    assert.ok(!('groups' in shared.body.data), 'the demo key gets the usual answer')
  })

  test('the account shows its plan, its credits with the monthly ones used first, and its keys', async () => {
    const openedAt = service.clock.now()
    const { id, key } = await service.open('professional')
    await secondKey(key)
    await times(7, '/entries', key)
    const { data } = await settled('/account', key)
    assert.equal(data.id, id)
    assert.match(data.email, /@test\.example$/)
    assert.equal(data.isDemo, false)
    assert.deepEqual([data.plan.slug, data.plan.creditMultiplier], ['professional', 0.9])
    assert.equal(data.balance, 5_093)
    assert.partialDeepStrictEqual(data.credits, {
      balance: 5_093,
      monthlyRemaining: 4_993,
      grantedRemaining: 100,
      purchasedRemaining: 0,
      usedThisPeriod: 7,
      periodStart: isoTime(openedAt),
    })
    assert.equal(data.credits.nextGrantAt, data.credits.periodEnd)
    assert.deepEqual(data.apiKeys, { active: 2, max: 20 })
    assert.deepEqual(data.realtimeConnections, { open: 0, max: 5 })
    assert.equal(data.createdAt, isoTime(openedAt))
  })

  test('the account shows a charge, a new key, its expiry and the next month at once, however often it was read', async () => {
    const { key } = await service.open('professional')
    const read = async () => {
      const { data } = await settled('/account', key)
      assert.deepEqual((await settled('/account', key)).data, data)
      return [data.balance, data.credits.usedThisPeriod, data.apiKeys.active, data.credits.periodStart]
    }
    const [, , , start] = await read()
    await times(2, '/entries', key)
    assert.deepEqual(await read(), [5_098, 2, 1, start])
    const body = { name: 'brief', expiresAt: isoTime(service.clock.now() + HOUR) }
    assertOk(await service.api('/account/api-keys', key, { method: 'POST', body }))
    assert.deepEqual(await read(), [5_098, 2, 2, start])
    service.clock.advance(HOUR)
    assert.deepEqual(await read(), [5_098, 2, 1, start])
    const end = (await settled('/account', key)).data.credits.periodEnd
    service.clock.advance(Date.parse(end) - service.clock.now())
    assert.deepEqual((await read()).slice(1), [0, 1, end])
  })

  test('usage before the period is not part of it, also on its first day', async () => {
    const { key } = await service.open('free', 100)
    const start = Date.parse((await settled('/account', key)).data.credits.periodEnd)
    service.clock.advance(start - 1 - service.clock.now())
    await times(3, '/entries', key)
    await times(2, '/topics', key)
    await service.mintick.admission.requestWriter.drain()
    service.clock.advance(1)
    await times(2, '/entries', key)
    for (const later of [0, HOUR]) {
      service.clock.advance(later)
      const { data } = await settled('/account', key)
      assert.deepEqual([data.credits.usedThisPeriod, data.credits.periodStart], [2, isoTime(start)])
      const usage = (await settled('/account/usage', key)).data
      assert.deepEqual([usage.credits.used, usage.period.start], [2, isoTime(start)])
      assert.deepEqual(
        usage.byEndpoint.filter(({ credits }: { credits: number }) => credits > 0),
        [{ endpoint: 'GET /entries', requests: 2, failed: 0, credits: 2 }],
      )
      assert.equal(usage.daily[0].credits, 2)
      assert.equal(usage.daily[0].requests, usage.requests.total)
    }
  })

  test('a logged call carries the request id, sizes, address and key of the call', async () => {
    const { key } = await service.open('starter')
    const query = 'limit=2&search=what%20now?&x=%F0%9F%92%A9'
    const reply = await service.api(`/entries?${query}`, key)
    const [keyRecord] = (await service.api('/account/api-keys', key)).body.data
    const [row] = (await settled('/account/logs?path=/api/v1/entries', key)).data
    const { id, durationMs, ...rest } = row
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(durationMs > 0)
    assert.deepEqual(rest, {
      requestId: reply.headers['x-request-id'],
      apiKeyId: keyRecord.id,
      keyPrefix: key.slice(0, 12),
      route: 'GET /entries',
      method: 'GET',
      path: '/api/v1/entries',
      query,
      statusCode: 200,
      errorCode: null,
      creditsCharged: 1,
      responseBytes: Number(reply.headers['content-length']),
      createdAt: isoTime(service.clock.now()),
    })
  })

  test('failed calls are logged with their error code and no credits', async () => {
    const { key } = await service.open('free', 0)
    const expiresAt = isoTime(service.clock.now() + HOUR)
    const replies = [
      await service.api('/entries?limit=0', key),
      await service.api('/entries', key),
      await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'x', expiresAt } }),
      await service.api('/nowhere', key),
    ]
    const rows: Logged[] = (await settled('/account/logs', key)).data
    assert.deepEqual(
      rows.map((row) => [row.requestId, row.statusCode, row.errorCode, row.creditsCharged]).reverse(),
      replies.map(({ headers, status, body }) => [headers['x-request-id'], status, body.error.code, 0]),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      [400, 402, 403, 404],
    )
  })

  test('calls refused with 429 are counted as rateLimited and neither logged nor counted otherwise', async () => {
    const { key } = await service.open('free', 50)
    const replies = await Promise.all(Array.from({ length: 25 }, () => service.api('/entries', key)))
    const refused = replies.filter(({ status }) => status === 429)
    assert.equal(refused.length, 10)
    service.clock.advance(MINUTE)
    const { data: usage } = await settled('/account/usage', key)
    assert.deepEqual(usage.requests, { total: 15, succeeded: 15, failed: 0, rateLimited: 10 })
    assert.deepEqual(usage.credits, { used: 15, balance: 35 })
    const { meta } = await settled('/account/logs?limit=1&path=/api/v1/entries', key)
    assert.equal(meta.totalCount, 15)
  })

  test('nothing of one account is seen by another', async () => {
    const [mine, theirs] = [await service.open('starter'), await service.open('starter')]
    await times(5, '/entries', theirs.key)
    const [theirKey] = await service.mintick.store.keys.list(theirs.id)
    const { data: usage } = await settled('/account/usage', mine.key)
    assert.equal(usage.requests.total, 0)
    assert.deepEqual([usage.byEndpoint, usage.daily], [[], []])
    const { data: logs } = await settled('/account/logs', mine.key)
    assert.deepEqual(
      logs.map(({ path }: Logged) => path),
      ['/api/v1/account/usage'],
    )
    assert.equal((await settled(`/account/logs?apiKeyId=${theirKey?.id}`, mine.key)).meta.totalCount, 0)
    assertError(await service.api('/account/logs', undefined), 401, 'UNAUTHORIZED')
  })

  test('the log of the demo account, which all share, does not tell what was asked', async () => {
    await service.api('/entries?search=acquisition', 'mtk_demo')
    const { data } = await settled('/account/logs', 'mtk_demo')
    assert.ok(data.length > 0)
    for (const call of data) assert.equal(call.query, null)
  })

  test('the secret appears in no answer and no log, not even when a caller puts it into the address', async () => {
    const { key } = await service.open('starter')
    await times(2, '/entries', key)
    assert.equal((await service.api(`/entries?apiKey=${key}`, key)).status, 200)
    assert.equal((await service.api(`/entries/${key}`, key)).status, 404)
    for (const path of [
      '/account',
      '/account/usage',
      '/account/logs',
      '/account/api-keys',
      '/nope',
      '/entries?limit=x',
    ]) {
      await service.mintick.admission.requestWriter.drain()
      const { body, headers } = await service.api(path, key)
      assert.ok(!JSON.stringify({ body, headers }).includes(key.slice(12)), path)
    }
  })
})
