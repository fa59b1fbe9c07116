import type { Queryable } from '../db.ts'
import { closesAt, LEVELS, MINUTES, MONTHS, opensAt, opensAtSql } from './candle-intervals.ts'

/** Unchanged buckets that a roll-up may include: reading them again costs less than another statement. */
const MAX_GAP_BUCKETS = 100

/**
 * Returns SQL that aggregates rows by bucket; $1 is the market and $2 the level of the rows. Volumes are integers, so
 * their sum does not depend on the order. First and last price use one lookup each: with a join, the planner may read
 * the whole level.
 */
export function rollUpSql(rows: string, bucket: string): string {
  const priceAt = (column: string, time: string) =>
    `(select c.${column} from candles c where c.market_ref = $1 and c.level = $2 and c.opened_at = b.${time})`
  const sumOfAll = (column: string) =>
    `case when count(${column}) = count(*) then cast(sum(${column}) as bigint) end as ${column}`
  return `select b.bucket as opened_at, ${priceAt('open', 'first_at')} as open, b.high, b.low,
      ${priceAt('close', 'last_at')} as close, b.volume, b.quote_volume, b.trade_count
    from (
      select ${bucket} as bucket, min(opened_at) as first_at, max(opened_at) as last_at, max(high) as high,
        min(low) as low, ${sumOfAll('volume')}, ${sumOfAll('quote_volume')}, ${sumOfAll('trade_count')}
      from ${rows} r group by 1
    ) b where true`
}

/** Updates the levels above `level` after its rows at these ascending times have changed. */
export async function rollUp(tx: Queryable, marketRef: number, level: number, times: readonly number[]): Promise<void> {
  for (let above = level + 1; above <= MONTHS; above += 1) {
    for (const { from, to } of stretchesOf(LEVELS[above] ?? '1mo', times)) {
      await tx.query(ROLL_UP_SQL[above] ?? '', [marketRef, above - 1, from, to])
    }
  }
}

/** Rolls up rows with $3 <= opened_at < $4. Months differ in length, so each needs its own statement. */
const ROLL_UP_SQL = LEVELS.map((interval, level) => {
  if (level === MINUTES) return ''
  const rows = '(select * from candles where market_ref = $1 and level = $2 and opened_at >= $3 and opened_at < $4)'
  const bucket = interval === '1mo' ? 'cast($3 as bigint)' : opensAtSql(interval, 'opened_at')
  return `insert into candles (market_ref, level, is_rolled, opened_at, open, high, low, close, volume, quote_volume,
      trade_count)
    select cast($1 as integer), ${level}, 1, u.* from (${rollUpSql(rows, bucket)}) u where true
    on conflict (market_ref, level, opened_at) do update set is_rolled = 1, open = excluded.open, high = excluded.high,
      low = excluded.low, close = excluded.close, volume = excluded.volume, quote_volume = excluded.quote_volume,
      trade_count = excluded.trade_count`
})

/** Returns the ranges of buckets that contain the times, merging neighbouring ones. */
function stretchesOf(interval: (typeof LEVELS)[number], times: readonly number[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = []
  let last: { from: number; to: number } | undefined
  for (const time of times) {
    if (last !== undefined && time < last.to) continue
    const from = opensAt(interval, time)
    const to = closesAt(interval, from)
    if (last !== undefined && interval !== '1mo' && from - last.to <= MAX_GAP_BUCKETS * (to - from)) {
      last.to = to
    } else {
      last = { from, to }
      stretches.push(last)
    }
  }
  return stretches
}
