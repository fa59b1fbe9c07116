import type { DataKind } from '../model/data-kinds.ts'
import type { Db } from './db.ts'

/** When the newest data of a kind was added, or for candles the time of the newest price; null if there is none. */
export type Newest = Record<DataKind, number | null>

export async function readNewest(db: Db): Promise<Newest> {
  const rows = await db.query<{ name: string; at: number }>('select name, last_created_at as at from feeds')
  const [price] = await db.query<{ at: number | null }>('select max(last_price_at) as at from markets')
  const newest = (isOf: (name: string) => boolean) =>
    rows.filter(({ name }) => isOf(name)).reduce((latest, { at }) => Math.max(latest, at), 0) || null
  return {
    news: newest((name) => name === 'entries'),
    candles: price?.at ?? null,
    'prediction-markets': newest((name) => name.startsWith('prediction_')),
    filings: newest((name) => name.startsWith('sec_')),
    signals: newest((name) => name === 'signals'),
  }
}
