import type { Queryable } from '../db.ts'
import { readEnds } from './candle-blocks.ts'
import type { CandleColumns } from './candle-columns.ts'
import { closesAt, DAYS, intervalOf, opensAt, RECEIVED_LEVELS } from './candle-intervals.ts'
import { tradedVolume } from './candle-units.ts'
import type { Series } from './markets.ts'

/** The candles of one insert. */
interface Inserted {
  level: number
  times: ReadonlySet<number>
  now: number
}

/** The first and the last candles of each level at which candles arrive. */
type Ends = ReadonlyMap<number, CandleColumns>

/** Updates the market's quote (last price, change, day and history start) after an insert of candles. */
export async function updateQuote(tx: Queryable, series: Series, inserted: Inserted): Promise<void> {
  const ends = await readEnds(tx, series.ref, RECEIVED_LEVELS)
  const days = ends.get(DAYS)
  if (days === undefined) return
  const day = days.length - 1
  const close = days.close[day] ?? 0
  const previousClose = days.close[day - 1] ?? null
  const change = previousClose === null ? null : rounded(close - previousClose, 8)
  const changePercent =
    previousClose === null || previousClose === 0
      ? null
      : rounded(((close - previousClose) / Math.abs(previousClose)) * 100, 4)
  await tx.query(
    `update markets set last_price = $2, last_price_at = $3, previous_close = $4, change = $5, change_percent = $6,
       day_open = $7, day_high = $8, day_low = $9, day_volume = $10, finest_level = $11, history_start_at = $12
     where ref = $1`,
    [
      series.ref,
      close,
      lastPriceAt(series, ends, inserted),
      previousClose,
      change,
      changePercent,
      days.open[day] ?? null,
      days.high[day] ?? null,
      days.low[day] ?? null,
      tradedVolume(days.volume.at(day) ?? 0, series),
      Math.min(...ends.keys()),
      finestEnd(ends, 0).time,
    ],
  )
}

/** Returns the first (0) or last (-1) candle at the finest level available there: it must lie within the one above it. */
function finestEnd(ends: Ends, end: 0 | -1): { level: number; time: number } {
  let level = DAYS
  let time = ends.get(DAYS)?.openedAt.at(end) ?? 0
  for (const below of RECEIVED_LEVELS.filter((other) => other < DAYS).reverse()) {
    const finer = ends.get(below)?.openedAt.at(end)
    if (finer === undefined || opensAt(intervalOf(level), finer) !== time) break
    level = below
    time = finer
  }
  return { level, time }
}

/** Returns the end of the last candle, or the time of the insert if the candle is still open. */
function lastPriceAt(series: Series, ends: Ends, { level, times, now }: Inserted): number {
  const last = finestEnd(ends, -1)
  if (series.lastPriceAt !== null && !(last.level === level && times.has(last.time))) return series.lastPriceAt
  return Math.max(last.time, Math.min(closesAt(intervalOf(last.level), last.time), now))
}

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals))
