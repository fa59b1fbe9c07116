import type { CandleInterval } from '../../model/markets.ts'
import { type Db, SHORT_WALK } from '../db.ts'
import { closesAt, LEVELS, opensAt, opensAtSql, READ_FROM } from './candle-intervals.ts'
import { rollUpSql } from './candle-rollup.ts'

export interface CandleRange {
  interval: CandleInterval
  /** Bounds of a candle's opening time, both inclusive. */
  openedAfter?: number
  openedBefore?: number
  /** openedAt:asc or openedAt:desc. */
  sort: string
  maxPoints: number
}

/** A stored candle; volumes are in units of the market. */
export interface CandleRow {
  opened_at: number
  open: number
  high: number
  low: number
  close: number
  volume: number
  quote_volume: number | null
  trade_count: number | null
}

const BEGINNING = -8.64e15
const END = 8.64e15

/**
 * Reads candles in the requested order. If more than maxPoints match, it returns the first ones for an ascending sort
 * with a start, else the newest. It scans the rows of a level from one end: a candle consists of at most `rows` rows,
 * so maxPoints * rows of them contain maxPoints whole candles, wherever the gaps are.
 */
export async function readCandles(db: Db, marketRef: number, range: CandleRange): Promise<CandleRow[]> {
  const { interval, sort, maxPoints } = range
  const { level, rows } = READ_FROM[interval]
  const walksUp = sort === 'openedAt:asc' && range.openedAfter !== undefined
  const { from, to } = rowBounds(range)
  const limit = limitFor(maxPoints)
  const walked = Math.min(limit * rows, (to - from) / levelLength(level))
  const found = await (walked > SHORT_WALK ? db.heavy : db).query<CandleRow>(
    readSql(interval, walksUp ? 'asc' : 'desc', limit),
    [marketRef, level, from, to],
  )
  const first = found.slice(0, maxPoints)
  return walksUp === (sort === 'openedAt:asc') ? first : first.reverse()
}

/** Returns the bounds of the rows that make up the requested candles, both inclusive. */
function rowBounds({ interval, openedAfter, openedBefore }: CandleRange): { from: number; to: number } {
  const from = openedAfter ?? BEGINNING
  const to = openedBefore ?? END
  if (READ_FROM[interval].rows === 1) return { from, to }
  return {
    from: opensAt(interval, from) === from ? from : closesAt(interval, opensAt(interval, from)),
    to: closesAt(interval, opensAt(interval, to)) - 1,
  }
}

const levelLength = (level: number) => closesAt(LEVELS[level] ?? '1m', 0)

/** Limits are part of the SQL text, so only a few values keep the number of statements small; extra rows are cut off. */
const LIMITS = [10, 50, 100, 250, 500, 1_000, 2_000, 5_000]
const limitFor = (maxPoints: number) => LIMITS.find((limit) => limit >= maxPoints) ?? maxPoints

function readSql(interval: CandleInterval, direction: 'asc' | 'desc', limit: number): string {
  const walk = (count: number) => walkSql({ level: '$2', from: '$3', to: '$4', direction, limit: count })
  const { rows } = READ_FROM[interval]
  const candles = rows === 1 || interval === '1mo' ? walk(limit) : rolled(interval, walk(limit * rows))
  // As floats, because sums may exceed the safe integers.
  return `select opened_at, open, high, low, close, cast(volume as double precision) as volume,
      cast(quote_volume as double precision) as quote_volume, cast(trade_count as double precision) as trade_count
    from (${candles}) u order by opened_at ${direction} limit ${limit}`
}

/**
 * Returns SQL that scans rows of a level of the market $1 along the primary key. Both ends are always bounded: with one
 * bound and no statistics, PostgreSQL prefers to sort all rows of the market.
 */
export function walkSql(walk: {
  what?: string
  level: number | string
  from: string
  to?: string
  direction: 'asc' | 'desc'
  limit: number
}): string {
  const { what = '*', level, from, to = END, direction, limit } = walk
  return `select ${what} from candles
    where market_ref = $1 and level = ${level} and opened_at >= ${from} and opened_at <= ${to}
    order by opened_at ${direction} limit ${limit}`
}

const rolled = (interval: Exclude<CandleInterval, '1mo'>, rows: string) =>
  rollUpSql(`(${rows})`, opensAtSql(interval, 'opened_at'))
