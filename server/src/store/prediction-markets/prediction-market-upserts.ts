import { isDeepStrictEqual } from 'node:util'
import type {
  NewPredictionMarket,
  Odds,
  PredictionMarket,
  PredictionMarketChange,
} from '../../model/prediction-markets.ts'
import { Refused } from '../../model/refused.ts'
import type { Transaction } from '../db.ts'
import type { Upserted, UpsertOptions } from '../lists/catalogue-writes.ts'
import type { Feed } from '../lists/feeds.ts'
import type { Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { changedMarket, type StoredMarket } from './prediction-market-changes.ts'
import { insertMarkets, insertSides, removeSides, rowOf } from './prediction-market-rows.ts'

export const NO_DETAIL = '{"rules":null,"resolutionSource":null}'

/** Updates existing markets by slug and adds the others. */
export async function upsertMarkets(
  tx: Transaction,
  records: Records<PredictionMarket>,
  recorded: Feed,
  changes: readonly PredictionMarketChange[],
  now: number,
  { update = true }: UpsertOptions,
): Promise<Upserted> {
  const outcome: Upserted = { added: 0, changed: 0, unchanged: 0, refused: [] }
  const known = await listBySlug(
    tx,
    changes.map(({ slug }) => slug),
  )
  for (const [index, change] of changes.entries()) {
    const before = known.get(change.slug)
    if (before !== undefined && !update) {
      outcome.unchanged += 1
      continue
    }
    try {
      const market = changedMarket(change, before?.market)
      if (before === undefined) {
        await insertMarkets(tx, records, [market], now)
        outcome.added += 1
      } else {
        const isChanged = await replaceMarket(tx, records, recorded, { ...before, after: market }, now)
        outcome[isChanged ? 'changed' : 'unchanged'] += 1
      }
      // Later changes of the same batch build on this one.
      for (const [slug, stored] of await listBySlug(tx, [change.slug])) known.set(slug, stored)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      outcome.refused.push({ index, reason: error.message })
    }
  }
  return outcome
}

interface KnownMarket {
  seq: number
  market: StoredMarket
}

async function listBySlug(tx: Transaction, slugs: readonly string[]): Promise<Map<string, KnownMarket>> {
  const found = new Map<string, KnownMarket>()
  await forEachChunk(slugs, async (params, list) => {
    const rows = await tx.query<{ seq: number; slug: string; doc: string; detail: string | null }>(
      `select t.seq, t.slug, r.doc, r.detail from prediction_markets t join prediction_markets_docs r on r.seq = t.seq
       where t.slug in (${list})`,
      params.values,
    )
    for (const { seq, slug, doc, detail } of rows) {
      found.set(slug, { seq, market: { ...JSON.parse(doc), ...JSON.parse(detail ?? NO_DETAIL) } })
    }
  })
  return found
}

/** Returns false if nothing differs. */
async function replaceMarket(
  tx: Transaction,
  records: Records<PredictionMarket>,
  recorded: Feed,
  { seq, market: before, after }: KnownMarket & { after: NewPredictionMarket },
  now: number,
): Promise<boolean> {
  const fresh = await newOdds(tx, seq, after.history)
  const { columns, doc, detail, text } = rowOf(after, now)
  const dates = { createdAt: after.openAt ?? before.createdAt, updatedAt: before.updatedAt }
  const merged = { ...doc, ...dates, ...detail }
  if (fresh.length === 0 && isDeepStrictEqual(merged, before)) return false
  // The place identifies the version of the history.
  const place = fresh.length === 0 ? {} : { odds_place: (await recorded.append(tx, 1, now)).firstSeq }
  const row = { doc: { ...doc, createdAt: dates.createdAt }, text, ...(detail !== undefined && { detail }) }
  await records.replace(tx, seq, {
    ...row,
    columns: { ...columns, ...place, created_at: Date.parse(dates.createdAt) },
  })
  await removeSides(tx, [seq])
  await insertSides(tx, [{ seq, market: { ...after, history: fresh } }])
  return true
}

/** Returns the odds that the store does not have. */
async function newOdds(tx: Transaction, seq: number, history: readonly Odds[]): Promise<Odds[]> {
  const known = new Map<number, unknown>()
  const first = history[0]?.at
  const last = history.at(-1)?.at
  if (first === undefined || last === undefined) return []
  const rows = await tx.query<{ at: number; probabilities: string }>(
    'select at, probabilities from prediction_odds where seq = $1 and at >= $2 and at <= $3',
    [seq, first, last],
  )
  for (const { at, probabilities } of rows) known.set(at, JSON.parse(probabilities))
  return history.filter(({ at, probabilities }) => !isDeepStrictEqual(known.get(at), probabilities))
}
