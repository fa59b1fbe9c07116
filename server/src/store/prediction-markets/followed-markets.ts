import type { NewPredictionMarket, Odds, PredictionMarket } from '../../model/prediction-markets.ts'
import { DAY, isoTime } from '../../model/time.ts'
import type { Db, Transaction, Value } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import type { Records } from '../lists/records.ts'
import { insertOdds, oddsAt, withOdds } from './odds.ts'
import { insertMarkets, insertSides, removeSides, rowOf, sortColumns } from './prediction-market-rows.ts'

/** A market with its place in the order of insertion. */
export interface FollowedMarket extends PredictionMarket {
  place: number
}

/** Adds markets and replaces those that their venue describes differently at `now`. */
export async function followMarkets(
  tx: Transaction,
  records: Records<PredictionMarket>,
  recorded: Feed,
  markets: readonly NewPredictionMarket[],
  now: number,
): Promise<{ added: number; changed: number }> {
  const known = await records.seqsOf(
    tx,
    markets.map(({ id }) => id),
  )
  let changed = 0
  for (const market of markets) {
    const seq = known.get(market.id)
    if (seq !== undefined && (await describe(tx, records, recorded, { seq, market }, now))) changed += 1
  }
  return { added: await insertMarkets(tx, records, markets, now), changed }
}

/** Replaces a market unless it is the same. Odds that differ from the last ones are recorded. */
async function describe(
  tx: Transaction,
  records: Records<PredictionMarket>,
  recorded: Feed,
  { seq, market: given }: { seq: number; market: NewPredictionMarket },
  now: number,
): Promise<boolean> {
  const known = await records.docOf(tx, seq)
  const last = await oddsAt(tx, seq, Number.MAX_SAFE_INTEGER)
  const odds = given.history.at(-1) ?? { at: now, probabilities: {} }
  const isQuoted = Object.keys(odds.probabilities).length > 0
  const isMoved = isQuoted && JSON.stringify(odds.probabilities) !== JSON.stringify(last?.probabilities)
  const place = isMoved && odds.at > (last?.at ?? 0) ? await recordOdds(tx, recorded, seq, odds, now) : undefined
  const { createdAt, updatedAt } = known
  const row = rowOf(given, now)
  const market = await withChanges(tx, seq, { ...row.doc, createdAt, updatedAt }, odds)
  if (JSON.stringify(market) === JSON.stringify(known)) return false
  const { id: _, created_at: __, ...columns } = row.columns
  await records.replace(tx, seq, {
    ...row,
    columns: { ...columns, ...sortColumns(market), ...(place !== undefined && { odds_place: place }) },
    doc: { ...market, updatedAt: isoTime(now) },
  })
  await removeSides(tx, [seq])
  await insertSides(tx, [{ seq, market: { ...given, history: [] } }])
  return true
}

/** Adds odds to the history and returns their place. */
export async function recordOdds(
  tx: Transaction,
  recorded: Feed,
  seq: number,
  odds: Odds,
  now: number,
): Promise<number> {
  const { firstSeq: place } = await recorded.append(tx, 1, now)
  await insertOdds(tx, [{ seq, odds, place }])
  return place
}

/** Adds odds from before the known ones. Only the changes of the price depend on them. */
export async function addHistory(
  tx: Transaction,
  records: Records<PredictionMarket>,
  recorded: Feed,
  id: string,
  history: readonly Odds[],
): Promise<void> {
  const seq = (await records.seqsOf(tx, [id])).get(id)
  if (seq === undefined) return
  const [row] = await tx.query<{ at: number | null }>('select min(at) as at from prediction_odds where seq = $1', [seq])
  const older = history.filter(({ at }) => at < (row?.at ?? Number.POSITIVE_INFINITY))
  if (older.length === 0) return
  await insertOdds(
    tx,
    older.map((odds) => ({ seq, odds, place: null })),
  )
  const newest = await oddsAt(tx, seq, Number.MAX_SAFE_INTEGER)
  const known = await records.docOf(tx, seq)
  const market = newest === undefined ? known : await withChanges(tx, seq, known, newest)
  // A place that no other history of this market had: cached histories end.
  const { firstSeq: place } = await recorded.append(tx, 1, 0)
  await records.edit(tx, seq, { ...sortColumns(market), odds_place: place }, market)
}

/** Returns the market with the changes of its price up to the given odds, where the venue does not state them. */
async function withChanges(
  tx: Transaction,
  seq: number,
  market: PredictionMarket,
  odds: Odds,
): Promise<PredictionMarket> {
  const past = { dayAgo: await oddsAt(tx, seq, odds.at - DAY), weekAgo: await oddsAt(tx, seq, odds.at - 7 * DAY) }
  const derived = withOdds(market, odds, past)
  return {
    ...market,
    priceChange24h: market.priceChange24h ?? derived.priceChange24h,
    priceChange7d: market.priceChange7d ?? derived.priceChange7d,
  }
}

/** Lists markets of a venue that closed by `now` and have no result yet, in the order of their places after `after`. */
export function listUnsettled(
  db: Db,
  venue: string,
  now: number,
  after: number,
  limit: number,
): Promise<FollowedMarket[]> {
  const isUnsettled = `m.venue = $1 and m.seq > $2 and m.status in ('open', 'closed') and m.close_at <= $3`
  return listMarkets(db, isUnsettled, [venue, after, now], limit)
}

/** Lists open markets of a venue whose history has fewer than two odds, in the order of their places after `after`. */
export function listWithoutHistory(db: Db, venue: string, after: number, limit: number): Promise<FollowedMarket[]> {
  const hasNoHistory = `m.venue = $1 and m.seq > $2 and m.status = 'open'
    and not exists (select 1 from prediction_odds o where o.seq = m.seq limit 1 offset 1)`
  return listMarkets(db, hasNoHistory, [venue, after], limit)
}

async function listMarkets(db: Db, where: string, params: readonly Value[], limit: number): Promise<FollowedMarket[]> {
  const rows = await db.query<{ seq: number; doc: string }>(
    `select m.seq, d.doc from prediction_markets m join prediction_markets_docs d on d.seq = m.seq
     where ${where} order by m.seq limit ${Math.trunc(limit)}`,
    params,
  )
  return rows.map(({ seq, doc }) => ({ ...JSON.parse(doc), place: seq }))
}
