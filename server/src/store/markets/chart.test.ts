import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { batches } from '../../../test/candle-batches.ts'
import { CandleOracle, LENGTHS, lengthOf } from '../../../test/candle-oracle.ts'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { insertMarket, risingCandles } from '../../../test/markets.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { CANDLE_INTERVALS, CHART_RANGES, type ChartRange, type NewCandle } from '../../model/markets.ts'
import { DAY, HOUR, MINUTE } from '../../model/time.ts'
import { createStore, type Store } from '../store.ts'

const NOW = Date.parse('2030-01-01')

onEveryEngine('charts', (engine) => {
  let store: Store
  let close: () => Promise<void>
  before(async () => {
    const opened = await openTestDb(engine)
    close = opened.close
    store = createStore(opened.db)
    await store.assets.insert(builtInAssets, 0)
  })
  after(() => close())

  /** Inserts a market with these candles and returns its chart. */
  const charted = async (candles: { minutes?: NewCandle[]; hours?: NewCandle[]; days?: NewCandle[] }) => {
    const { id } = await insertMarket(store)
    await store.candles.insert(id, '1d', candles.days ?? [], NOW)
    await store.candles.insert(id, '1h', candles.hours ?? [], NOW)
    await store.candles.insert(id, '1m', candles.minutes ?? [], NOW)
    return async (range: ChartRange) => {
      const series = await store.markets.findSeries(id)
      assert.ok(series)
      const chart = await store.candles.chart(series, range)
      return { ...chart, count: chart.points.length, from: chart.points[0]?.at, to: chart.points.at(-1)?.at }
    }
  }
  const at = (text: string) => Date.parse(text)

  test('with a year of days and a week of minutes, each range uses the finest interval that covers it', async () => {
    const today = at('2026-03-02')
    const chart = await charted({
      days: risingCandles(today - 365 * DAY, DAY, 358),
      minutes: risingCandles(today - 7 * DAY, MINUTE, 7 * 1_440),
    })
    const shown = async (range: ChartRange) => {
      const { interval, count, from } = await chart(range)
      return [interval, count, from]
    }
    assert.deepEqual(await shown('1d'), ['5m', 288, '2026-03-01T00:00:00.000Z'])
    assert.deepEqual(await shown('5d'), ['15m', 480, '2026-02-25T00:00:00.000Z'])
    assert.deepEqual(await shown('1mo'), ['1d', 28, '2026-02-02T00:00:00.000Z'])
    assert.deepEqual(await shown('ytd'), ['1d', 60, '2026-01-01T00:00:00.000Z'])
    assert.deepEqual(await shown('1y'), ['1d', 365, '2025-03-02T00:00:00.000Z'])
    assert.deepEqual(await shown('max'), ['1d', 365, '2025-03-02T00:00:00.000Z'])
    assert.equal((await chart('1mo')).previousClose, 100 + 337)
    assert.equal((await chart('max')).previousClose, null)
  })

  test('a closed market shows the minutes of its last session and the close before it', async () => {
    const session = (day: string, price: number) => risingCandles(at(`${day}T14:30Z`), MINUTE, 390, price)
    const chart = await charted({ minutes: [...session('2026-02-26', 100), ...session('2026-02-27', 1_000)] })
    const { interval, count, from, to, previousClose } = await chart('1d')
    assert.deepEqual(
      [interval, count, from, to, previousClose],
      ['1m', 390, '2026-02-27T14:30:00.000Z', '2026-02-27T20:59:00.000Z', 490],
    )
  })

  test('a history shorter than the range uses its finest interval', async () => {
    const chart = await charted({ minutes: risingCandles(at('2026-02-20'), MINUTE, 10_000) })
    for (const range of ['1y', '5y', 'max', '1mo'] as const) {
      const { interval, count, previousClose } = await chart(range)
      assert.deepEqual([interval, count, previousClose], ['30m', 334, null])
    }
  })

  test('minutes of last year and of this week do not hide the days between them', async () => {
    const today = at('2026-03-02')
    const chart = await charted({
      days: risingCandles(today - 300 * DAY, DAY, 300),
      minutes: [...risingCandles(today - 280 * DAY, MINUTE, 1_000), ...risingCandles(today - DAY, MINUTE, 1_440)],
    })
    assert.deepEqual([(await chart('6mo')).interval, (await chart('max')).count], ['1d', 300])
  })

  test('a long history uses weeks, then months', async () => {
    const chart = await charted({ days: risingCandles(at('2012-01-01'), DAY, 5_000) })
    assert.deepEqual([(await chart('5y')).interval, (await chart('5y')).count], ['1w', 261])
    assert.deepEqual([(await chart('max')).interval, (await chart('max')).count], ['1mo', 165])
  })

  test('the year to date at the end of the last day of a year is that year', async () => {
    const chart = await charted({ days: risingCandles(at('2024-12-01'), DAY, 31 + 365) })
    const { from, to, previousClose } = await chart('ytd')
    assert.deepEqual([from, to, previousClose], ['2025-01-01T00:00:00.000Z', '2025-12-31T00:00:00.000Z', 131])
  })

  test('one month before the 31st is the last day of a shorter month', async () => {
    const chart = await charted({ hours: risingCandles(at('2026-01-01'), HOUR, 89 * 24 + 12) })
    assert.deepEqual([(await chart('1mo')).from, (await chart('1mo')).interval], ['2026-02-28T12:00:00.000Z', '4h'])
  })

  test('a market without candles has a chart without points', async () => {
    const { points, previousClose, range } = await (await charted({}))('5d')
    assert.deepEqual({ points, previousClose, range }, { points: [], previousClose: null, range: '5d' })
  })

  test('any mixture of levels uses the finest interval that covers everything', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.constantFrom(...CHART_RANGES), async (given, range) => {
        const { id } = await insertMarket(store)
        const empty = await store.markets.findSeries(id)
        assert.ok(empty)
        const oracle = new CandleOracle(empty)
        for (const { interval, candles } of given) {
          await store.candles.insert(id, interval, candles, NOW)
          oracle.insert(interval, candles)
        }
        const series = await store.markets.findSeries(id)
        assert.ok(series)
        const chart = await store.candles.chart(series, range)
        const last = oracle.atoms().at(-1)
        if (last === undefined) return assert.deepEqual(chart.points, [])

        const start = naiveStart(range, last.openedAt, last.openedAt + LENGTHS[last.interval])
        const due = oracle.atoms().filter(({ openedAt }) => openedAt >= start)
        const pointsIn = (interval: (typeof CANDLE_INTERVALS)[number]) =>
          oracle.candles(interval, NOW).filter(({ openedAt }) => Date.parse(openedAt) >= start)
        const finest = CANDLE_INTERVALS.find(
          (interval) =>
            due.every((atom) => LENGTHS[atom.interval] <= lengthOf(interval)) && pointsIn(interval).length <= 500,
        )
        assert.equal(chart.interval, finest)
        assert.deepEqual(
          chart.points,
          pointsIn(chart.interval).map(({ openedAt, close, volume }) => ({ at: openedAt, price: close, volume })),
        )
        const before = oracle.atoms().findLast((atom) => atom.openedAt + LENGTHS[atom.interval] <= start)
        assert.equal(chart.previousClose, before?.close ?? null)
      }),
      { numRuns: runs(engine === 'sqlite' ? 8 : 3, engine === 'sqlite' ? 150 : 60) },
    )
  })
})

function naiveStart(range: ChartRange, openedAt: number, end: number): number {
  const months = { '1mo': 1, '3mo': 3, '6mo': 6, '1y': 12, '5y': 60 }
  if (range === '1d') return end - DAY
  if (range === '5d') return end - 5 * DAY
  if (range === 'max') return Number.NEGATIVE_INFINITY
  if (range === 'ytd') return Date.UTC(new Date(openedAt).getUTCFullYear(), 0, 1)
  const date = new Date(end)
  const month = date.getUTCMonth()
  date.setUTCMonth(month - months[range])
  // A missing day of the month overflows into the next month.
  while ((((month - months[range]) % 12) + 12) % 12 !== date.getUTCMonth()) date.setUTCDate(date.getUTCDate() - 1)
  return date.getTime()
}
