import type { WrittenPage } from '../../model/paging.ts'
import type {
  HistoryInterval,
  NewPredictionMarket,
  Odds,
  PredictionMarket,
  PredictionMarketChange,
} from '../../model/prediction-markets.ts'
import { DAY, isoTime } from '../../model/time.ts'
import type { ChangeLog } from '../changes/change-log.ts'
import type { Db } from '../db.ts'
import type { Upserted, UpsertOptions } from '../lists/catalogue-writes.ts'
import type { FeedList } from '../lists/feed-list.ts'
import type { ListWalk, OffsetRequest, WalkRequest } from '../lists/feed-pages.ts'
import { Feed, versionsOf } from '../lists/feeds.ts'
import {
  anyRef,
  anySymbol,
  anyText,
  type FilterValues,
  fullText,
  indexed,
  inSideTable,
  least,
  most,
} from '../lists/filters.ts'
import { KeptRecords } from '../lists/kept-records.ts'
import { Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { inBranch } from '../topic-branches.ts'
import {
  addHistory,
  type FollowedMarket,
  followMarkets,
  listUnsettled,
  listWithoutHistory,
  recordOdds,
} from './followed-markets.ts'
import { oddsAt, withOdds } from './odds.ts'
import { findLastAt, listOddsBetween, listRecorded, type MarketOdds, PREDICTION_ODDS } from './odds-feed.ts'
import { OddsHistory } from './odds-history.ts'
import { insertMarkets, removeSides, sortColumns } from './prediction-market-rows.ts'
import { NO_DETAIL, upsertMarkets } from './prediction-market-upserts.ts'
import { RelatedMarkets } from './related-markets.ts'

const PREDICTION_MARKET_LIST = {
  table: 'prediction_markets',
  filters: {
    search: fullText(),
    assetKey: inSideTable('prediction_assets', anyRef('asset_ref', 'assets', 'key')),
    ticker: inSideTable('prediction_assets', anySymbol('asset_ref')),
    symbol: inSideTable('prediction_assets', anySymbol('asset_ref')),
    topicSlug: inSideTable('prediction_topics', inBranch('topic_ref', 'slug')),
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

export type PredictionMarkets = ReturnType<typeof predictionMarketsStore>

export const predictionMarketRecords = (db: Db, changes: ChangeLog) =>
  new Records<PredictionMarket, typeof PREDICTION_MARKET_LIST>(db, PREDICTION_MARKET_LIST, {
    log: { changes, source: 'prediction-markets' },
  })

const DETAIL_BYTES = 1_000_000

/** A market as it is answered by id. */
export interface MarketDetail extends Pick<PredictionMarket, 'assetKeys' | 'topicSlugs'> {
  /** The fields of the answer, each object in JSON. */
  parts: readonly string[]
}

export function predictionMarketsStore(db: Db, records: ReturnType<typeof predictionMarketRecords>) {
  const recorded = new Feed(db, PREDICTION_ODDS)
  const history = new OddsHistory(db)
  const related = new RelatedMarkets(db)

  /** Closes markets whose time has come; the result comes from the venue. */
  const closeDue = (now: number) => records.settle({ from: 'open', to: 'closed', column: 'close_at' }, now)

  const details = new KeptRecords<MarketDetail>(
    db,
    async () => (await Promise.all([records.head(), recorded.head()])).flatMap(versionsOf),
    { maxBytes: DETAIL_BYTES, sizeOf: ({ parts }) => parts.reduce((size, part) => size + part.length, 0) },
  )

  async function read(given: string, interval: HistoryInterval | undefined): Promise<MarketDetail | undefined> {
    const by = (column: 'id' | 'slug') => records.find<{ odds_place: number }>(column, given, ['odds_place'])
    const found = (await by('id')) ?? (await by('slug'))
    if (found === undefined) return undefined
    const { assetKeys, topicSlugs }: PredictionMarket = JSON.parse(found.doc)
    const relatedMarkets = await related.list(found.seq, await records.head())
    const odds = await history.find(found.seq, found.odds_place, interval)
    const parts = [found.doc, found.detail ?? NO_DETAIL, `{"history":${odds},"relatedMarkets":${relatedMarkets}}`]
    return { assetKeys, topicSlugs, parts }
  }

  return {
    closeDue,

    async page(request: OffsetRequest<PredictionMarketFilters>, now: number): Promise<WrittenPage<PredictionMarket>> {
      await closeDue(now)
      return records.offsetPage(request)
    },

    async walk(request: WalkRequest<PredictionMarketFilters>, now: number): Promise<ListWalk> {
      await closeDue(now)
      return records.walk(request)
    },

    /**
     * Finds a market by id or slug, with its rules, related markets, and history at an interval. Returns the same object
     * until a market or its odds change, where this process is the only writer.
     */
    async find(idOrSlug: string, now: number, interval?: HistoryInterval): Promise<MarketDetail | undefined> {
      await closeDue(now)
      const given = idOrSlug.toLowerCase()
      return details.get(`${interval} ${given}`, () => read(given, interval))
    },

    total: (): Promise<number> => records.total(),

    /** Adds markets; existing ones stay as they are. */
    insert(markets: readonly NewPredictionMarket[], now: number): Promise<number> {
      return records.write((tx) => insertMarkets(tx, records, markets, now), now)
    },

    /**
     * Adds markets and replaces those that changed, as their venue describes them at `now`; the last of `history` are the
     * odds at that time. Changes of the price that a venue does not state are derived from the history.
     */
    follow(markets: readonly NewPredictionMarket[], now: number): Promise<{ added: number; changed: number }> {
      const write = records.write((tx) => followMarkets(tx, records, recorded, markets, now), now)
      return write.finally(() => recorded.changed())
    },

    /** Updates existing markets by slug and adds the others. */
    async upsert(
      changes: readonly PredictionMarketChange[],
      now: number,
      options: UpsertOptions = {},
    ): Promise<Upserted> {
      const write = records.write((tx) => upsertMarkets(tx, records, recorded, changes, now, options), now)
      return write.finally(() => recorded.changed())
    },

    /** Removes up to `limit` markets whose document contains a text; returns their number. */
    removeContaining: (text: string, limit: number, now: number): Promise<number> =>
      records.write(async (tx) => {
        const seqs = (await records.listContaining(tx, text, limit)).map(({ seq }) => seq)
        await removeSides(tx, seqs)
        await forEachChunk(seqs, async (params, list) => {
          await tx.query(`delete from prediction_odds where seq in (${list})`, params.values)
        })
        await records.removeAll(tx, seqs)
        return seqs.length
      }, now),

    /** Adds odds to a market's history and updates its probabilities and changes from the newest odds. */
    async recordOdds(id: string, odds: Odds, now: number): Promise<void> {
      const write = records.write(async (tx) => {
        const seq = (await records.seqsOf(tx, [id])).get(id)
        if (seq === undefined) throw new Error(`there is no prediction market ${id}`)
        const place = await recordOdds(tx, recorded, seq, odds, now)
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
      }, now)
      await write.finally(() => recorded.changed())
    },

    /** Adds odds from before the known ones, which no signal follows. */
    addHistory(id: string, history: readonly Odds[], now: number): Promise<void> {
      const write = records.write((tx) => addHistory(tx, records, recorded, id, history), now)
      return write.finally(() => recorded.changed())
    },

    listUnsettled: (venue: string, now: number, after: number, limit: number): Promise<FollowedMarket[]> =>
      listUnsettled(db, venue, now, after, limit),

    listWithoutHistory: (venue: string, after: number, limit: number): Promise<FollowedMarket[]> =>
      listWithoutHistory(db, venue, after, limit),

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
