import { CANDLE_INTERVALS, type CandleInterval } from '../../model/markets.ts'
import type { Db } from '../db.ts'
import { BEGINNING, END, readCandlesFrom, readFirsts } from './candle-blocks.ts'
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

/** Candles in the order of time. */
export interface FoundCandles {
  candles: CandleColumns
  /** Whether the range has more candles than maxPoints. */
  hasMore: boolean
  /** The end of the range from which candles were taken. */
  end: 'first' | 'last'
}

/**
 * Reads candles. If more than maxPoints match, it returns the first ones for an ascending sort with a start, else the
 * newest. A candle consists of at most `parts` candles of its level, so n * parts of them contain n whole candles,
 * wherever the gaps are. One candle beyond maxPoints is read to know whether there are more.
 */
export async function readCandles(db: Db, marketRef: number, range: CandleRange): Promise<FoundCandles> {
  const { interval, sort, maxPoints } = range
  const { level, parts } = READ_FROM[interval]
  const end = sort === 'openedAt:asc' && range.openedAfter !== undefined ? 'first' : 'last'
  const limit = (maxPoints + 1) * parts
  const found = await readCandlesFrom(end, db, marketRef, { level, limit, ...boundsOf(range) })
  const all = parts === 1 ? found : found.rollUp(interval)
  const candles = end === 'first' ? all.slice(0, maxPoints) : all.slice(all.length - maxPoints, all.length)
  return { candles, hasMore: all.length > maxPoints, end }
}

/** Returns the start of the first candle of each interval; null for an interval without candles. */
export async function readHistoryStarts(db: Db, marketRef: number): Promise<Record<CandleInterval, number | null>> {
  const firsts = await readFirsts(db, marketRef)
  const startOf = (interval: CandleInterval) => {
    const first = firsts.get(READ_FROM[interval].level)
    return first === undefined ? null : opensAt(interval, first)
  }
  return Object.fromEntries(CANDLE_INTERVALS.map((interval) => [interval, startOf(interval)])) as Record<
    CandleInterval,
    number | null
  >
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
