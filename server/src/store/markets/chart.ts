import { CANDLE_INTERVALS, type CandleInterval, type Chart, type ChartRange } from '../../model/markets.ts'
import { DAY, isoTime } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { closesAt, DAYS, HOURS, LEVELS, MINUTES, opensAt, READ_FROM } from './candle-intervals.ts'
import { type CandleRow, readCandles, walkSql } from './candle-read.ts'
import { tradedVolume } from './candle-units.ts'
import type { Series } from './markets.ts'

const MAX_POINTS = 500
const MAX_MONTHS = 5_000
const BEGINNING = -8.64e15

/** Reads a chart. Its range ends at the last price, so a closed market shows its last session. */
export async function readChart(db: Db, series: Series, range: ChartRange): Promise<Chart> {
  const from = startOf(range, series.lastPriceAt ?? 0)
  const { interval, rows } = await readPoints(db, series, from)
  return {
    marketId: series.id,
    symbol: series.symbol,
    currency: series.quoteCurrency,
    timezone: series.timezone,
    range,
    interval,
    previousClose: await closeBefore(db, series.ref, from),
    points: rows.map((row) => ({
      at: isoTime(row.opened_at),
      price: row.close,
      volume: tradedVolume(row.volume, series),
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
  rows: CandleRow[]
}

/** Reads the finest interval that has few enough points and covers all that coarser ones cover. */
async function readPoints(db: Db, { ref, lastPriceAt }: Series, from: number): Promise<Points> {
  if (lastPriceAt === null) return { interval: '1d', rows: [] }
  const read = (interval: CandleInterval, maxPoints: number) =>
    readCandles(db, ref, { interval, openedAfter: from, sort: 'openedAt:asc', maxPoints })

  const [counts] = await db.query<Record<string, number>>(COUNTS_SQL, [ref, from])
  for (const level of [MINUTES, HOURS, DAYS]) {
    const count = counts?.[`level_${level}`] ?? 0
    const intervals = intervalsOf(level).filter((interval) => count <= MAX_POINTS * READ_FROM[interval].rows)
    if (count === 0 || intervals.length === 0 || (await hasCoarser(db, ref, level, from))) continue
    for (const interval of intervals) {
      const rows = await read(interval, MAX_POINTS + 1)
      if (rows.length <= MAX_POINTS) return { interval, rows }
    }
  }
  return { interval: '1mo', rows: await read('1mo', MAX_MONTHS) }
}

const intervalsOf = (level: number) => CANDLE_INTERVALS.filter((interval) => READ_FROM[interval].level === level)

/** Returns the number of rows above which no interval of the level has few enough points. */
const mostRows = (level: number) =>
  MAX_POINTS * Math.max(...intervalsOf(level).map((interval) => READ_FROM[interval].rows))

/** Counts the rows of each level in the range, up to the useful maximum. */
const COUNTS_SQL = `select ${[MINUTES, HOURS, DAYS]
  .map((level) => {
    const rows = walkSql({ what: '1', level, from: '$2', direction: 'desc', limit: mostRows(level) + 1 })
    return `(select count(*) from (${rows}) l${level}) as level_${level}`
  })
  .join(', ')}`

/**
 * Returns whether part of the range is known only at a coarser level. A rolled-up row has finer rows, which are few
 * here, so a row that was not rolled up is among the first rows or does not exist.
 */
async function hasCoarser(db: Db, ref: number, level: number, from: number): Promise<boolean> {
  for (const coarser of [HOURS, DAYS].filter((other) => other > level)) {
    const rows = walkSql({
      what: 'is_rolled',
      level: coarser,
      from: '$2',
      direction: 'asc',
      limit: mostRows(level) + 1,
    })
    const found = await db.query(`select 1 from (${rows}) c where is_rolled = 0 limit 1`, [ref, from])
    if (found.length > 0) return true
  }
  return false
}

/** Returns the close of the last candle, of any level, that ended before a time. */
async function closeBefore(db: Db, ref: number, time: number): Promise<number | null> {
  const rows = await db.query<{ level: number; opened_at: number; close: number }>(CLOSES_SQL, [
    ref,
    ...[MINUTES, HOURS, DAYS].map((level) => time - lengthOf(level)),
  ])
  const endOf = ({ level, opened_at }: { level: number; opened_at: number }) => opened_at + lengthOf(level)
  return rows.toSorted((a, b) => endOf(b) - endOf(a))[0]?.close ?? null
}

const lengthOf = (level: number) => closesAt(LEVELS[level] ?? '1d', 0)

const CLOSES_SQL = [MINUTES, HOURS, DAYS]
  .map(
    (level) => `select * from (
      select level, opened_at, close from candles
      where market_ref = $1 and level = ${level} and opened_at <= $${level + 2} order by opened_at desc limit 1
    ) l${level}`,
  )
  .join(' union all ')
