import type { CandleInterval } from '../../model/markets.ts'
import type { Db } from '../db.ts'
import { BEGINNING, END, readCandlesFrom } from './candle-blocks.ts'
import type { CandleColumns } from './candle-columns.ts'
import { closesAt, opensAt, READ_FROM } from './candle-intervals.ts'

export interface CandleRange {
  interval: CandleInterval
  /** Bounds of a candle's opening time, both inclusive. */
  openedAfter?: number
  openedBefore?: number
  /** openedAt:asc or openedAt:desc. */
  sort: string
  maxPoints: number
}

/**
 * Reads candles, in the order of time. If more than maxPoints match, it returns the first ones for an ascending sort
 * with a start, else the newest. A candle consists of at most `parts` candles of its level, so maxPoints * parts of
 * them contain maxPoints whole candles, wherever the gaps are.
 */
export async function readCandles(db: Db, marketRef: number, range: CandleRange): Promise<CandleColumns> {
  const { interval, sort, maxPoints } = range
  const { level, parts } = READ_FROM[interval]
  const end = sort === 'openedAt:asc' && range.openedAfter !== undefined ? 'first' : 'last'
  const found = await readCandlesFrom(end, db, marketRef, { level, limit: maxPoints * parts, ...boundsOf(range) })
  const candles = parts === 1 ? found : found.rollUp(interval)
  return end === 'first' ? candles.slice(0, maxPoints) : candles.slice(candles.length - maxPoints, candles.length)
}

/** Returns the bounds of the stored candles that make up the requested ones, both inclusive. */
function boundsOf({ interval, openedAfter, openedBefore }: CandleRange): { from: number; to: number } {
  const from = openedAfter ?? BEGINNING
  const to = openedBefore ?? END
  if (READ_FROM[interval].parts === 1) return { from, to }
  return {
    from: opensAt(interval, from) === from ? from : closesAt(interval, opensAt(interval, from)),
    to: closesAt(interval, opensAt(interval, to)) - 1,
  }
}
