import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { builtInAssets } from '../../src/catalogue/built-in/assets.ts'
import { CANDLE_INTERVALS, MARKET_TYPES, type Market, type NewMarket } from '../../src/model/markets.ts'
import { DAY, HOUR, MINUTE } from '../../src/model/time.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'
import { newMarket, risingCandles } from '../markets.ts'

const NAMES = ['Bitcoin / US dollar', 'Société Générale', 'Gold spot', 'gold futures', 'BTC perpetual', '日本 index']
const SYMBOLS = ['btc-usd', 'BTC.P', 'BTCUSD', 'GLE_PA', 'XAU', 'XAU-F', 'Z', 'AA', 'A.B', 'A-B', 'AB', 'a1', 'NIKKEI']
const ASSETS = builtInAssets.slice(0, 4)
const VENUES = ['Testex', 'NYSE', 'São Paulo']
const SORTS = ['symbol', 'changePercent', 'dayVolume'].flatMap((name) => [`${name}:asc`, `${name}:desc`])
const CURRENCIES = ['USD', 'EUR', 'JPY']

/** Markets with every combination of attributes; some have no candles, some the same change. */
const MARKETS: NewMarket[] = SYMBOLS.map((symbol, index) =>
  newMarket({
    symbol,
    name: NAMES[index % NAMES.length] ?? '',
    assetKey: ASSETS[index % ASSETS.length]?.key ?? '',
    type: MARKET_TYPES[index % MARKET_TYPES.length] ?? 'stock',
    venue: VENUES[index % VENUES.length] ?? '',
    quoteCurrency: CURRENCIES[index % 2] ?? '',
    volumeDecimals: index % 4,
  }),
)

interface Filter {
  params: Record<string, string>
  matches(market: Market): boolean
}

const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const asset = (key: string) => builtInAssets.find((candidate) => candidate.key === key)

const filters: fc.Arbitrary<Filter> = fc.oneof(
  some(MARKET_TYPES).map((types) => ({
    params: { type: types.join(',') },
    matches: ({ type }: Market) => types.includes(type),
  })),
  some(VENUES).map((venues) => ({
    params: { venue: venues.join(',').toLowerCase() },
    matches: ({ venue }: Market) => venues.includes(venue),
  })),
  some(CURRENCIES).map((codes) => ({
    params: { quoteCurrency: codes.join(',').toLowerCase() },
    matches: ({ quoteCurrency }: Market) => codes.includes(quoteCurrency),
  })),
  some(ASSETS).map((assets) => ({
    params: { assetKey: assets.map(({ key }) => key.toLowerCase()).join(',') },
    matches: ({ assetKey }: Market) => assets.some(({ key }) => key === assetKey),
  })),
  some(ASSETS).map((assets) => ({
    params: { assetId: assets.map(({ id }) => id).join(',') },
    matches: ({ assetId }: Market) => assets.some(({ id }) => id === assetId),
  })),
  some(['b', 'BTC', 'usd', 'btc-u', 'gold', 'go', 'societe', 'GÉN', '日', 'zzz', '%', '_', "'", 'oin']).map(
    (texts) => ({
      params: { search: texts.join(' ') },
      matches: (market: Market) => hasWords(market, texts.join(' ')),
    }),
  ),
)

function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/\p{Script=Han}/gu, ' $& ').match(/[\p{L}\p{N}]+/gu) ?? []
}

function hasWords({ symbol, name, assetKey }: Market, search: string): boolean {
  const words = wordsIn(`${symbol} ${name} ${assetKey}`)
  const wanted = wordsIn(search)
  return wanted.length > 0 && wanted.every((word) => words.some((candidate) => candidate.startsWith(word)))
}

function sorted(markets: readonly Market[], sort: string): string[] {
  const [field, direction] = sort.split(':') as ['symbol' | 'changePercent' | 'dayVolume', 'asc' | 'desc']
  const sign = direction === 'asc' ? 1 : -1
  const bySymbol = (a: Market, b: Market) => (a.symbol < b.symbol ? -1 : 1)
  return markets
    .toSorted((a, b) => {
      if (field === 'symbol') return sign * bySymbol(a, b)
      const [one, other] = [a[field], b[field]]
      if (one === null || other === null) return Number(one === null) - Number(other === null) || bySymbol(a, b)
      return sign * (one - other) || bySymbol(a, b)
    })
    .map(({ id }) => id)
}

onEveryEngine('markets', (engine) => {
  const service = serviceForSuite(engine)
  let account: { id: string; key: string }
  const start = Date.parse('2026-02-01')
  const [first] = MARKETS
  assert.ok(first)
  before(async () => {
    const { store, clock } = service.mintick
    await store.assets.insert(builtInAssets, clock.now())
    await store.markets.insert(MARKETS, clock.now())
    for (const [index, { id }] of MARKETS.entries()) {
      if (index % 5 === 4) continue
      const days = risingCandles(start, DAY, 1 + (index % 3), 10 + (index % 2) * 20)
      const candles = days.map((candle) => ({ ...candle, volume: 1 + (index % 4) }))
      await store.candles.insert(id, '1d', candles, clock.now())
    }
    await store.candles.insert(first.id, '1m', risingCandles(start + 10 * DAY, MINUTE, 2_000), clock.now())
    account = await service.openUnlimited()
  })

  const get = async (path: string, key = account.key) => {
    const reply = await service.api(path, key)
    assertOk(reply)
    return reply.body
  }
  const refused = async (path: string, field: string, key = account.key) => {
    const reply = await service.api(path, key)
    assertError(reply, 400, 'BAD_REQUEST')
    assert.deepEqual(fieldsOf(reply), [field], path)
  }

  test('any filters, sort and limit, walked page by page, give the filtered and sorted whole', async () => {
    const all: Market[] = (await get('/markets?limit=100')).data
    assert.equal(all.length, MARKETS.length)
    const asked = fc.record({
      given: fc.uniqueArray(filters, { maxLength: 2, selector: ({ params }) => Object.keys(params)[0] }),
      sort: fc.constantFrom(...SORTS),
      limit: fc.integer({ min: 1, max: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ given, sort, limit }) => {
        const matching = all.filter((market) => given.every(({ matches }) => matches(market)))
        const whole = sorted(matching, sort)
        const params = { ...Object.assign({}, ...given.map((filter) => filter.params)), sortBy: sort, limit }
        const totalPages = Math.ceil(whole.length / limit)
        for (let page = 1; page <= totalPages + 1; page += 1) {
          const { data, meta } = await get(`/markets?${new URLSearchParams({ ...params, page: String(page) })}`)
          const ids = whole.slice((page - 1) * limit, page * limit)
          assert.deepEqual(
            data.map(({ id }: Market) => id),
            ids,
          )
          assert.deepEqual(meta, {
            ...{ totalCount: whole.length, count: ids.length, limit, page, totalPages },
            prevPage: page === 1 ? null : Math.min(page - 1, Math.max(totalPages, 1)),
            nextPage: page < totalPages ? page + 1 : null,
            ...{ hasMore: page < totalPages, sort, query: params.search ?? null, plan: 'custom' },
          })
        }
      }),
      { numRuns: runs(engine === 'sqlite' ? 8 : 3, engine === 'sqlite' ? 100 : 50) },
    )
  })

  test('a market is found by its id and by its symbol, in any letter case', async () => {
    for (const name of [first.id, first.id.toUpperCase(), 'btc-usd', 'BTC-USD', 'Btc-Usd']) {
      const { data } = await get(`/markets/${name}`)
      assert.deepEqual([data.id, data.symbol, data.assetId], [first.id, 'BTC-USD', asset(first.assetKey)?.id])
      assert.deepEqual(data.intervals, CANDLE_INTERVALS)
      assert.equal((await get(`/markets/${name}/chart`)).data.marketId, first.id)
      assert.equal((await get(`/markets/${name}/candles`)).data.length, 3)
    }
  })

  test('inserting a market again changes nothing', async () => {
    const { store } = service.mintick
    const known = (await get(`/markets/${first.id}`)).data
    await store.markets.insert([{ ...first, name: 'Other' }], 0)
    assert.deepEqual((await get(`/markets/${first.id}`)).data, known)
    await assert.rejects(store.markets.insert([newMarket({ assetKey: 'NONE' })], 0), /asset NONE/)
  })

  test('candles are those of the range, from the end that was asked for', async () => {
    const times = async (query: string) =>
      (await get(`/markets/btc-usd/candles?${query}`)).data.map(({ openedAt }: { openedAt: string }) =>
        openedAt.slice(8, 16),
      )
    assert.deepEqual(await times(''), ['01T00:00', '11T00:00', '12T00:00'])
    assert.deepEqual(await times('interval=1h&maxPoints=2'), ['12T08:00', '12T09:00'])
    assert.deepEqual(await times('interval=1h&maxPoints=2&sortBy=openedAt:desc'), ['12T09:00', '12T08:00'])
    assert.deepEqual(await times('interval=4h&maxPoints=2&openedAfter=2026-02-11T00:01Z'), ['11T04:00', '11T08:00'])
    assert.deepEqual(await times('interval=5m&maxPoints=1&openedBefore=2026-02-11T10:04Z'), ['11T10:00'])
    assert.deepEqual(await times('interval=1m&openedAfter=2026-02-11T00:01Z&openedBefore=2026-02-11T00:02Z'), [
      '11T00:01',
      '11T00:02',
    ])
    assert.deepEqual(await times('openedAfter=2027-01-01'), [])
    assert.deepEqual(await times('openedAfter=0000-01-01&openedBefore=9999-12-31T23:59:59.999-23:59&interval=1w'), [
      '26T00:00',
      '09T00:00',
    ])
    assert.equal((await times('interval=1m&maxPoints=5000')).length, 2_000)
  })

  test('candles followed by their meta, forwards or backwards, are the whole, at any interval and size', async () => {
    const path = '/markets/btc-usd/candles'
    for (const interval of CANDLE_INTERVALS) {
      const whole = await get(`${path}?interval=${interval}&maxPoints=5000`)
      const { hasMore, nextOpenedAfter, nextOpenedBefore, historyStartAt } = whole.meta
      assert.deepEqual([hasMore, nextOpenedAfter, nextOpenedBefore], [false, null, null])
      assert.equal(historyStartAt[interval], whole.data[0].openedAt)
      const maxPoints = Math.ceil(whole.data.length / 3)
      const forwards = []
      for (let from: string | null = historyStartAt[interval]; from !== null; ) {
        const { data, meta } = await get(`${path}?interval=${interval}&maxPoints=${maxPoints}&openedAfter=${from}`)
        assert.deepEqual([meta.count, meta.limit, meta.nextOpenedBefore], [data.length, maxPoints, null])
        assert.equal(meta.hasMore, meta.nextOpenedAfter !== null)
        forwards.push(...data)
        from = meta.nextOpenedAfter
      }
      assert.deepEqual(forwards, whole.data, interval)
      const backwards = []
      for (let to: string | null = '2027-01-01'; to !== null; ) {
        const { data, meta } = await get(`${path}?interval=${interval}&maxPoints=${maxPoints}&openedBefore=${to}`)
        assert.equal(meta.nextOpenedAfter, null)
        backwards.unshift(...data)
        to = meta.nextOpenedBefore
      }
      assert.deepEqual(backwards, whole.data, interval)
    }
  })

  test('an interval without candles says so in its meta', async () => {
    const { symbol } = MARKETS[1] ?? first
    const { data, meta } = await get(`/markets/${symbol}/candles?interval=1h`)
    assert.deepEqual([data, meta.count, meta.hasMore, meta.historyStartAt['1h']], [[], 0, false, null])
    assert.equal(meta.historyStartAt['1d'], '2026-02-01T00:00:00.000Z')
    assert.equal(meta.historyStartAt['1w'], '2026-01-26T00:00:00.000Z')
  })

  test('the key of an asset names its primary market; otherwise the 404 names the candidates', async () => {
    const { store } = service.mintick
    const add = (symbol: string, assetKey: string, given: Partial<NewMarket> = {}) =>
      store.markets.insert([newMarket({ symbol, assetKey, ...given })], 0)
    const symbolOf = async (name: string) => (await get(`/markets/${name}`)).data.symbol
    const refusal = async (path: string) => {
      const reply = await service.api(path, account.key)
      assertError(reply, 404, 'NOT_FOUND')
      return reply.body.error.message
    }
    await add('ETH-EUR', 'ETH', { quoteCurrency: 'EUR' })
    assert.equal(await symbolOf('eth'), 'ETH-EUR', 'the only one')
    await add('ETH-USD', 'ETH')
    assert.equal(await symbolOf('ETH'), 'ETH-USD', 'the only one in the currency of the asset')
    assert.equal((await get('/markets/eth/chart')).data.symbol, 'ETH-USD')
    assert.deepEqual((await get('/markets/eth/candles')).data, [])
    await add('ETH-USD.2', 'ETH')
    for (const path of ['', '/chart', '/candles']) {
      assert.match(await refusal(`/markets/eth${path}`), /: ETH-EUR, ETH-USD, ETH-USD\.2$/)
    }
    await add('SOL-USD', 'SOL', { status: 'inactive' })
    assert.match(await refusal('/markets/SOL'), /SOL-USD/)
    await add('ADA', 'SOL')
    assert.equal(await symbolOf('sol'), 'ADA', 'the only active one')
    assert.equal((await get('/markets/ada')).data.assetKey, 'SOL', 'a symbol comes before a key')
    assert.match(await refusal('/markets/DOGE'), /no asset/i)
  })

  test('a bad parameter answers 400 naming it, an unknown market 404, and neither is charged', async () => {
    const balance = await service.balance(account.id)
    const candles = '/markets/btc-usd/candles'
    for (const interval of ['', '2m', '1M', '1D', 'constructor', '1m,5m', '%00']) {
      await refused(`${candles}?interval=${interval}`, 'interval')
    }
    for (const range of ['', '2d', '1Y', 'all', '__proto__'])
      await refused(`/markets/btc-usd/chart?range=${range}`, 'range')
    for (const points of ['0', '-1', '5001', '1e3', '1.5', '', 'x', '99999999999999999999', 'NaN']) {
      await refused(`${candles}?maxPoints=${points}`, 'maxPoints')
    }
    await refused(`${candles}?sortBy=openedAt:up`, 'sortBy')
    await refused(`${candles}?openedAfter=yesterday`, 'openedAfter')
    await refused(`${candles}?openedBefore=2026-02-30`, 'openedBefore')
    await refused(`${candles}?openedAfter=2026-02-02&openedBefore=2026-02-01`, 'openedAfter')
    for (const type of ['bond', 'stock,', 'Stock', '']) await refused(`/markets?type=${type}`, 'type')
    for (const page of ['0', '-1', '1.5', 'x', '1000001']) await refused(`/markets?page=${page}`, 'page')
    await refused('/markets?assetId=btc', 'assetId')
    await refused('/markets?sortBy=name:asc', 'sortBy')
    for (const path of ['', '/chart', '/candles', '/candles?interval=1m']) {
      assertError(await service.api(`/markets/none${path}`, account.key), 404, 'NOT_FOUND')
    }
    assert.equal(await service.balance(account.id), balance)
  })

  test('the demo key gets three candles and three markets; more, or another page, is 400', async () => {
    service.clock.advance(HOUR)
    const { data } = await get('/markets/btc-usd/candles?interval=1m&sortBy=openedAt:desc&openedAfter=never', DEMO_KEY)
    const newest = (await get('/markets/btc-usd/candles?interval=1m&maxPoints=3')).data
    assert.deepEqual(data, newest, 'in the default order, for sortBy and openedAfter are dropped')
    assert.equal((await get('/markets/btc-usd/candles?maxPoints=2', DEMO_KEY)).data.length, 2)
    for (const points of ['4', '500', '5001']) {
      await refused(`/markets/btc-usd/candles?maxPoints=${points}`, 'maxPoints', DEMO_KEY)
    }
    assert.equal((await get('/markets?type=nonsense&venue=none', DEMO_KEY)).data.length, 3)
    await refused('/markets?page=1', 'page', DEMO_KEY)
    await refused('/markets?limit=4', 'limit', DEMO_KEY)
    assert.equal((await get('/markets?search=gold', DEMO_KEY)).meta.query, 'gold')
  })
})
