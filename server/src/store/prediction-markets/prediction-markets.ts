import { isDeepStrictEqual } from 'node:util'
import type { WrittenPage } from '../../model/paging.ts'
import {
  type NewPredictionMarket,
  type Odds,
  PredictionMarket,
  type PredictionMarketChange,
} from '../../model/prediction-markets.ts'
import { Refused } from '../../model/refused.ts'
import { DAY, isoTime } from '../../model/time.ts'
import type { Db, Transaction, Value } from '../db.ts'
import type { Upserted, UpsertOptions } from '../lists/catalogue-writes.ts'
import { inSchemaOrder } from '../lists/docs.ts'
import type { FeedList } from '../lists/feed-list.ts'
import type { OffsetRequest } from '../lists/feed-pages.ts'
import { Feed } from '../lists/feeds.ts'
import {
  anyRef,
  anyText,
  type FilterValues,
  fullText,
  indexed,
  inSideTable,
  least,
  most,
  timeOf,
  UNKNOWN,
} from '../lists/filters.ts'
import { type NewRow, Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRefRows } from '../lists/side-rows.ts'
import { insertOdds, oddsAt, withOdds } from './odds.ts'
import { findLastAt, listOddsBetween, listRecorded, type MarketOdds, PREDICTION_ODDS } from './odds-feed.ts'
import { OddsHistory } from './odds-history.ts'
import { changedMarket, type StoredMarket } from './prediction-market-changes.ts'
import { RelatedMarkets } from './related-markets.ts'

const PREDICTION_MARKET_LIST = {
  table: 'prediction_markets',
  filters: {
    search: fullText(),
    assetKey: inSideTable('prediction_assets', anyRef('asset_ref', 'assets', 'key')),
    topicSlug: inSideTable('prediction_topics', anyRef('topic_ref', 'topics', 'slug')),
    category: indexed(anyText('category')),
    venue: indexed(anyText('venue')),
    // Open markets that close next: by time alone, all closed markets would come first.
    status: indexed(anyText('status'), 'close_at'),
    type: indexed(anyText('type')),
    probabilityMin: least('probability'),
    probabilityMax: most('probability'),
    volumeMin: least('volume'),
    closeAfter: least('close_at'),
    closeBefore: most('close_at'),
  },
  sorts: {
    volume: 'volume',
    closeAt: 'close_at',
    probability: 'probability',
    priceChange24h: 'price_change_24h',
    createdAt: 'created_at',
  },
} satisfies FeedList

export type PredictionMarketFilters = FilterValues<typeof PREDICTION_MARKET_LIST.filters>

const NO_DETAIL = '{"rules":null,"resolutionSource":null}'

export type PredictionMarkets = ReturnType<typeof predictionMarketsStore>

export function predictionMarketsStore(db: Db) {
  const records = new Records<PredictionMarket, typeof PREDICTION_MARKET_LIST>(db, PREDICTION_MARKET_LIST)
  const recorded = new Feed(db, PREDICTION_ODDS)
  const history = new OddsHistory(db)
  const related = new RelatedMarkets(db)

  /** Closes markets whose time has come; the result comes from the venue. */
  const closeDue = (now: number) => records.settle({ from: 'open', to: 'closed', column: 'close_at' }, now)

  return {
    async page(request: OffsetRequest<PredictionMarketFilters>, now: number): Promise<WrittenPage<PredictionMarket>> {
      await closeDue(now)
      return records.offsetPage(request)
    },

    /** Finds a market by id or slug, with its rules, history and related markets. */
    async find(idOrSlug: string, now: number) {
      await closeDue(now)
      const given = idOrSlug.toLowerCase()
      const by = (column: 'id' | 'slug') => records.find<{ odds_place: number }>(column, given, ['odds_place'])
      const found = (await by('id')) ?? (await by('slug'))
      if (found === undefined) return undefined
      const { assetKeys, topicSlugs }: PredictionMarket = JSON.parse(found.doc)
      const relatedMarkets = await related.list(found.seq, await records.head())
      return {
        assetKeys,
        topicSlugs,
        /** The fields of the answer, each object in JSON. */
        parts: [
          found.doc,
          found.detail ?? NO_DETAIL,
          `{"history":${await history.find(found.seq, found.odds_place)},"relatedMarkets":${relatedMarkets}}`,
        ],
      }
    },

    total: (): Promise<number> => records.total(),

    /** Adds markets; existing ones stay as they are. */
    insert(markets: readonly NewPredictionMarket[], now: number): Promise<number> {
      return records.write((tx) => insertMarkets(tx, records, markets, now))
    },

    /** Updates existing markets by slug and adds the others. */
    async upsert(
      changes: readonly PredictionMarketChange[],
      now: number,
      options: UpsertOptions = {},
    ): Promise<Upserted> {
      const write = records.write((tx) => upsertMarkets(tx, records, recorded, changes, now, options))
      return write.finally(() => recorded.changed())
    },

    /** Removes up to `limit` markets whose document contains a text; returns their number. */
    removeContaining: (text: string, limit: number): Promise<number> =>
      records.write(async (tx) => {
        const seqs = (await records.listContaining(tx, text, limit)).map(({ seq }) => seq)
        await removeSides(tx, seqs)
        await forEachChunk(seqs, async (params, list) => {
          await tx.query(`delete from prediction_odds where seq in (${list})`, params.values)
        })
        await records.removeAll(tx, seqs)
        return seqs.length
      }),

    /** Adds odds to a market's history and updates its probabilities and changes from the newest odds. */
    async recordOdds(id: string, odds: Odds, now: number): Promise<void> {
      const write = records.write(async (tx) => {
        const seq = (await records.seqsOf(tx, [id])).get(id)
        if (seq === undefined) throw new Error(`there is no prediction market ${id}`)
        const { firstSeq: place } = await recorded.append(tx, 1, now)
        await insertOdds(tx, [{ seq, odds, place }])
        const newest = (await oddsAt(tx, seq, Number.MAX_SAFE_INTEGER)) ?? odds
        const market = withOdds(await records.docOf(tx, seq), newest, {
          dayAgo: await oddsAt(tx, seq, newest.at - DAY),
          weekAgo: await oddsAt(tx, seq, newest.at - 7 * DAY),
        })
        await records.edit(
          tx,
          seq,
          { ...sortColumns(market), odds_place: place },
          { ...market, updatedAt: isoTime(now) },
        )
      })
      await write.finally(() => recorded.changed())
    },

    /** Returns the place of the last recorded odds. */
    oddsHead: async (): Promise<number> => (await recorded.head()).seq,

    /** Returns the time of the newest odds up to that place. */
    lastOddsAt: (upTo: number): Promise<number | undefined> => findLastAt(db, upTo),

    /** Lists odds recorded with from < place <= to, by place, without those older than odds recorded before them. */
    listRecordedOdds: (from: number, to: number, limit: number) => listRecorded(db, from, to, limit),

    /** Lists the odds of open markets with since < at <= until, by time, without those recorded after the place `upTo`. */
    listOddsBetween: (since: number, until: number, upTo: number): Promise<MarketOdds[]> =>
      listOddsBetween(db, since, until, upTo),

    async lastOdds(id: string): Promise<Odds | undefined> {
      const found = await records.find('id', id)
      return found && oddsAt(db, found.seq, Number.MAX_SAFE_INTEGER)
    },
  }
}

async function insertMarkets(
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

interface PlacedMarket {
  seq: number
  market: NewPredictionMarket
}

/** Inserts the assets, topics and odds of markets. */
async function insertSides(tx: Transaction, markets: readonly PlacedMarket[]): Promise<void> {
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

async function removeSides(tx: Transaction, seqs: readonly number[]): Promise<void> {
  await forEachChunk(seqs, async (params, list) => {
    await tx.query(`delete from prediction_assets where seq in (${list})`, params.values)
    await tx.query(`delete from prediction_topics where seq in (${list})`, params.values)
  })
}

async function upsertMarkets(
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

function rowOf({ rules, resolutionSource, history: _, ...market }: NewPredictionMarket, now: number): NewRow {
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

function sortColumns(market: Pick<PredictionMarket, 'probability' | 'priceChange24h'>): Record<string, Value> {
  return { probability: market.probability ?? UNKNOWN, price_change_24h: market.priceChange24h ?? UNKNOWN }
}
