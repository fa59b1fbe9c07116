import { DAY } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { closesAt, DAYS, HOURS, LEVELS, MINUTES } from './candle-time.ts'

/** The price at the end of a candle. */
export interface Close {
  price: number
  closedAt: number
}

/** An older price says nothing about what is paid at a time. */
const MAX_AGE = 7 * DAY

/** Of several markets of an asset always the same tells its price: the first that has candles. */
const MARKET = `(select m.ref from markets m join assets a on a.ref = m.asset_ref
  where a.key = $1 and m.finest_level is not null order by m.ref limit 1)`

/** The last price of an asset that was known at a time, from the candle that had closed last. */
export async function findClose(db: Db, assetKey: string, time: number): Promise<Close | undefined> {
  const [row] = await db.query<Close>(CLOSE_SQL, [assetKey, time])
  return row
}

/** The closes of the last `count` days that had ended by then, oldest first. */
export async function listDailyCloses(db: Db, assetKey: string, time: number, count: number): Promise<Close[]> {
  const rows = await db.query<Close>(
    `select close as price, opened_at + ${DAY} as "closedAt" from candles
     where market_ref = ${MARKET} and level = ${DAYS} and opened_at <= $2 and opened_at > $3
     order by opened_at desc limit ${Math.trunc(count)}`,
    [assetKey, time - DAY, time - 2 * count * DAY],
  )
  return rows.reverse()
}

/** When the price of an asset was last heard of. */
export async function findPricedUntil(db: Db, assetKey: string): Promise<number | undefined> {
  const [row] = await db.query<{ at: number }>(`select last_price_at as at from markets where ref = ${MARKET}`, [
    assetKey,
  ])
  return row?.at
}

const TIME = 'cast($2 as bigint)'

/** At the same end the finer level comes first. */
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
