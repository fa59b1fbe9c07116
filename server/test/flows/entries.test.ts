/** Entries with parts, and assets by the names that people use. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { endpoints } from '../../src/api/index.ts'
import { hasEnvelope } from '../../src/http/endpoint.ts'
import type { Entry } from '../../src/model/entries.ts'
import { DAY, HOUR, isoTime } from '../../src/model/time.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

onEveryEngine('entries', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })

  const get = async (path: string, key = service.mintick.ownerKey ?? '') => {
    const reply = await service.api(path, key)
    assertOk(reply)
    return reply.body
  }

  test('a list has the parts that are included, as the entry by id has them, and else the plain records', async () => {
    for (const list of ['/entries', '/topics/markets/entries']) {
      const plain = await get(`${list}?limit=6`)
      const { data, meta } = await get(`${list}?limit=6&include=publisher,cluster,entities`)
      assert.deepEqual(meta, plain.meta, 'cursors do not depend on include')
      assert.ok(data.some(({ cluster }: { cluster: unknown }) => cluster !== null))
      for (const [index, { publisher, cluster, entities, ...entry }] of data.entries()) {
        assert.deepEqual(entry, plain.data[index])
        const byId = (await get(`/entries/${entry.id}?include=entities,cluster,publisher`)).data
        assert.deepEqual({ ...entry, publisher, cluster, entities }, byId)
      }
      const [first] = (await get(`${list}?limit=1&include=cluster`)).data
      assert.deepEqual(Object.keys(first), [...Object.keys(plain.data[0]), 'cluster'])
    }
    const found = await get('/entries?query=bitcoin rises&limit=2&include=publisher')
    assert.ok(found.data.every(({ publisher }: { publisher: { slug: string } }) => publisher.slug !== ''))
    assert.deepEqual((await get('/entries?search=nosuchword&include=cluster')).data, [])
    assert.equal((await get('/entries?include=cluster', DEMO_KEY)).data.length, 3)
  })

  test('an unknown part is 400 naming include', async () => {
    for (const include of ['', 'everything', 'cluster,', 'cluster,%00']) {
      const reply = await service.api(`/entries?include=${include}`, service.mintick.ownerKey)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['include'])
    }
  })

  const lists = endpoints.filter(
    ({ query, returns }) => query?.properties.assetKey !== undefined && hasEnvelope(returns),
  )

  for (const { path, query } of lists) {
    test(`${path} finds the records of an asset by its ticker and its symbol as by its key`, async () => {
      const at = path.replace(':id', 'markets')
      const names = ['ticker', ...(path === '/markets' ? [] : ['symbol'])]
      for (const key of ['AAPL', 'BTC', 'SAP.DE']) {
        const { symbol } = (await get(`/assets/${key}`)).data
        const sameSymbol = (await get(`/assets?symbol=${symbol}`)).data.map((asset: { key: string }) => asset.key)
        const byKey = await get(`${at}?limit=5&assetKey=${sameSymbol.join(',')}`)
        for (const name of names) {
          assert.ok(query?.properties[name])
          const byName = await get(`${at}?limit=5&${name}=${symbol.toLowerCase()},NOSUCH`)
          assert.deepEqual(byName.data, byKey.data)
          assert.equal(byName.meta.totalCount, byKey.meta.totalCount)
        }
      }
      for (const name of names) assert.deepEqual((await get(`${at}?${name}=NOSUCH`)).data, [])
    })
  }

  test('counts over time are those of the entries, with any filters, and walk the whole range', async () => {
    const { entries } = service.mintick.store
    const all: Entry[] = []
    for (let after = 0; ; ) {
      const rows = await entries.listAfter(after, 1_000)
      all.push(...rows.map(({ doc }) => JSON.parse(doc)))
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.seq
    }
    const expected = (matching: readonly Entry[], length: number) =>
      [...Map.groupBy(matching, ({ publishedAt }) => Math.floor(Date.parse(publishedAt) / length) * length)]
        .sort(([one], [other]) => one - other)
        .map(([at, group]) => {
          const scores = group.flatMap(({ sentimentScore }) => sentimentScore ?? [])
          const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
          return { at: isoTime(at), count: group.length, sentimentScore: scores.length === 0 ? null : mean }
        })
    const cases: [query: string, matches: (entry: Entry) => boolean][] = [
      ['', () => true],
      ['assetKey=AAPL,MSFT', ({ assetKeys }) => assetKeys.some((key) => ['AAPL', 'MSFT'].includes(key))],
      ['ticker=btc&language=en', ({ assetKeys, language }) => assetKeys.includes('BTC') && language === 'en'],
      ['sentimentScoreMin=0.2', ({ sentimentScore }) => (sentimentScore ?? -1) >= 0.2],
      ['topicSlug=none', () => false],
      ['asOf=2026-01-20T12:00:00Z', ({ createdAt }) => createdAt <= '2026-01-20T12:00:00.000Z'],
      [
        'asOf=2026-02-05&language=en',
        ({ createdAt, language }) => createdAt <= '2026-02-05T00:00:00.000Z' && language === 'en',
      ],
    ]
    const times = all.map(({ publishedAt }) => publishedAt).sort()
    const [first = '', middle = ''] = [times[0], times[Math.floor(times.length / 2)]]
    for (const [interval, length] of [
      ['1h', HOUR],
      ['1d', DAY],
    ] as const) {
      for (const [query, matches] of cases) {
        for (const [publishedAfter, publishedBefore] of [
          [first, undefined],
          [middle, undefined],
          [first, middle],
        ]) {
          const inRange = ({ publishedAt }: Entry) =>
            publishedAt >= (publishedAfter ?? '') && publishedAt <= (publishedBefore ?? '9')
          const until = publishedBefore === undefined ? '' : `&publishedBefore=${publishedBefore}`
          const found = []
          for (let from: string | null = publishedAfter ?? ''; from !== null; ) {
            const { data, meta } = await get(
              `/entries/counts?interval=${interval}&${query}&publishedAfter=${from}${until}`,
            )
            assert.deepEqual([meta.count, meta.interval, meta.publishedAfter], [data.length, interval, from])
            assert.equal(meta.hasMore, meta.nextPublishedAfter !== null)
            assert.ok(meta.publishedBefore <= isoTime(service.clock.now() + length), meta.publishedBefore)
            found.push(...data)
            from = meta.nextPublishedAfter
          }
          const wanted = expected(
            all.filter((entry) => matches(entry) && inRange(entry)),
            length,
          )
          assert.deepEqual(found.map(counted), wanted.map(counted), `${interval} ${query}`)
          for (const [index, { sentimentScore }] of found.entries()) {
            const score = wanted[index]?.sentimentScore ?? null
            if (score === null) assert.equal(sentimentScore, null)
            else assert.ok(Math.abs(sentimentScore - score) <= 0.00005 + 1e-9, `${sentimentScore} ${score}`)
          }
        }
      }
    }
  })

  test('counts follow new, changed and removed entries', async () => {
    const { entries } = service.mintick.store
    const path = '/entries/counts?assetKey=TSLA&publishedAfter=2020-01-01'
    const total = async () =>
      (await walkCounts(path)).reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    const before = await total()
    const past = await get(`/entries/counts?assetKey=TSLA&asOf=${isoTime(service.clock.now() - DAY)}`)
    const [tesla] = (await get('/entries?assetKey=TSLA&limit=1')).data
    const now = service.clock.now()
    const [source] = await entries.listSourcesBy('id', [tesla.id], 0)
    assert.ok(source)
    const [publisher] = (await get('/publishers?limit=1')).data
    const added = { ...tesla, id: randomUUID(), url: 'https://new.example/1', content: null, publisherId: publisher.id }
    await entries.insert([{ ...added, publishedAt: Date.parse(tesla.publishedAt), createdAt: now }])
    assert.equal(await total(), before + 1)
    assert.deepEqual(await get(`/entries/counts?assetKey=TSLA&asOf=${isoTime(now - DAY)}`), past)
    await entries.update([{ id: added.id, assetKeys: ['AAPL'] }], now)
    assert.equal(await total(), before)
    await entries.remove([tesla.id], now)
    assert.equal(await total(), before - 1)
  })

  test('without a range, counts are the last intervals; the demo key gets three', async () => {
    const { data, meta } = await get('/entries/counts?interval=1h')
    const now = service.clock.now()
    assert.equal(meta.publishedAfter, isoTime(Math.floor(now / HOUR) * HOUR - 999 * HOUR))
    assert.equal(meta.publishedBefore, isoTime(Math.floor(now / HOUR) * HOUR + HOUR - 1))
    assert.equal(meta.hasMore, false)
    assert.ok(data.length > 100)
    const asOf = now - 2 * DAY
    const past = (await get(`/entries/counts?interval=1h&asOf=${isoTime(asOf)}`)).meta
    assert.equal(past.publishedBefore, isoTime(Math.floor(asOf / HOUR) * HOUR + HOUR - 1))
    const demo = await get('/entries/counts?interval=1d&publishedAfter=never&language=xx', DEMO_KEY)
    assert.deepEqual(demo.data, (await get('/entries/counts')).data.slice(-3))
    assert.equal(
      (await service.api('/entries/counts?publishedAfter=2999-01-01', service.mintick.ownerKey)).headers[
        'x-notice'
      ]?.split(' ')[0],
      'publishedAfter',
    )
  })

  test('the same counts say where to go on only if the request goes on', async () => {
    const path = '/entries/counts?interval=1h&publishedAfter=2025-11-01'
    const { data, meta } = await get(path)
    assert.ok(meta.hasMore)
    const ended = `${path}&publishedBefore=${meta.publishedBefore}`
    for (const [at, hasMore] of [
      [ended, false],
      [path, true],
      [ended, false],
    ] as const) {
      const again = await get(at)
      assert.deepEqual([again.data, again.meta.hasMore], [data, hasMore])
    }
  })

  test('counts refuse what is wrong', async () => {
    for (const [query, field] of [
      ['interval=1w', 'interval'],
      ['interval=', 'interval'],
      ['publishedAfter=now', 'publishedAfter'],
      ['publishedAfter=2026-02-02&publishedBefore=2026-02-01', 'publishedAfter'],
      ['assetId=x', 'assetId'],
      ['sentimentScoreMin=2', 'sentimentScoreMin'],
    ] as const) {
      const reply = await service.api(`/entries/counts?${query}`, service.mintick.ownerKey)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [field], query)
    }
    for (const range of ['publishedAfter=0000-01-01', 'publishedBefore=9999-12-31', 'publishedBefore=1900-01-01'])
      await get(`/entries/counts?interval=1h&${range}`)
  })

  const counted = ({ at, count }: { at: string; count: number }) => ({ at, count })
  const walkCounts = async (path: string) => {
    const found = []
    for (let next = path; ; ) {
      const { data, meta } = await get(next)
      found.push(...data)
      if (!meta.hasMore) return found
      next = path.replace(/publishedAfter=[^&]*/, `publishedAfter=${meta.nextPublishedAfter}`)
    }
  }

  test('a market is found by its symbol', async () => {
    const { data } = await get('/markets?symbol=btc-usd,spy')
    assert.deepEqual(
      data.map(({ symbol }: { symbol: string }) => symbol),
      ['BTC-USD', 'SPY'],
    )
  })
})
