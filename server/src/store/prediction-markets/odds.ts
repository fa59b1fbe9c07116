import { HISTORY_INTERVALS, type Odds, type PredictionMarket } from '../../model/prediction-markets.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import type { Db, Queryable, Transaction } from '../db.ts'
import { insertRecords } from '../sql.ts'

const MAX_HISTORY_POINTS = 500
const HISTORY_STEPS: Record<(typeof HISTORY_INTERVALS)[number], number> = {
  '1h': HOUR,
  '6h': 6 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
}

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

/** Returns the last odds of each step. The step is the finest that is not finer than the data and has few enough points. */
export async function historyOf(db: Db, seq: number) {
  const [span] = await db.query<{ first: number | null; last: number | null; count: number }>(
    'select min(at) as first, max(at) as last, count(*) as count from prediction_odds where seq = $1',
    [seq],
  )
  const stepsOf = (step: number) => Math.floor((span?.last ?? 0) / step) - Math.floor((span?.first ?? 0) / step) + 1
  const spacing = ((span?.last ?? 0) - (span?.first ?? 0)) / Math.max(1, (span?.count ?? 0) - 1)
  const isFitting = (step: number) => step >= spacing && stepsOf(step) <= MAX_HISTORY_POINTS
  const interval = HISTORY_INTERVALS.find((name) => isFitting(HISTORY_STEPS[name])) ?? '1w'
  const rows = await db.query<{ at: number; probabilities: string }>(
    `select at, probabilities from prediction_odds where seq = $1 and at in (
       select max(at) from prediction_odds where seq = $1 group by at / ${HISTORY_STEPS[interval]}
       order by 1 desc limit ${MAX_HISTORY_POINTS}
     ) order by at`,
    [seq],
  )
  const points = rows.map(({ at, probabilities }) => ({
    at: isoTime(at),
    probabilities: JSON.parse(probabilities) as Odds['probabilities'],
  }))
  return { interval, points }
}
