import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { HISTORY_INTERVALS, type PredictionMarket } from '../../src/model/prediction-markets.ts'
import { DAY, HOUR, isoTime } from '../../src/model/time.ts'
import { sampleWorld } from '../../src/sample/world/world.ts'
import { runs } from '../depth.ts'
import { assertError, fieldsOf } from '../envelope.ts'
import { FakeClock, onEveryEngine, sampleForSuite } from '../harness.ts'

const MOST_POINTS = 500
const { predictionMarkets: WORLD } = sampleWorld(new FakeClock().now())

type Filter = [name: string, value: string, matches: (market: PredictionMarket) => boolean]

/** Filters, each with a naive predicate. */
const FILTERS: Filter[] = [
  ['venue', 'kalshi,manifold', ({ venue }) => venue !== 'polymarket'],
  ['status', 'open,closed', ({ status }) => status === 'open' || status === 'closed'],
  ['status', 'resolved', ({ status }) => status === 'resolved'],
  ['type', 'categorical,scalar', ({ type }) => type !== 'binary'],
  ['category', 'crypto,ECONOMY', ({ category }) => category === 'Crypto' || category === 'Economy'],
  ['topicSlug', 'bitcoin,Ether', ({ topicSlugs }) => topicSlugs.includes('bitcoin') || topicSlugs.includes('ether')],
  ['assetKey', 'btc,AAPL', ({ assetKeys }) => assetKeys.includes('BTC') || assetKeys.includes('AAPL')],
  ['probabilityMin', '0.25', ({ probability }) => probability !== null && probability >= 0.25],
  ['probabilityMax', '0.75', ({ probability }) => probability !== null && probability <= 0.75],
  ['volumeMin', '250000.5', ({ volume }) => volume >= 250_000.5],
  ['closeAfter', '2026-03-10', ({ closeAt }) => closeAt !== null && Date.parse(closeAt) >= Date.parse('2026-03-10')],
  ['closeBefore', '2026-04-10', ({ closeAt }) => closeAt !== null && Date.parse(closeAt) <= Date.parse('2026-04-10')],
  [
    'search',
    'bitcoin',
    (market) => /\bbitcoin\b/i.test(`${market.question} ${market.eventTitle} ${market.description}`),
  ],
]

const SORTS: Record<string, (market: PredictionMarket) => number> = {
  volume: ({ volume }) => volume,
  closeAt: ({ closeAt }) => Date.parse(closeAt ?? ''),
  probability: ({ probability }) => probability ?? NaN,
  priceChange24h: ({ priceChange24h }) => priceChange24h ?? NaN,
  createdAt: ({ createdAt }) => Date.parse(createdAt),
}

onEveryEngine('prediction markets', (engine) => {
  const { call, get, service } = sampleForSuite(engine)
  const listAll = async (query = ''): Promise<PredictionMarket[]> => {
    const { data, meta } = await get(`/prediction-markets?limit=100${query}`)
    assert.equal(meta.totalCount, data.length)
    return data
  }
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

  test('any filters, sort and limit, page by page, give the filtered and sorted whole', async () => {
    const place = new Map(WORLD.map(({ id }, index) => [id, index]))
    const all = (await listAll()).sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
    assert.deepEqual(ids(all), ids(WORLD))
    const asked = fc.record({
      given: fc.uniqueArray(fc.constantFrom(...FILTERS), { maxLength: 3, selector: ([name]) => name }),
      sort: fc.constantFrom(...Object.keys(SORTS)),
      direction: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 4, max: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ given, sort, direction, limit }) => {
        const keyOf = SORTS[sort] ?? (() => 0)
        const sign = direction === 'asc' ? 1 : -1
        const whole = all
          .map((market, index) => ({ market, index }))
          .filter(({ market }) => given.every(([, , matches]) => matches(market)))
          .sort((a, b) => sign * (keyOf(a.market) - keyOf(b.market) || a.index - b.index))
          .map(({ market }) => market)
        const params = new URLSearchParams(given.map(([name, value]) => [name, value]))
        for (let page = 1; page <= Math.ceil(whole.length / limit) + 1; page += 1) {
          const { data, meta } = await get(
            `/prediction-markets?${params}&sortBy=${sort}:${direction}&limit=${limit}&page=${page}`,
          )
          assert.deepEqual(ids(data), ids(whole.slice((page - 1) * limit, page * limit)))
          assert.deepEqual([meta.totalCount, meta.count], [whole.length, data.length])
        }
      }),
      { numRuns: runs(engine === 'sqlite' ? 8 : 3, engine === 'sqlite' ? 60 : 40) },
    )
  })

  test('a market is found by id and slug in any letter case, as the list has it and with what belongs to it', async () => {
    const all = await listAll()
    const known = new Set(ids(all))
    for (const market of all.filter((_, index) => index % 4 === 0)) {
      const { data } = await get(`/prediction-markets/${market.id.toUpperCase()}`)
      assert.deepEqual((await get(`/prediction-markets/${market.slug.toUpperCase()}`)).data, data)
      const { rules, resolutionSource, history, relatedMarkets, relatedEntryIds, ...rest } = data
      assert.deepEqual(rest, market)
      const given = WORLD.find(({ id }) => id === market.id)
      assert.deepEqual([rules, resolutionSource], [given?.rules, given?.resolutionSource])
      assertHistory(history)
      assert.equal(history.points.at(-1).at, isoTime(given?.history.at(-1)?.at ?? 0))
      for (const related of relatedMarkets) {
        assert.ok(known.has(related.id) && related.id !== market.id)
        const other = all.find(({ id }) => id === related.id)
        const { id, slug, question, status, probability } = other ?? market
        assert.deepEqual(related, { id, slug, question, status, probability })
        const shared = (field: 'assetKeys' | 'topicSlugs') =>
          market[field].some((name) => other?.[field].includes(name))
        assert.ok(shared('assetKeys') || shared('topicSlugs'))
      }
      assert.ok(relatedEntryIds.length <= 10)
      for (const entryId of relatedEntryIds) {
        const { data: entry } = await get(`/entries/${entryId}`)
        const [named, wanted] =
          market.assetKeys.length > 0 ? [entry.assetKeys, market.assetKeys] : [entry.topicSlugs, market.topicSlugs]
        assert.ok(wanted.some((name: string) => named.includes(name)))
      }
    }
    assertError(await call('/prediction-markets/none'), 404, 'NOT_FOUND')
  })

  test('a history never has more points than can be drawn, whatever its length', async () => {
    const { store, clock } = service.mintick
    const [model] = WORLD
    assert.ok(model)
    const now = clock.now()
    for (const [count, step] of [
      [1, HOUR],
      [501, HOUR],
      [2_000, HOUR / 4],
      [3_001, HOUR],
      [4_000, DAY / 4],
      [3_300, 2 * DAY],
    ] as const) {
      const id = randomUUID()
      const history = Array.from({ length: count }, (_, index) => ({
        at: now - (count - 1 - index) * step,
        probabilities: { yes: index / count, no: 1 - index / count },
      }))
      await store.predictionMarkets.insert([{ ...model, id, slug: id, history }], now)
      const { data } = await get(`/prediction-markets/${id}`)
      assertHistory(data.history)
      const last = history.at(-1)
      assert.deepEqual(data.history.points.at(-1), { at: isoTime(now), probabilities: last?.probabilities })
      if (count === 1) assert.equal(data.history.points.length, 1)
    }
  })

  test('a history has the interval that is asked for; another one is 400 and not charged', async () => {
    const [{ id }] = (await get('/prediction-markets?limit=1')).data
    for (const interval of HISTORY_INTERVALS) {
      const { history } = (await get(`/prediction-markets/${id}?interval=${interval}`)).data
      assert.equal(history.interval, interval)
      assertHistory(history)
    }
    const account = await service.open('enterprise', 10)
    for (const interval of ['', '2h', '1D', '1h,1d', '%00']) {
      const reply = await service.api(`/prediction-markets/${id}?interval=${interval}`, account.key)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['interval'])
    }
    assert.equal(await service.balance(account.id), 10)
  })

  test('new odds move probability, changes, history and the order of lists', async () => {
    const { store, clock } = service.mintick
    const market = (await listAll('&status=open')).find(({ type }) => type === 'binary')
    assert.ok(market)
    const place = async (query: string) => ids(await listAll(query)).indexOf(market.id)
    const above = await get('/prediction-markets?probabilityMin=0.99')
    const record = async (yes: number, at: number) => {
      const odds = { at, probabilities: { yes, no: 1 - yes } }
      await store.predictionMarkets.recordOdds(market.id, odds, clock.now())
      assert.deepEqual(await store.predictionMarkets.lastOdds(market.id), odds)
      return (await get(`/prediction-markets/${market.id}`)).data
    }
    service.clock.advance(8 * DAY)
    const start = clock.now()
    await record(0.5, start)
    service.clock.advance(7 * DAY - 12 * HOUR)
    await record(0.25, clock.now())
    service.clock.advance(12 * HOUR)
    const moved = await record(0.999, clock.now())
    assert.equal(moved.probability, 0.999)
    assert.deepEqual([moved.priceChange24h, moved.priceChange7d], [0.499, 0.499], 'against the last odds known then')
    assert.equal(moved.updatedAt, isoTime(clock.now()))
    const quoted = (share: number, priceChange24h: number) => ({
      ...{ probability: share, bestBid: null, bestAsk: null, lastPrice: share, priceChange24h, isWinner: null },
    })
    const [yes, no] = market.outcomes
    assert.deepEqual(moved.outcomes, [
      { ...yes, ...quoted(0.999, 0.499) },
      { ...no, ...quoted(1 - 0.999, -0.499) },
    ])
    assert.deepEqual(moved.history.points.at(-1), {
      at: isoTime(clock.now()),
      probabilities: { yes: 0.999, no: 1 - 0.999 },
    })
    assertHistory(moved.history)
    const { rules: _, resolutionSource: _1, history: _2, relatedMarkets: _3, relatedEntryIds: _4, ...listed } = moved
    assert.deepEqual((await get('/prediction-markets?sortBy=probability&limit=1&status=open')).data, [listed])
    assert.equal(await place('&sortBy=priceChange24h:desc'), 0)
    const total = (await get('/prediction-markets?probabilityMin=0.99')).meta.totalCount
    assert.equal(total, above.meta.totalCount + 1)

    service.clock.advance(DAY)
    const steady = await record(0.001, clock.now())
    assert.deepEqual([steady.priceChange24h, steady.probability], [-0.998, 0.001])
    assert.equal((await get('/prediction-markets?probabilityMin=0.99')).meta.totalCount, above.meta.totalCount)
    const [first] = await listAll('&sortBy=probability:asc&status=open')
    assert.equal(first?.id, market.id)
    await assert.rejects(
      store.predictionMarkets.recordOdds(randomUUID(), { at: 0, probabilities: {} }, 0),
      /no prediction market/,
    )
  })

  test('odds that arrive late go into the history, and the newest stay in force', async () => {
    const { store, clock } = service.mintick
    const [market] = await listAll('&status=open&type=binary')
    assert.ok(market)
    service.clock.advance(10 * DAY)
    const now = clock.now()
    await store.predictionMarkets.recordOdds(market.id, { at: now, probabilities: { yes: 0.6, no: 0.4 } }, now)
    const { data: before } = await get(`/prediction-markets/${market.id}`)
    const late = { at: now - 30 * HOUR, probabilities: { yes: 0.1, no: 0.9 } }
    await store.predictionMarkets.recordOdds(market.id, late, now)
    const { data } = await get(`/prediction-markets/${market.id}`)
    assert.equal(data.probability, 0.6)
    assert.equal(data.priceChange24h, 0.5, 'the late odds are now the last ones known a day ago')
    assert.deepEqual(data.history.points.at(-1), before.history.points.at(-1))
    assertHistory(data.history)
  })
})

interface History {
  interval: string
  points: { at: string; probabilities: Record<string, number> }[]
}

function assertHistory({ points }: History): void {
  assert.ok(points.length > 0 && points.length <= MOST_POINTS, `${points.length} points`)
  const times = points.map(({ at }) => at)
  assert.deepEqual(times, [...new Set(times)].sort())
  for (const { probabilities } of points) {
    assert.ok(Object.values(probabilities).every((share) => share >= 0 && share <= 1))
  }
}
