import type { Queryable } from '../db.ts'
import { closesAt, DAYS, HOURS, LEVELS, MINUTES, opensAt } from './candle-intervals.ts'
import { tradedVolume } from './candle-units.ts'
import type { Series } from './markets.ts'

/** The candles of one insert. */
interface Inserted {
  level: number
  times: ReadonlySet<number>
  now: number
}

interface Ends {
  first: number | null
  last: number | null
}

/** Updates the market's quote (last price, change, day and history start) after an insert of candles. */
export async function updateQuote(tx: Queryable, series: Series, inserted: Inserted): Promise<void> {
  const levels = await endsOf(tx, series.ref)
  const [day, before] = await tx.query<DayRow>(
    `select open, high, low, close, cast(volume as double precision) as volume from candles where market_ref = $1 and level = ${DAYS}
     order by opened_at desc limit 2`,
    [series.ref],
  )
  if (day === undefined) return
  const previousClose = before?.close ?? null
  const change = previousClose === null ? null : rounded(day.close - previousClose, 8)
  const changePercent =
    previousClose === null || previousClose === 0
      ? null
      : rounded(((day.close - previousClose) / Math.abs(previousClose)) * 100, 4)
  await tx.query(
    `update markets set last_price = $2, last_price_at = $3, previous_close = $4, change = $5, change_percent = $6,
       day_open = $7, day_high = $8, day_low = $9, day_volume = $10, finest_level = $11, history_start_at = $12
     where ref = $1`,
    [
      series.ref,
      day.close,
      lastPriceAt(series, levels, inserted),
      previousClose,
      change,
      changePercent,
      day.open,
      day.high,
      day.low,
      tradedVolume(day.volume, series),
      levels.findIndex(({ last }) => last !== null),
      finestEnd(levels, 'first').time,
    ],
  )
}

interface DayRow {
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** Returns the first and last opening times of minutes, hours and days. */
async function endsOf(tx: Queryable, ref: number): Promise<Ends[]> {
  const [row] = await tx.query<Record<string, number | null>>(ENDS_SQL, [ref])
  return [MINUTES, HOURS, DAYS].map((level) => ({
    first: row?.[`first_${level}`] ?? null,
    last: row?.[`last_${level}`] ?? null,
  }))
}

// Not min and max: PostgreSQL may read a whole level for them.
const ENDS_SQL = `select ${[MINUTES, HOURS, DAYS]
  .map((level) => {
    const end = (order: string) =>
      `(select opened_at from candles where market_ref = $1 and level = ${level} order by opened_at${order} limit 1)`
    return `${end('')} as first_${level}, ${end(' desc')} as last_${level}`
  })
  .join(', ')}`

/** Returns the first or last candle at the finest level available there: it must lie within the one above it. */
function finestEnd(levels: readonly Ends[], end: 'first' | 'last'): { level: number; time: number } {
  let level = DAYS
  let time = levels[DAYS]?.[end] ?? 0
  for (let below = DAYS - 1; below >= MINUTES; below -= 1) {
    const finer = levels[below]?.[end] ?? null
    if (finer === null || opensAt(LEVELS[level] ?? '1d', finer) !== time) break
    level = below
    time = finer
  }
  return { level, time }
}

/** Returns the end of the last candle, or the time of the insert if the candle is still open. */
function lastPriceAt(series: Series, levels: readonly Ends[], { level, times, now }: Inserted): number {
  const last = finestEnd(levels, 'last')
  if (series.lastPriceAt !== null && !(last.level === level && times.has(last.time))) return series.lastPriceAt
  return Math.max(last.time, Math.min(closesAt(LEVELS[last.level] ?? '1d', last.time), now))
}

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals))
