import { LRUCache } from 'lru-cache'
import type { EmptyBefore } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import type { FeedQuery } from '../lists/feed-pages.ts'
import type { Feed } from '../lists/feeds.ts'
import { ListQuery } from '../lists/list-query.ts'
import type { AsOf } from '../lists/past-query.ts'
import { Timelines } from '../lists/timelines.ts'
import type { EntryFilters } from './entry-filters.ts'
import { ENTRY_LIST, type EntrySort } from './entry-list.ts'
import { findSeqAt } from './entry-news.ts'

const CACHED_TIMES = 1_000

/** The entries that had arrived by a time: since `createdAt` never decreases, the first part of the feed. */
export class EntryHistory {
  readonly #db: Db
  readonly #feed: Feed
  readonly #timelines: Timelines
  readonly #seqs = new LRUCache<number, number>({ max: CACHED_TIMES })

  constructor(db: Db, feed: Feed) {
    this.#db = db
    this.#feed = feed
    this.#timelines = new Timelines(feed)
  }

  /** Returns the last seq at a time. */
  async seqAt(time: number): Promise<number> {
    const known = this.#seqs.get(time)
    if (known !== undefined) return known
    const head = await this.#feed.head()
    const seq = await findSeqAt(this.#db, time, head.seq)
    // Entries after the last one may still have the same time.
    if (seq < head.seq) this.#seqs.set(time, seq)
    return seq
  }

  /** Returns the query of a list, of its past if the filters have `asOf`. Returns undefined when nothing can match. */
  async queryFor({ asOf, ...filters }: EntryFilters & AsOf, sort: EntrySort): Promise<FeedQuery | undefined> {
    const ever = await ListQuery.for(this.#db, ENTRY_LIST, filters, sort)
    if (ever === undefined || asOf === undefined) return ever
    const last = await this.seqAt(asOf)
    const past: Pick<FeedQuery, 'rows' | 'count'> = {
      rows: (walk) => ever.rows({ ...walk, headSeq: Math.min(walk.headSeq, last) }),
      count: async (from, to) => (from < last ? ever.count(from, Math.min(to, last)) : 0),
    }
    const key = JSON.stringify(filters)
    return {
      rows: past.rows,
      count: (from, to) =>
        from > 0
          ? past.count(from, to)
          : this.#timelines.countAt(last, key, [{ from: 'seq', counts: ever.counts }], past, to),
      keyOf: (id) => ever.keyOf(id),
      findEmptyBefore: () => this.findEmptyBefore(ever, asOf),
    }
  }

  /** Finds a time that is before all entries: `asOf`, or an upper bound of the query. */
  async findEmptyBefore(query: ListQuery, asOf = Infinity): Promise<EmptyBefore | undefined> {
    const [first] = await this.#db.query<{ startsAt: number }>(
      'select created_at as "startsAt" from entries order by seq limit 1',
    )
    return first !== undefined && asOf < first.startsAt ? { filter: 'asOf', ...first } : query.findEmptyBefore()
  }
}
