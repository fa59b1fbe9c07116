import { DAY } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { BEGINNING, readCandlesFrom } from './candle-blocks.ts'
import { DAYS, lengthOf, RECEIVED_LEVELS } from './candle-intervals.ts'

/** The price at the end of a candle. */
export interface ClosingPrice {
  price: number
  closedAt: number
}

/** Older prices are ignored. */
const MAX_AGE = 7 * DAY

/** An asset's price always comes from the same market: its first one with candles. */
const MARKET_SQL = `select m.ref, m.last_price_at as "lastPriceAt" from markets m join assets a on a.ref = m.asset_ref
  where a.key = $1 and m.finest_level is not null order by m.ref limit 1`

interface PricedMarket {
  ref: number
  lastPriceAt: number
}

async function findMarket(db: Db, assetKey: string): Promise<PricedMarket | undefined> {
  const [market] = await db.query<PricedMarket>(MARKET_SQL, [assetKey])
  return market
}

/** Returns the last price of an asset known at a time. */
export async function findClose(db: Db, assetKey: string, time: number): Promise<ClosingPrice | undefined> {
  const market = await findMarket(db, assetKey)
  return market && findLastClose(db, market.ref, time, time - MAX_AGE + 1)
}

/** Lists the closes of the last `count` days that had ended by then, oldest first. */
export async function listDailyCloses(db: Db, assetKey: string, time: number, count: number): Promise<ClosingPrice[]> {
  const market = await findMarket(db, assetKey)
  if (market === undefined) return []
  const range = { level: DAYS, from: time - 2 * count * DAY + 1, to: time - DAY, limit: count }
  const { openedAt, close } = await readCandlesFrom('last', db, market.ref, range)
  return Array.from(close, (price, place) => ({ price, closedAt: (openedAt[place] ?? 0) + DAY }))
}

/** Returns the time of the last known price of an asset. */
export async function findLastPriceAt(db: Db, assetKey: string): Promise<number | undefined> {
  return (await findMarket(db, assetKey))?.lastPriceAt
}

/** Returns the close of the last candle, of any level, that had ended by a time and opened at `since` or later. */
export async function findLastClose(
  db: Db,
  marketRef: number,
  time: number,
  since = BEGINNING,
): Promise<ClosingPrice | undefined> {
  let last: ClosingPrice | undefined
  for (const level of RECEIVED_LEVELS) {
    const range = { level, from: since, to: time - lengthOf(level), limit: 1 }
    const { openedAt, close } = await readCandlesFrom('last', db, marketRef, range)
    const [price] = close
    const closedAt = (openedAt[0] ?? 0) + lengthOf(level)
    // For the same closing time, the finer level counts.
    if (price !== undefined && (last === undefined || closedAt > last.closedAt)) last = { price, closedAt }
  }
  return last
}
