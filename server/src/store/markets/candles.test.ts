import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Batch, batches } from '../../../test/candle-batches.ts'
import { CandleOracle, LENGTHS } from '../../../test/candle-oracle.ts'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { insertMarket, risingCandles } from '../../../test/markets.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { CANDLE_INTERVALS, type NewCandle, type StoredInterval } from '../../model/markets.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../model/time.ts'
import { createStore, type Store } from '../store.ts'
import type { CandleRange } from './candle-read.ts'
import type { Series } from './markets.ts'

onEveryEngine('candles', (engine) => {
  let store: Store
  let close: () => Promise<void>
  before(async () => {
    const opened = await openTestDb(engine)
    close = opened.close
    store = createStore(opened.db)
    await store.assets.insert(builtInAssets, 0)
  })
  after(() => close())

  const insertAll = async (given: readonly Batch[], now: number) => {
    const series = await insertMarket(store)
    const oracle = new CandleOracle(series)
    for (const { interval, candles } of given) {
      await store.candles.insert(series.id, interval, candles, now)
      oracle.insert(interval, candles)
    }
    return { series, oracle }
  }
  const list = (series: Series, range: Partial<CandleRange>, now = 0) =>
    store.candles.list(series, { interval: '1d', sort: 'openedAt:asc', maxPoints: 5_000, ...range }, now)

  test('every interval is the roll-up of the finest rows, for any candles in any order', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: -40, max: 40 }), async (given, days) => {
        const now = (given[0]?.candles[0]?.openedAt ?? 0) + days * DAY
        const { series, oracle } = await insertAll(given, now)
        for (const interval of CANDLE_INTERVALS) {
          assert.deepEqual(await list(series, { interval }, now), oracle.candles(interval, now), interval)
        }
      }),
      { numRuns: runs(5, engine === 'sqlite' ? 80 : 40) },
    )
  })

  test('any range, sort and maxPoints match a naive implementation', async () => {
    const ranges = fc.record(
      {
        interval: fc.constantFrom(...CANDLE_INTERVALS),
        sort: fc.constantFrom('openedAt:asc', 'openedAt:desc'),
        maxPoints: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(50, 51, 500, 5_000)),
        after: fc.integer({ min: -200, max: 200 }),
        before: fc.integer({ min: -200, max: 200 }),
        isAligned: fc.boolean(),
      },
      { requiredKeys: ['interval', 'sort', 'maxPoints', 'isAligned'] },
    )
    await fc.assert(
      fc.asyncProperty(batches, fc.array(ranges, { minLength: 15, maxLength: 15 }), async (given, asked) => {
        const { series, oracle } = await insertAll(given, 0)
        for (const { after: low, before: high, isAligned, ...rest } of asked) {
          const anchor = given[0]?.candles[0]?.openedAt ?? 0
          const at = (steps: number) => anchor + steps * (isAligned ? HOUR : 7 * MINUTE + 1)
          const range: CandleRange = {
            ...rest,
            ...(low !== undefined && { openedAfter: at(low) }),
            ...(high !== undefined && { openedBefore: at(high) }),
          }
          assert.deepEqual(await list(series, range), oracle.list(range, 0), JSON.stringify(range))
        }
      }),
      { numRuns: runs(5, engine === 'sqlite' ? 60 : 30) },
    )
  })

  test('the quote of the market derives from its candles', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const now = Date.parse('2030-01-01')
        const { series, oracle } = await insertAll(given, now)
        const atoms = oracle.atoms()
        const [first, last] = [atoms[0], atoms.at(-1)]
        const [before, day] = [null, ...oracle.candles('1d', now)].slice(-2)
        const market = await store.markets.find(series.id)
        if (last === undefined || first === undefined || !day) {
          assert.deepEqual([market?.lastPrice, market?.historyStartAt, market?.intervals], [null, null, []])
          return
        }
        const change = before ? Number((day.close - before.close).toFixed(8)) : null
        const has = (interval: StoredInterval) => given.some((batch) => batch.interval === interval && batch.candles[0])
        assert.deepEqual(
          {
            lastPrice: market?.lastPrice,
            lastPriceAt: market?.lastPriceAt,
            previousClose: market?.previousClose,
            change: market?.change,
            day: [market?.dayOpen, market?.dayHigh, market?.dayLow, market?.dayVolume],
            historyStartAt: market?.historyStartAt,
            intervals: market?.intervals,
          },
          {
            lastPrice: last.close,
            lastPriceAt: isoTime(last.openedAt + LENGTHS[last.interval]),
            previousClose: before?.close ?? null,
            change,
            day: [day.open, day.high, day.low, day.volume],
            historyStartAt: isoTime(first.openedAt),
            intervals: CANDLE_INTERVALS.slice(has('1m') ? 0 : has('1h') ? 4 : 6),
          },
        )
      }),
      { numRuns: runs(5, engine === 'sqlite' ? 60 : 30) },
    )
  })

  test('an open candle moves the quote; the time of the price is that of the insert', async () => {
    const series = await insertMarket(store)
    const open = Date.parse('2026-03-02T10:20:00Z')
    const tick = (price: number): NewCandle => ({
      ...{ openedAt: open, open: 10, high: Math.max(10, price), low: Math.min(10, price), close: price },
      ...{ volume: price, quoteVolume: null, tradeCount: null },
    })
    await store.candles.insert(series.id, '1d', risingCandles(open - 10 * HOUR - 20 * MINUTE - DAY, DAY, 1, 7), open)
    await store.candles.insert(series.id, '1m', [tick(11)], open + 5_000)
    await store.candles.insert(series.id, '1m', [tick(9), tick(12)], open + 9_000)
    const shown = async () => {
      const market = await store.markets.find(series.id)
      return [market?.lastPrice, market?.lastPriceAt, market?.change, market?.changePercent, market?.dayVolume]
    }
    assert.deepEqual(await shown(), [12, '2026-03-02T10:20:09.000Z', 4, 50, 12])
    // Older candles inserted later do not change the time of the last price.
    await store.candles.insert(
      series.id,
      '1d',
      risingCandles(open - 10 * HOUR - 20 * MINUTE - 9 * DAY, DAY, 2),
      open + HOUR,
    )
    assert.deepEqual(await shown(), [12, '2026-03-02T10:20:09.000Z', 4, 50, 12])
    await store.candles.insert(series.id, '1m', [tick(12)], open + HOUR)
    assert.deepEqual((await shown())[1], '2026-03-02T10:21:00.000Z')
    assert.deepEqual(
      (await list(series, { interval: '1m' }, open + 59_999)).map(({ isClosed }) => isClosed),
      [false],
    )
  })

  test('sums are exact where floats are not', async () => {
    const series = await insertMarket(store, { volumeDecimals: 8, quoteVolumeDecimals: 8 })
    const candles = risingCandles(0, MINUTE, 1_000).map((candle) => ({ ...candle, volume: 0.1, quoteVolume: 0.7 }))
    await store.candles.insert(series.id, '1m', candles, 0)
    const [day] = await list(series, { interval: '1d' })
    assert.deepEqual([day?.volume, day?.quoteVolume, day?.vwap], [100, 700, 7])
    const [quarter] = await list(series, { interval: '15m' })
    assert.equal(quarter?.volume, 1.5)
  })

  test('reads volumes beyond the safe integers', async () => {
    const series = await insertMarket(store, { volumeDecimals: 0 })
    const days = risingCandles(0, DAY, 28).map((candle) => ({ ...candle, volume: Number.MAX_SAFE_INTEGER }))
    await store.candles.insert(series.id, '1d', days, 0)
    const [month] = await list(series, { interval: '1mo' })
    assert.equal(month?.volume, 28 * Number.MAX_SAFE_INTEGER)
  })

  test('refuses an invalid candle with the reason and stores nothing of its batch', async () => {
    const series = await insertMarket(store)
    const [good] = risingCandles(0, MINUTE, 1)
    assert.ok(good)
    const bad: [Partial<NewCandle>, RegExp][] = [
      [{ high: 1, low: 2 }, /high is below low/],
      [{ open: 1_000 }, /open is outside/],
      [{ close: 1 }, /close is outside/],
      [{ high: Number.NaN }, /not a number/],
      [{ close: Number.POSITIVE_INFINITY }, /not a number/],
      [{ volume: -1 }, /volume is negative/],
      [{ volume: Number.NaN }, /volume is negative or too large/],
      [{ volume: 1e15 }, /volume is .*too large/],
      [{ quoteVolume: -0.5 }, /quoteVolume is negative/],
      [{ tradeCount: 1.5 }, /tradeCount is not a count/],
      [{ tradeCount: -1 }, /tradeCount is not a count/],
      [{ openedAt: 30_000 }, /1970-01-01T00:00:30.000Z is refused: openedAt is not the start/],
      [{ openedAt: Number.NaN }, /not the start/],
      [{ openedAt: 1e17 }, /not the start/],
    ]
    for (const [change, reason] of bad) {
      const batch = [good, { ...good, openedAt: MINUTE, ...change }]
      await assert.rejects(store.candles.insert(series.id, '1m', batch, 0), reason)
    }
    const notOnTheHour = { ...good, openedAt: MINUTE }
    await assert.rejects(store.candles.insert(series.id, '1h', [notOnTheHour], 0), /not the start/)
    await assert.rejects(store.candles.insert(series.id, '1d', [{ ...good, openedAt: HOUR }], 0), /not the start/)
    await assert.rejects(store.candles.insert('none', '1d', [good], 0), /no market none/)
    assert.deepEqual(await list(series, { interval: '1m' }), [])
  })
})
