import { CANDLE_INTERVALS, type CandleInterval, type Chart, type ChartRange } from '../../model/markets.ts'
import { DAY } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { BEGINNING, countCandlesAfter, END, readCandlesFrom } from './candle-blocks.ts'
import { CandleColumns } from './candle-columns.ts'
import { candleTime, DAYS, HOURS, MINUTES, opensAt, QUARTERS, READ_FROM } from './candle-intervals.ts'
import { readCandles } from './candle-read.ts'
import { tradedVolume } from './candle-units.ts'
import { findLastClose } from './closing-prices.ts'
import type { Series } from './markets.ts'

const MAX_POINTS = 500
const MAX_MONTHS = 5_000

/** Reads a chart. Its range ends at the last price, so a closed market shows its last session. */
export async function readChart(db: Db, series: Series, range: ChartRange): Promise<Chart> {
  const from = startOf(range, series.lastPriceAt ?? 0)
  const { interval, candles } = await readPoints(db, series, from)
  return {
    marketId: series.id,
    symbol: series.symbol,
    currency: series.quoteCurrency,
    timezone: series.timezone,
    range,
    interval,
    previousClose: (await findLastClose(db, series.ref, from))?.price ?? null,
    points: Array.from(candles.openedAt, (at, place) => ({
      at: candleTime(at),
      price: candles.close[place] ?? 0,
      volume: tradedVolume(candles.volume.at(place) ?? 0, series),
    })),
  }
}

function startOf(range: ChartRange, lastPriceAt: number): number {
  switch (range) {
    case '1d':
      return lastPriceAt - DAY
    case '5d':
      return lastPriceAt - 5 * DAY
    case '1mo':
      return monthsBefore(lastPriceAt, 1)
    case '3mo':
      return monthsBefore(lastPriceAt, 3)
    case '6mo':
      return monthsBefore(lastPriceAt, 6)
    case '1y':
      return monthsBefore(lastPriceAt, 12)
    case '5y':
      return monthsBefore(lastPriceAt, 60)
    case 'ytd':
      // The end of the last day of a year belongs to that year.
      return opensAt('1d', new Date(lastPriceAt - 1).setUTCMonth(0, 1))
    case 'max':
      return BEGINNING
  }
}

/** Returns the same day of an earlier month, or the last day of that month. */
function monthsBefore(time: number, months: number): number {
  const date = new Date(time)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - months, 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.setUTCDate(Math.min(day, lastDay))
}

interface Points {
  interval: CandleInterval
  candles: CandleColumns
}

/** Reads the finest interval that has few enough points and covers all that coarser ones cover. */
async function readPoints(db: Db, { ref, lastPriceAt }: Series, from: number): Promise<Points> {
  if (lastPriceAt === null) return { interval: '1d', candles: new CandleColumns(0) }
  const read = (interval: CandleInterval, maxPoints: number) =>
    readCandles(db, ref, { interval, openedAfter: from, sort: 'openedAt:asc', maxPoints })

  const counts = await countCandlesAfter(db, ref, from, CHART_LEVELS)
  const received = new Map<number, boolean>()
  for (const { level, max, intervals } of CHART_LEVELS) {
    const count = counts.get(level) ?? 0
    if (count > max) continue
    for (const coarser of [DAYS, HOURS].filter((other) => other > level)) {
      if (!received.has(coarser)) received.set(coarser, await hasReceived(db, ref, { level: coarser, from, max }))
    }
    if ((level < DAYS && received.get(DAYS)) || (level < HOURS && received.get(HOURS))) continue
    for (const interval of intervals.filter((one) => count <= MAX_POINTS * READ_FROM[one].parts)) {
      const { candles, hasMore } = await read(interval, MAX_POINTS)
      if (candles.length === 0) break
      if (!hasMore) return { interval, candles }
    }
  }
  const { candles } = await read('1mo', MAX_MONTHS)
  return { interval: '1mo', candles }
}

/** The levels of a chart with their intervals and the number of candles above which none has few enough points. */
const CHART_LEVELS = [MINUTES, QUARTERS, HOURS, DAYS].map((level) => {
  const intervals = CANDLE_INTERVALS.filter((interval) => READ_FROM[interval].level === level)
  return { level, intervals, max: MAX_POINTS * Math.max(...intervals.map((interval) => READ_FROM[interval].parts)) }
})

/**
 * Returns whether part of the range is known only at this level. A rolled-up candle has finer ones, of which there are
 * at most `max`, so a candle that was not rolled up is among the first max + 1 or does not exist.
 */
async function hasReceived(
  db: Db,
  ref: number,
  { level, from, max }: { level: number; from: number; max: number },
): Promise<boolean> {
  for (const limit of [1, max + 1]) {
    const { isRolled } = await readCandlesFrom('first', db, ref, { level, from, to: END, limit })
    if (isRolled.includes(0)) return true
    if (isRolled.length < limit) return false
  }
  return false
}
