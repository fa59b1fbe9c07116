import { DAY } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { closesAt, DAYS, HOURS, LEVELS, MINUTES } from './candle-intervals.ts'

/** The price at the end of a candle. */
export interface ClosingPrice {
  price: number
  closedAt: number
}

/** Older prices are ignored. */
const MAX_AGE = 7 * DAY

/** An asset's price always comes from the same market: its first one with candles. */
const MARKET = `(select m.ref from markets m join assets a on a.ref = m.asset_ref
  where a.key = $1 and m.finest_level is not null order by m.ref limit 1)`

/** Returns the last price of an asset known at a time: the close of the last closed candle. */
export async function findClose(db: Db, assetKey: string, time: number): Promise<ClosingPrice | undefined> {
  const [row] = await db.query<ClosingPrice>(CLOSE_SQL, [assetKey, time])
  return row
}

/** Lists the closes of the last `count` days that had ended by then, oldest first. */
export async function listDailyCloses(db: Db, assetKey: string, time: number, count: number): Promise<ClosingPrice[]> {
  const rows = await db.query<ClosingPrice>(
    `select close as price, opened_at + ${DAY} as "closedAt" from candles
     where market_ref = ${MARKET} and level = ${DAYS} and opened_at <= $2 and opened_at > $3
     order by opened_at desc limit ${Math.trunc(count)}`,
    [assetKey, time - DAY, time - 2 * count * DAY],
  )
  return rows.reverse()
}

/** Returns the time of the last known price of an asset. */
export async function findLastPriceAt(db: Db, assetKey: string): Promise<number | undefined> {
  const [row] = await db.query<{ at: number }>(`select last_price_at as at from markets where ref = ${MARKET}`, [
    assetKey,
  ])
  return row?.at
}

const TIME = 'cast($2 as bigint)'

/** For the same closing time, the finer level comes first. */
const CLOSE_SQL = `select price, "closedAt" from (${[MINUTES, HOURS, DAYS]
  .map((level) => {
    const length = closesAt(LEVELS[level] ?? '1m', 0)
    return `select * from (
      select close as price, opened_at + ${length} as "closedAt", ${level} as level from candles
      where market_ref = ${MARKET} and level = ${level}
        and opened_at <= ${TIME} - ${length} and opened_at > ${TIME} - ${MAX_AGE}
      order by opened_at desc limit 1
    ) l${level}`
  })
  .join(' union all ')}) c order by "closedAt" desc, level limit 1`
