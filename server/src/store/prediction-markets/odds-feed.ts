import type { Odds, PredictionMarket } from '../../model/prediction-markets.ts'
import type { Db } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'

/** The name of the feed of recorded odds, in the table `feeds`. */
export const PREDICTION_ODDS = 'prediction_odds'

/** Odds with their market. */
export interface MarketOdds {
  market: PredictionMarket
  odds: Odds
}

/** Lists odds recorded with from < place <= to, by place, without those older than odds recorded before them. */
export async function listRecorded(
  db: Db,
  from: number,
  to: number,
  limit: number,
): Promise<(MarketOdds & { place: number })[]> {
  const rows = await db.query<OddsRow & { place: number }>(
    `select o.place, o.seq, o.at, o.probabilities from prediction_odds o
     where o.place > $1 and o.place <= $2 and o.place is not null and not exists (
       select 1 from prediction_odds l where l.seq = o.seq and l.at > o.at and coalesce(l.place, 0) < o.place
     ) order by o.place limit ${Math.trunc(limit)}`,
    [from, to],
  )
  const markets = await marketsOf(db, rows)
  return rows.flatMap(({ place, seq, at, probabilities }) => {
    const market = markets.get(seq)
    return market === undefined ? [] : [{ place, market, odds: { at, probabilities: JSON.parse(probabilities) } }]
  })
}

/**
 * Lists the odds of open markets with since < at <= until, by time, without those recorded after the place `upTo`.
 * Markets are few, and the primary key finds the odds of each.
 */
export async function listOddsBetween(db: Db, since: number, until: number, upTo: number): Promise<MarketOdds[]> {
  const rows = await db.heavy.query<OddsRow>(
    `select o.seq, o.at, o.probabilities from prediction_markets m cross join prediction_odds o
     where m.status = 'open' and o.seq = m.seq and o.at > $1 and o.at <= $2 and coalesce(o.place, 0) <= $3
     order by o.at, o.seq`,
    [since, until, upTo],
  )
  const markets = await marketsOf(db, rows)
  return rows.flatMap(({ seq, at, probabilities }) => {
    const market = markets.get(seq)
    return market === undefined ? [] : [{ market, odds: { at, probabilities: JSON.parse(probabilities) } }]
  })
}

/** Returns the time of the newest odds recorded up to a place or inserted with their market. */
export async function findLastAt(db: Db, upTo: number): Promise<number | undefined> {
  const [row] = await db.heavy.query<{ at: number | null }>(
    'select max(at) as at from prediction_odds where coalesce(place, 0) <= $1',
    [upTo],
  )
  return row?.at ?? undefined
}

interface OddsRow {
  seq: number
  at: number
  probabilities: string
}

async function marketsOf(db: Db, rows: readonly OddsRow[]): Promise<Map<number, PredictionMarket>> {
  const markets = new Map<number, PredictionMarket>()
  await forEachChunk([...new Set(rows.map(({ seq }) => seq))], async (params, list) => {
    const docs = await db.query<{ seq: number; doc: string }>(
      `select seq, doc from prediction_markets_docs where seq in (${list})`,
      params.values,
    )
    for (const { seq, doc } of docs) markets.set(seq, JSON.parse(doc))
  })
  return markets
}
