/** The request log as an offset list with filters (spec 2.7). */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isoTime, MINUTE, SECOND } from '../../src/model/time.ts'
import { assertOk } from '../envelope.ts'
import { onEveryEngine, type Reply, serviceForSuite } from '../harness.ts'

const CALLS = 45

onEveryEngine('request log', (engine) => {
  const service = serviceForSuite(engine)
  let key: string
  let second: { id: string; apiKey: string }
  /** Recorded requests, newest first. */
  const calls: {
    requestId: string | undefined
    at: number
    keyed: 'first' | 'second'
    method: string
    status: number
  }[] = []
  /** End of the recorded requests: reading the log adds later records. */
  let end: string

  before(async () => {
    key = (await service.open('enterprise')).key
    const create = { method: 'POST', body: { name: 'second' } }
    second = (await service.api('/account/api-keys', key, create)).body.data
    service.clock.advance(SECOND)
    const kinds = [
      () => service.api('/entries', key),
      () => service.api('/stats', second.apiKey),
      () => service.api('/entries/nope', key),
      () => service.api('/account/api-keys', second.apiKey, { method: 'POST', body: {} }),
      () => service.api('/account/api-keys/nope', key, { method: 'DELETE' }),
    ]
    for (let index = 0; index < CALLS; index += 1) {
      // Several requests share a millisecond: their order must still be stable.
      if (index % 4 === 0) service.clock.advance(SECOND)
      const kind = index % kinds.length
      const reply: Reply = await (kinds[kind] ?? assert.fail)()
      await service.mintick.admission.requestWriter.drain()
      calls.unshift({
        requestId: reply.headers['x-request-id'],
        at: service.clock.now(),
        keyed: kind % 2 === 0 ? 'first' : 'second',
        method: ['GET', 'GET', 'GET', 'POST', 'DELETE'][kind] ?? '',
        status: reply.status,
      })
    }
    end = isoTime(service.clock.now() + SECOND)
    service.clock.advance(MINUTE)
  })

  const read = async (query: string) => {
    const reply = await service.api(`/account/logs?${query}`, key)
    assertOk(reply)
    return reply.body
  }
  const idsOf = (rows: { requestId: string | undefined }[]) => rows.map(({ requestId }) => requestId)
  /** Returns the time range of the recorded requests, without the creation of the second key and later reads. */
  const within = () => `createdAfter=${isoTime(calls.at(-1)?.at ?? 0)}&createdBefore=${end}`

  for (const limit of [1, 7, 15, 44, 45, 46, 100]) {
    test(`offsets by ${limit} walk every call once, newest first, there and back`, async () => {
      const found: (string | undefined)[] = []
      let offset: number | null = 0
      let last = 0
      while (offset !== null) {
        const { data, meta }: { data: { requestId: string }[]; meta: Record<string, number | null> } = await read(
          `${within()}&limit=${limit}&offset=${offset}`,
        )
        found.push(...idsOf(data))
        assert.deepEqual(meta, {
          totalCount: CALLS,
          count: Math.min(limit, CALLS - offset),
          limit,
          offset,
          hasMore: offset + limit < CALLS,
          prevOffset: offset === 0 ? null : offset - limit,
          nextOffset: offset + limit < CALLS ? offset + limit : null,
        })
        last = offset
        offset = meta.nextOffset ?? null
      }
      assert.deepEqual(found, idsOf(calls))
      for (let back: number | null = last; back !== null; ) {
        const { meta }: { meta: { prevOffset: number | null } } = await read(
          `${within()}&limit=${limit}&offset=${back}`,
        )
        assert.ok(meta.prevOffset === null || meta.prevOffset < back)
        back = meta.prevOffset
      }
    })
  }

  test('an offset beyond the end is an empty page that leads back, and one within the first page leads to 0', async () => {
    const beyond = await read(`${within()}&limit=10&offset=1000`)
    assert.deepEqual(beyond.data, [])
    assert.partialDeepStrictEqual(beyond.meta, { totalCount: CALLS, hasMore: false, prevOffset: 990, nextOffset: null })
    const early = await read(`${within()}&limit=10&offset=3`)
    assert.partialDeepStrictEqual(early.meta, { prevOffset: 0, nextOffset: 13 })
  })

  test('the filters apiKeyId, excludeApiKeyId, method, path and statusCode each find exactly their calls, and combine with AND', async () => {
    const cases: [query: string, matches: (call: (typeof calls)[number]) => boolean][] = [
      [`apiKeyId=${second.id}`, ({ keyed }) => keyed === 'second'],
      [`apiKeyId=${second.id.toUpperCase()}`, ({ keyed }) => keyed === 'second'],
      [`excludeApiKeyId=${second.id.toUpperCase()}`, ({ keyed }) => keyed === 'first'],
      [`apiKeyId=${second.id}&excludeApiKeyId=${second.id}`, () => false],
      ['route=GET%20/entries/:id', ({ method, status }) => method === 'GET' && status === 404],
      [
        'route=GET /stats,DELETE /account/api-keys/:id',
        ({ keyed, method }) => (keyed === 'second' && method === 'GET') || method === 'DELETE',
      ],
      ['route=GET /entries/:id&statusCode=200', () => false],
      ['route=get /entries', () => false],
      ['method=POST', ({ method }) => method === 'POST'],
      ['method=post,delete', ({ method }) => method !== 'GET'],
      ['path=/api/v1/entries/nope', ({ method, status }) => method === 'GET' && status === 404],
      ['path=/api/v1/entr', () => false],
      ['statusCode=404', ({ status }) => status === 404],
      ['statusCode=200,400', ({ status }) => status !== 404],
      [`apiKeyId=${second.id}&statusCode=200`, ({ keyed, status }) => keyed === 'second' && status === 200],
      ['method=DELETE&statusCode=200', () => false],
    ]
    for (const [query, matches] of cases) {
      const { data, meta } = await read(`${within()}&limit=100&${query}`)
      assert.deepEqual(idsOf(data), idsOf(calls.filter(matches)), query)
      assert.equal(meta.totalCount, data.length)
    }
  })

  test('createdAfter and createdBefore include their own instant', async () => {
    for (const { at } of calls) {
      const exact = await read(`createdAfter=${isoTime(at)}&createdBefore=${isoTime(at)}`)
      assert.deepEqual(idsOf(exact.data), idsOf(calls.filter((call) => call.at === at)))
      const later = await read(`createdAfter=${isoTime(at + 1)}&createdBefore=${end}&limit=100`)
      assert.deepEqual(idsOf(later.data), idsOf(calls.filter((call) => call.at > at)))
    }
  })
})
