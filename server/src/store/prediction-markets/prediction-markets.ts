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

  const addOdds = async (tx: Transaction, seq: number, odds: Odds, now: number): Promise<number> => {
    const { firstSeq: place } = await recorded.append(tx, 1, now)
    await insertOdds(tx, [{ seq, odds, place }])
    return place
  }

  /** Replaces a market if its venue describes it differently; returns whether it did. */
  const describe = async (tx: Transaction, seq: number, given: NewPredictionMarket, now: number): Promise<boolean> => {
    const known = await records.docOf(tx, seq)
    const last = await oddsAt(tx, seq, Number.MAX_SAFE_INTEGER)
    const odds = oddsOf(given, now)
    const isMoved = JSON.stringify(odds.probabilities) !== JSON.stringify(last?.probabilities ?? {})
    const place = isMoved && now > (last?.at ?? 0) ? await addOdds(tx, seq, odds, now) : undefined
    const { createdAt, updatedAt } = known
    const row = rowOf(given, now)
    const market: PredictionMarket = {
      ...(await withChanges(tx, seq, { ...row.doc, createdAt, updatedAt }, odds)),
      outcomes: given.outcomes,
    }
    if (JSON.stringify(market) === JSON.stringify(known)) return false
    const { id: _, created_at: __, ...columns } = row.columns
    await records.replace(tx, seq, {
      ...row,
      columns: { ...columns, ...sortColumns(market), ...(place !== undefined && { odds_place: place }) },
      doc: { ...market, updatedAt: isoTime(now) },
    })
    return true
  }

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

    /**
     * Adds markets and replaces those that changed, as their venue describes them at `now`. Odds that differ from the
     * last ones are recorded. Fields that a venue leaves out (assets, topics, changes of the price) are the caller's or
     * derived from the history.
     */
    async follow(markets: readonly NewPredictionMarket[], now: number): Promise<{ added: number; changed: number }> {
      const write = records.write(async (tx) => {
        const added = await insertMarkets(tx, records, markets, now)
        const seqs = await records.seqsOf(
          tx,
          markets.map(({ id }) => id),
        )
        let changed = 0
        for (const market of markets) {
          const seq = seqs.get(market.id)
          if (seq !== undefined && (await describe(tx, seq, market, now))) changed += 1
        }
        return { added, changed: changed - added }
      })
      return write.finally(() => recorded.changed())
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
        const place = await addOdds(tx, seq, odds, now)
        const market = await withNewestOdds(tx, seq, await records.docOf(tx, seq))
        await records.edit(
          tx,
          seq,
          { ...sortColumns(market), odds_place: place },
          { ...market, updatedAt: isoTime(now) },
        )
      })
      await write.finally(() => recorded.changed())
    },

    /** Adds odds of the past, which change neither the market nor its signals. Known times keep their odds. */
    addHistory: (id: string, history: readonly Odds[]): Promise<void> =>
      records.write(async (tx) => {
        const seq = (await records.seqsOf(tx, [id])).get(id)
        if (seq === undefined) return
        const first = (await findFirstAt(tx, seq)) ?? Number.POSITIVE_INFINITY
        const older = history.filter(({ at }) => at < first)
        await insertOdds(
          tx,
          older.map((odds) => ({ seq, odds, place: null })),
        )
        const market = await withNewestOdds(tx, seq, await records.docOf(tx, seq))
        // A place that no other history of this market had: cached histories end.
        const { firstSeq: place } = await recorded.append(tx, 1, 0)
        await records.edit(tx, seq, { ...sortColumns(market), odds_place: place }, market)
      }),

    /** Lists markets of a venue that closed by `now` and have no result yet, in the order of their places after `after`. */
    listUnsettled: (venue: string, now: number, after: number, limit: number): Promise<FollowedMarket[]> =>
      listMarkets(db, `m.venue = $1 and m.seq > $2 and m.status in ('open', 'closed') and m.close_at <= $3`, limit, [
        venue,
        after,
        now,
      ]),

    /** Lists open markets of a venue whose history has fewer than two odds, in the order of their places after `after`. */
    listWithoutHistory: (venue: string, after: number, limit: number): Promise<FollowedMarket[]> =>
      listMarkets(
        db,
        `m.venue = $1 and m.seq > $2 and m.status = 'open'
           and not exists (select 1 from prediction_odds o where o.seq = m.seq limit 1 offset 1)`,
        limit,
        [venue, after],
      ),

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

const oddsOf = ({ outcomes }: Pick<PredictionMarket, 'outcomes'>, at: number): Odds => ({
  at,
  probabilities: Object.fromEntries(
    outcomes.flatMap(({ id, probability }) => (probability === null ? [] : [[id, probability]])),
  ),
})

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

async function withNewestOdds(tx: Transaction, seq: number, market: PredictionMarket): Promise<PredictionMarket> {
  const newest = await oddsAt(tx, seq, Number.MAX_SAFE_INTEGER)
  if (newest === undefined) return market
  return withOdds(market, newest, {
    dayAgo: await oddsAt(tx, seq, newest.at - DAY),
    weekAgo: await oddsAt(tx, seq, newest.at - 7 * DAY),
  })
}

async function findFirstAt(tx: Transaction, seq: number): Promise<number | undefined> {
  const [row] = await tx.query<{ at: number | null }>('select min(at) as at from prediction_odds where seq = $1', [seq])
  return row?.at ?? undefined
}

/** A market with its place in the order of insertion. */
export interface FollowedMarket extends PredictionMarket {
  place: number
}

async function listMarkets(db: Db, where: string, limit: number, params: readonly Value[]): Promise<FollowedMarket[]> {
  const rows = await db.query<{ seq: number; doc: string }>(
    `select m.seq, d.doc from prediction_markets m join prediction_markets_docs d on d.seq = m.seq
     where ${where} order by m.seq limit ${Math.trunc(limit)}`,
    params,
  )
  return rows.map(({ seq, doc }) => ({ ...JSON.parse(doc), place: seq }))
}

function rowOf(
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

function sortColumns(market: Pick<PredictionMarket, 'probability' | 'priceChange24h'>): Record<string, Value> {
  return { probability: market.probability ?? UNKNOWN, price_change_24h: market.priceChange24h ?? UNKNOWN }
}
