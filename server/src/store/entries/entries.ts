import type { Entry, EntryChange, EntryEdit, NewEntry } from '../../model/entries.ts'
import type { Json } from '../../model/json.ts'
import type { CursorPage } from '../../model/paging.ts'
import { type Db, SHORT_WALK, type Transaction } from '../db.ts'
import { type Known, withKnown } from '../known.ts'
import { FeedPages, type ListWalk, type PageRequest, type WalkRequest } from '../lists/feed-pages.ts'
import { type Head, untilChanged } from '../lists/feeds.ts'
import { ListQuery } from '../lists/list-query.ts'
import type { AsOf } from '../lists/past-query.ts'
import { forEachChunk } from '../lists/refs.ts'
import { rememberItems, type SourceItem } from '../sources/sources.ts'
import {
  type EntrySource,
  findHits,
  listBySeq,
  listDocs,
  listSources,
  listSourcesBy,
  listTexts,
  type SourceRange,
} from './entry-candidates.ts'
import { countChanges, listChanges } from './entry-changes.ts'
import { EntryCounts } from './entry-counts.ts'
import { updateEntries } from './entry-edits.ts'
import { type EntryEvent, findPositionAt, listEntryEvents } from './entry-events.ts'
import type { EntryFeeds } from './entry-feeds.ts'
import type { EntryFilters } from './entry-filters.ts'
import { EntryHistory } from './entry-history.ts'
import { listKnown } from './entry-known.ts'
import { countByLanguage, type LanguageCount } from './entry-languages.ts'
import { ENTRY_LIST, type EntrySort } from './entry-list.ts'
import { findSeqAt, listPublished, type NewsHour, type PublishedEntry, sumHours } from './entry-news.ts'
import { EntryRecords } from './entry-records.ts'
import { removeEntries } from './entry-removal.ts'
import { appendEntries, insertEntries } from './entry-writes.ts'

const PAGE_CACHE_BYTES = 16_000_000

/** The tables whose indexes a bulk load rebuilds at the end. */
const TABLES = ['entries', 'entry_assets', 'entry_topics']
const MIN_BULK = 20_000

interface EntryRelations {
  publisherId: string
  clusterId: string | null
}

export type Entries = ReturnType<typeof entriesStore>

export function entriesStore(db: Db, feeds: EntryFeeds) {
  const { entries: feed, clusters, signals, changes } = feeds
  const history = new EntryHistory(db, feed)
  const pages = new FeedPages<Entry, EntryFilters & AsOf, EntrySort>(feed, PAGE_CACHE_BYTES, (filters, sort) =>
    history.queryFor(filters, sort),
  )

  const counts = new EntryCounts(db, feed, history)
  const records = new EntryRecords(db, feed)

  /** Runs a transaction that writes entries. */
  async function write<T>(work: (tx: Transaction) => Promise<T>, now: number): Promise<T> {
    try {
      return await db.transaction(async (tx) => {
        const result = await work(tx)
        await changes.write(tx, now)
        return result
      })
    } finally {
      feed.changed()
    }
  }

  /** Runs a transaction that edits or removes entries. */
  async function edit<T>(work: (tx: Transaction) => Promise<T>, now: number): Promise<T> {
    try {
      return await write(work, now)
    } finally {
      for (const changed of [clusters, signals]) changed.changed()
    }
  }

  return {
    page: (request: PageRequest<EntryFilters & AsOf, EntrySort>): Promise<CursorPage<Entry>> => pages.page(request),

    walk: (request: WalkRequest<EntryFilters & AsOf, EntrySort>): Promise<ListWalk> => pages.walk(request),

    /** Finds an entry, if it had arrived by `asOf`. */
    find: (id: string, { asOf = Infinity }: AsOf = {}): Known<Json<Entry> | undefined> =>
      withKnown(records.find(id.toLowerCase()), (found) =>
        found === undefined || found.createdAt > asOf ? undefined : found.doc,
      ),

    /** Returns the last seq at a time. */
    seqAt: (time: number): Promise<number> => history.seqAt(time),

    /** Returns the publishers and clusters of entries, by the id of the entry. */
    async listRelations(ids: readonly string[]): Promise<Map<string, EntryRelations>> {
      const found = new Map<string, EntryRelations>()
      await forEachChunk(ids, async (params, list) => {
        const rows = await db.query<EntryRelations & { id: string }>(
          `select e.id, p.id as "publisherId", c.id as "clusterId" from entries e
           join publishers p on p.ref = e.publisher_ref
           left join cluster_entries m on m.entry_seq = e.seq
           left join clusters c on c.seq = m.cluster_seq
           where e.id in (${list})`,
          params.values,
        )
        for (const { id, ...relations } of rows) found.set(id, relations)
      })
      return found
    },

    async total(): Promise<number> {
      return (await pages.page({ filters: {}, sort: 'createdAt:desc', limit: 1, from: undefined })).totalCount
    },

    /** Returns the same object until a feed changes. */
    countByLanguage: untilChanged<LanguageCount[]>(db, () => countByLanguage(db, feed)),

    /** Counts entries per interval of their publication. */
    countOverTime: (filters: EntryFilters & AsOf, intervalMs: number) => counts.list(filters, intervalMs),

    head: async (): Promise<Head> => feed.head(),

    /** Returns the share of the entries up to `headSeq` that matches, and the matches if they are at most `limit`. */
    async findPart(
      filters: EntryFilters,
      headSeq: number,
      limit: number,
    ): Promise<{ share: number; few: number[] | undefined }> {
      const query = await ListQuery.for(db, ENTRY_LIST, filters, 'createdAt:desc')
      if (query === undefined) return { share: 0, few: [] }
      const head = await feed.head()
      const total = await feed.total(JSON.stringify(filters), head, (from, to) => query.count(from, to))
      const later = headSeq < head.seq ? await query.count(headSeq, head.seq) : 0
      const matching = total - later
      return {
        share: matching / Math.max(1, headSeq),
        few: matching > limit ? undefined : await query.seqs(headSeq, limit),
      }
    },

    /** Returns those of the given entries that match. */
    async among(filters: EntryFilters, seqs: readonly number[]): Promise<number[]> {
      const query = await ListQuery.for(db, ENTRY_LIST, filters, 'createdAt:desc')
      return query === undefined ? [] : query.among(seqs)
    },

    /** Returns the newest entries with any of the words, up to `limit`. */
    hits: (words: readonly string[], headSeq: number, limit: number) => findHits(db, words, headSeq, limit),

    listSources: (range: SourceRange): Promise<EntrySource[]> => listSources(db, range),

    /** Returns entries by id or seq, with as many characters of the full text. */
    listSourcesBy: (column: 'id' | 'seq', values: readonly (string | number)[], contentLength: number) =>
      listSourcesBy(db, column, values, contentLength),

    listPublished: (from: number, to: number, limit: number): Promise<PublishedEntry[]> =>
      listPublished(db, from, to, limit),

    findSeqAt: (time: number, head: number): Promise<number> => findSeqAt(db, time, head),

    sumHours: (from: number, to: number, since: number): Promise<NewsHour[]> => sumHours(db, from, to, since),

    listBySeq: (seqs: readonly number[]) => listBySeq(db, seqs),

    listTexts: (seqs: readonly number[]) => listTexts(db, seqs),

    listDocs: (seqs: readonly number[]): Promise<Json<Entry[]>> => listDocs(db, seqs),

    /** Counts the entries with from < seq <= to. */
    async countBetween(from: number, to: number): Promise<number> {
      const [row] = await db.heavy.query<{ count: number }>(
        'select count(*) as count from entries where seq > $1 and seq <= $2',
        [from, to],
      )
      return row?.count ?? 0
    },

    async lastCreatedAt(): Promise<number | null> {
      const [row] = await db.query<{ at: number | null }>(
        'select created_at as at from entries order by seq desc limit 1',
      )
      return row?.at ?? null
    },

    /** Returns the entry that each id leads to, for the ids that must not be added. */
    listKnown: (ids: readonly string[]): Promise<Map<string, string>> => listKnown(db, ids),

    /**
     * Adds entries to the feed in the given order, except those whose ids are known. Returns their number. `items` are
     * the items of a source that the entries are made of: both are stored, or neither.
     */
    async insert(entries: readonly NewEntry[], items: readonly SourceItem[] = []): Promise<number> {
      return write(
        async (tx) => {
          const added = await insertEntries(tx, feeds, entries)
          await rememberItems(tx, items)
          return added
        },
        lastOf(entries.map(({ createdAt }) => createdAt)),
      )
    },

    /** Adds an encoded batch of entries that the store does not have; the bytes are gone then. */
    append: (batch: Uint8Array): Promise<void> => db.run(appendEntries, batch).finally(() => feed.changed()),

    /**
     * Runs `work`, which appends about `count` entries, as a bulk load if that is faster. Nothing else may read the
     * entries meanwhile.
     */
    async bulkLoad<T>(count: number, work: () => Promise<T>, onStep?: (step: string) => void): Promise<T> {
      // Rebuilding the indexes is cheaper than extending them only if most entries are new. Other processes may read the
      // entries that are there, which must then be few.
      const most = db.exclusive ? count : Math.min(count, SHORT_WALK)
      const isWorthIt = count >= MIN_BULK && (await feed.head()).seq <= most
      return isWorthIt ? db.bulkLoad({ tables: TABLES, searchTable: 'entries_search', onStep }, work) : work()
    },

    /** Changes entries in place and updates all that is derived from them. Returns the ids of the changed entries. */
    update: (edits: readonly EntryEdit[], now: number): Promise<string[]> =>
      edit((tx) => updateEntries(tx, feeds, edits, now), now),

    /** Removes entries for good: their ids are known from then on. Returns their number. */
    remove: (ids: readonly string[], now: number): Promise<number> =>
      edit((tx) => removeEntries(tx, feeds, ids, now), now),

    /** Lists entries with their publishers, in the order of the feed. */
    listAfter: (after: number, limit: number): Promise<{ seq: number; publisherId: string; doc: string }[]> =>
      db.heavy.query(
        `select e.seq, p.id as "publisherId", e.doc from entries e join publishers p on p.ref = e.publisher_ref
         where e.seq > $1 order by e.seq limit ${Math.trunc(limit)}`,
        [after],
      ),

    /** Pauses or resumes the merging of the search index, which makes the removal of many entries faster. */
    async pauseMerges(isPaused: boolean): Promise<void> {
      const sql = db.dialect.search.pauseMerges('entries_search', isPaused)
      if (sql !== undefined) await db.transaction((tx) => tx.query(sql))
    },

    /** Lists revisions and removals after a position in the log of changes. Only the last revision of an entry is listed. */
    listChanges: (from: number, limit: number): Promise<EntryChange[]> => listChanges(db, from, limit),

    /** Lists new and changed entries with after < position <= upTo in the log of changes. */
    listEvents: (after: number, upTo: number, limit: number): Promise<EntryEvent[]> =>
      listEntryEvents(db, after, upTo, limit),

    /** Returns the position after the last change before a time. */
    findChangeAt: async (time: number): Promise<number> => findPositionAt(db, time, (await changes.head()).seq),

    /** Counts the changes that `listChanges` lists. */
    countChanges: (from: number): Promise<number> => countChanges(db, from),

    /** Returns the full text of an entry, which callers can search but not read. */
    async findContent(id: string): Promise<string | null> {
      const [row] = await db.query<{ content: string }>(
        'select c.content from entries e join entry_contents c on c.seq = e.seq where e.id = $1',
        [id.toLowerCase()],
      )
      return row?.content ?? null
    },
  }
}

const lastOf = (times: readonly number[]) => times.reduce((last, time) => Math.max(last, time), 0)
