import { type NewPredictionMarket, PredictionMarket } from '../../model/prediction-markets.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction, Value } from '../db.ts'
import { inSchemaOrder } from '../lists/docs.ts'
import { timeOf, UNKNOWN } from '../lists/filters.ts'
import type { NewRow, Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRefRows } from '../lists/side-rows.ts'
import { insertOdds } from './odds.ts'

/** Adds markets; existing ones stay as they are. */
export async function insertMarkets(
  tx: Transaction,
  records: Records<PredictionMarket>,
  given: readonly NewPredictionMarket[],
  now: number,
): Promise<number> {
  const fresh = await records.onlyNew(tx, given)
  if (fresh.length === 0) return 0
  const firstSeq = await records.append(
    tx,
    fresh.map((market) => rowOf(market, now)),
    now,
  )
  await insertSides(
    tx,
    fresh.map((market, index) => ({ seq: firstSeq + index, market })),
  )
  return fresh.length
}

export interface PlacedMarket {
  seq: number
  market: NewPredictionMarket
}

/** Inserts the assets, topics and odds of markets. */
export async function insertSides(tx: Transaction, markets: readonly PlacedMarket[]): Promise<void> {
  const valuesOf = (values: (market: NewPredictionMarket) => string[]) =>
    markets.map(({ seq, market }) => ({ seq, sort: market.volume, values: values(market) }))
  await insertRefRows(
    tx,
    { table: 'prediction_assets', column: 'asset_ref', sort: 'volume' },
    valuesOf(({ assetKeys }) => assetKeys),
  )
  await insertRefRows(
    tx,
    { table: 'prediction_topics', column: 'topic_ref', sort: 'volume' },
    valuesOf(({ topicSlugs }) => topicSlugs),
  )
  await insertOdds(
    tx,
    markets.flatMap(({ seq, market }) => market.history.map((odds) => ({ seq, odds, place: null }))),
  )
}

export async function removeSides(tx: Transaction, seqs: readonly number[]): Promise<void> {
  await forEachChunk(seqs, async (params, list) => {
    await tx.query(`delete from prediction_assets where seq in (${list})`, params.values)
    await tx.query(`delete from prediction_topics where seq in (${list})`, params.values)
  })
}

export function rowOf(
  { rules, resolutionSource, history: _, ...market }: NewPredictionMarket,
  now: number,
): NewRow & { doc: PredictionMarket } {
  const createdAt = market.openAt ?? isoTime(now)
  return {
    columns: {
      id: market.id,
      slug: market.slug,
      venue: market.venue,
      status: market.status,
      type: market.type,
      category: market.category?.toLowerCase() ?? null,
      volume: market.volume,
      close_at: timeOf(market.closeAt),
      created_at: Date.parse(createdAt),
      ...sortColumns(market),
    },
    doc: inSchemaOrder(PredictionMarket, { ...market, createdAt, updatedAt: isoTime(now) }),
    detail: { rules, resolutionSource },
    text: `${market.question} ${market.eventTitle ?? ''} ${market.description ?? ''}`,
  }
}

export function sortColumns(market: Pick<PredictionMarket, 'probability' | 'priceChange24h'>): Record<string, Value> {
  return { probability: market.probability ?? UNKNOWN, price_change_24h: market.priceChange24h ?? UNKNOWN }
}
