import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { builtInAssets } from '../catalogue/built-in/assets.ts'
import { builtInTopics } from '../catalogue/built-in/topics.ts'
import { Json } from '../model/json.ts'
import { SEC_DATASETS } from '../model/sec/datasets.ts'
import { DAY, isoTime } from '../model/time.ts'
import { sampleWorld } from '../sample/world/world.ts'
import { importRows } from './importable.ts'
import { IMPORTABLES, RESOURCE_NAMES, type ResourceName } from './resources.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('importing records', (engine) => {
  const store = storeForSuite(engine)
  before(async () => {
    await store().assets.insert(builtInAssets, NOW)
    await store().topics.insert(builtInTopics, NOW)
    await load('assets', [IMPORTABLES.assets.example])
    await load('markets', [IMPORTABLES.markets.example])
  })
  const intake = { take: async () => ({ added: 1, changed: 0, known: 0, refused: [], ids: [] }) }
  const load = (name: ResourceName, rows: readonly unknown[], update = false, now = NOW) =>
    importRows(IMPORTABLES[name], rows, { update }, { store: store(), intake, now })
  const counts = async (...given: Parameters<typeof load>) => {
    const { added, changed, known, refused, unknownFields } = await load(...given)
    assert.deepEqual(unknownFields, [])
    return [added, changed, known, refused.length]
  }

  for (const name of RESOURCE_NAMES) {
    test(`the example of ${name} is valid and has only known fields`, async () => {
      const { refused, unknownFields } = await load(name, [IMPORTABLES[name].example])
      assert.deepEqual([refused, unknownFields], [[], []])
    })
  }

  test('markets: existing ones change only with update, and never their decimals', async () => {
    const market = {
      symbol: 'tst',
      assetKey: 'aapl',
      type: 'stock',
      quoteCurrency: 'usd',
      timezone: 'America/New_York',
    }
    assert.deepEqual(await counts('markets', [market, market]), [1, 0, 1, 0])
    assert.deepEqual(await counts('markets', [{ symbol: 'TST', venue: 'Exchange' }]), [0, 0, 1, 0])
    assert.deepEqual(await counts('markets', [{ symbol: 'TST', venue: 'Exchange' }], true), [0, 1, 0, 0])
    const found = await store().markets.find('TST')
    assert.deepEqual([found?.venue, found?.assetKey, found?.quoteCurrency], ['Exchange', 'AAPL', 'USD'])
    assert.deepEqual(await counts('markets', [found], true), [0, 0, 1, 0])
    const { refused } = await load(
      'markets',
      [
        { symbol: 'TST', volumeDecimals: 4 },
        { ...market, symbol: 'X', assetKey: 'NONE' },
        { ...market, symbol: 'X', timezone: 'Mars/North' },
        { symbol: 'X' },
      ],
      true,
    )
    assert.deepEqual(
      refused.map(({ reason, field, value }) => [reason, field, value]),
      [
        ['volumeDecimals of an existing market cannot change', 'volumeDecimals', '4'],
        ['assetKey is not an asset of the store; import it first', 'assetKey', '"NONE"'],
        ['timezone must be a time zone such as Europe/Berlin', 'timezone', '"Mars/North"'],
        ['a new market needs assetKey, type and quoteCurrency', null, null],
      ],
    )
  })

  test('candles: times in any form, revisions with update, reasons for the others', async () => {
    const candle = { symbol: 'quux-gbp', interval: '1d', open: '1', high: 3, low: 1, close: 2, volume: '5.5' }
    const days = ['2025-06-02', 'Tue, 03 Jun 2025 00:00:00 GMT', 1748995200, '1749081600000', 20250606]
    const rows = days.map((openedAt) => ({ ...candle, openedAt }))
    assert.deepEqual(await counts('candles', rows), [5, 0, 0, 0])
    const revised = rows.map((row, index) => (index === 1 ? { ...row, close: 3 } : row))
    assert.deepEqual(await counts('candles', revised), [0, 0, 5, 0])
    const before = await store().markets.find('QUUX-GBP')
    assert.deepEqual(await counts('candles', rows, true, NOW + 1), [0, 0, 5, 0])
    assert.deepEqual(await store().markets.find('QUUX-GBP'), before, 'unchanged candles change nothing')
    assert.deepEqual(await counts('candles', revised, true), [0, 1, 4, 0])
    const series = await store().markets.findSeries('QUUX-GBP')
    assert.ok(series)
    const range = {
      interval: '1d',
      openedAfter: Date.parse('2025-06-01'),
      sort: 'openedAt:asc',
      maxPoints: 10,
    } as const
    const listed = await store().candles.list(series, { ...range, openedBefore: Date.parse('2025-06-30') }, NOW)
    assert.deepEqual(
      listed.map(({ openedAt, close, volume }) => [openedAt.slice(0, 10), close, volume]),
      ['02', '03', '04', '05', '06'].map((day) => [`2025-06-${day}`, day === '03' ? 3 : 2, 5.5]),
    )
    const answered = listed.map((one) => ({ ...one, marketId: series.id, interval: '1d' }))
    assert.deepEqual(await counts('candles', answered, true), [0, 0, 5, 0])
    const { refused } = await load('candles', [
      { ...candle, openedAt: '2025-06-02T01:00Z' },
      { ...candle, openedAt: '2025-06-02', high: 0 },
      { ...candle, openedAt: 'tomorrow' },
      { ...candle, openedAt: 1748908800123456 },
      { ...candle, openedAt: '2025-06-02', symbol: 'NONE' },
      { ...candle, openedAt: '2025-06-02', interval: '5m' },
      { ...candle, openedAt: '2025-06-02', close: 'much' },
    ])
    assert.deepEqual(
      refused.map(({ field, value }) => [field, value]),
      [
        ['openedAt', '"2025-06-02T01:00Z"'],
        ['high', '0'],
        ['openedAt', '"tomorrow"'],
        ['openedAt', '1748908800123456'],
        ['symbol', '"NONE"'],
        ['interval', '"5m"'],
        ['close', '"much"'],
      ],
    )
  })

  test('prediction markets: what the API returned can be imported again; history points are added', async () => {
    const market = { ...IMPORTABLES['prediction-markets'].example, slug: 'cut' }
    const point = (at: number, yes: number) => ({ at: isoTime(at), probabilities: { yes, no: 1 - yes } })
    const history = [point(NOW - 2 * DAY, 0.5), point(NOW - DAY, 0.6)]
    assert.deepEqual(await counts('prediction-markets', [{ ...market, history }, market]), [1, 0, 1, 0])
    const answer = async () => {
      const found = await store().predictionMarkets.find('cut', NOW)
      return Json.merge<{ question: string; history: { points: unknown[] } }>(...(found?.parts ?? [])).parse()
    }
    const first = await answer()
    assert.deepEqual(first.history.points, history)
    assert.deepEqual(await counts('prediction-markets', [first], true), [0, 0, 1, 0])
    const change = { venue: 'kalshi', venueMarketId: 'X', slug: 'cut', question: 'Why?', assetKeys: ['TSLA'] }
    const more = { ...change, history: [point(NOW, 0.7)] }
    assert.deepEqual(await counts('prediction-markets', [more]), [0, 0, 1, 0])
    assert.deepEqual(await counts('prediction-markets', [more], true), [0, 1, 0, 0])
    const second = await answer()
    assert.deepEqual([second.question, second.history.points.length], ['Why?', 3])
    const page = { filters: { assetKey: ['TSLA'] }, sort: 'volume:desc', limit: 5, offset: 0 }
    assert.equal((await store().predictionMarkets.page(page, NOW)).totalCount, 1)
    const { refused } = await load('prediction-markets', [
      { ...change, slug: 'new', outcomes: [{ label: 'Yes', odds: 2 }] },
    ])
    assert.deepEqual([refused[0]?.reason, refused[0]?.value], ['outcomes.0.odds is not a known field', '2'])
  })

  test('SEC records: all datasets of the sample, again, and with a change', async () => {
    const { sec } = sampleWorld(NOW)
    for (const dataset of SEC_DATASETS) {
      const rows = sec[dataset].slice(0, 30).map(({ record, detail }) => ({ dataset, ...record, ...detail }))
      assert.deepEqual(await counts('sec', rows), [rows.length, 0, 0, 0], dataset)
      assert.deepEqual(await counts('sec', rows, true), [0, 0, rows.length, 0], dataset)
      const renamed = { ...rows[0], companyName: 'Renamed Company' }
      assert.deepEqual(await counts('sec', [renamed]), [0, 0, 1, 0])
      assert.deepEqual(await counts('sec', [renamed], true), [0, 1, 0, 0])
      const { id = '' } = sec[dataset][0]?.record ?? {}
      const found = (await store().sec.find(dataset, id))?.parse()
      assert.equal(found?.companyName, 'Renamed Company')
      const search = { filters: { search: 'renamed' }, sort: 'filedAt:desc', limit: 5, from: undefined }
      assert.equal((await store().sec.page(dataset, search)).totalCount, found?.supersededById === null ? 1 : 0)
      assert.deepEqual(await counts('sec', [{ dataset, ...found }], true), [0, 0, 1, 0])
    }
  })

  test('SEC records without an id are told apart by filing and line', async () => {
    const { example } = IMPORTABLES.sec
    const rows = ['Ada', 'Ben'].map((sellerName) => ({
      ...example,
      accessionNumber: '0000000001-26-000009',
      sellerName,
    }))
    assert.deepEqual(await counts('sec', [...rows, rows[0]]), [2, 0, 1, 0])
    const page = {
      filters: { accessionNumber: ['0000000001-26-000009'] },
      sort: 'filedAt:desc',
      limit: 5,
      from: undefined,
    }
    const [record] = (await store().sec.page('planned-sales', page)).data.parse()
    assert.deepEqual(
      [record?.filingDate, record?.isAmendment, record?.cik, record?.filedAt],
      ['2026-01-30', false, '0000320193', '2026-01-30T21:30:00.000Z'],
    )
    assert.match(record?.filingUrl ?? '', /^https:\/\/www.sec.gov\/Archives\/edgar\/data\/320193\/000000000126000009\//)
    const { refused } = await load('sec', [
      { ...example, dataset: 'sales' },
      { ...example, units: null },
    ])
    assert.deepEqual(
      refused.map(({ field }) => field),
      ['dataset', 'units'],
    )
  })
})
