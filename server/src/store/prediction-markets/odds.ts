import type { Odds, PredictionMarket } from '../../model/prediction-markets.ts'
import type { Queryable, Transaction } from '../db.ts'
import { insertRecords } from '../sql.ts'

/** `place` is the position in the feed of recorded odds; null for odds inserted with their market. */
export function insertOdds(
  tx: Transaction,
  rows: readonly { seq: number; odds: Odds; place: number | null }[],
): Promise<void> {
  return insertRecords(
    tx,
    'prediction_odds',
    [...new Map(rows.map((row) => [`${row.seq} ${row.odds.at}`, row])).values()].map(({ seq, odds, place }) => ({
      seq,
      at: odds.at,
      probabilities: JSON.stringify(odds.probabilities),
      place,
    })),
    'on conflict (seq, at) do update set probabilities = excluded.probabilities, place = excluded.place',
  )
}

/** Returns the last odds known at a time. */
export async function oddsAt(db: Queryable, seq: number, at: number): Promise<Odds | undefined> {
  const [row] = await db.query<{ at: number; probabilities: string }>(
    'select at, probabilities from prediction_odds where seq = $1 and at <= $2 order by at desc limit 1',
    [seq, at],
  )
  return row && { at: row.at, probabilities: JSON.parse(row.probabilities) }
}

export function withOdds(
  market: PredictionMarket,
  { probabilities }: Odds,
  past: { dayAgo: Odds | undefined; weekAgo: Odds | undefined },
): PredictionMarket {
  const change = (id: string, before: Odds | undefined) => {
    const [now, then] = [probabilities[id], before?.probabilities[id]]
    return now === undefined || then === undefined ? null : Math.round((now - then) * 10_000) / 10_000 + 0
  }
  const [first] = market.outcomes
  return {
    ...market,
    probability: (first && probabilities[first.id]) ?? market.probability,
    outcomes: market.outcomes.map((outcome) => ({
      ...outcome,
      probability: probabilities[outcome.id] ?? outcome.probability,
      lastPrice: probabilities[outcome.id] ?? outcome.lastPrice,
      // Bid and ask are only valid for the price they came with.
      ...(probabilities[outcome.id] !== outcome.lastPrice && { bestBid: null, bestAsk: null }),
      priceChange24h: change(outcome.id, past.dayAgo),
    })),
    priceChange24h: first === undefined ? null : change(first.id, past.dayAgo),
    priceChange7d: first === undefined ? null : change(first.id, past.weekAgo),
  }
}
