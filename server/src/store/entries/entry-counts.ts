import { LRUCache } from 'lru-cache'
import type { EmptyBefore } from '../../model/paging.ts'
import { meanSentiment } from '../counts/count-rows.ts'
import type { Db } from '../db.ts'
import type { Feed, Head } from '../lists/feeds.ts'
import { ListQuery, type TimeSum } from '../lists/list-query.ts'
import type { EntryFilters } from './entry-filters.ts'
import { ENTRY_LIST } from './entry-list.ts'

/** The number of intervals in the cache. */
const CACHED_SUMS = 200_000

/** The entries published in one interval. */
export interface EntryCount {
  /** Start of the interval. */
  at: number
  count: number
  sentimentScore: number | null
}

export interface CountedEntries {
  counts: readonly EntryCount[]
  emptyBefore: EmptyBefore | undefined
}

interface CachedSums {
  head: Head
  sums: Promise<readonly TimeSum[]>
}

/**
 * Counts entries per interval of their publication. Like a total, the sums are cached with the head of the feed, and
 * later only new entries are counted.
 */
export class EntryCounts {
  readonly #db: Db
  readonly #feed: Feed
  readonly #cache = new LRUCache<string, CachedSums>({ maxSize: CACHED_SUMS })
  readonly #counted = new WeakMap<readonly TimeSum[], CountedEntries>()

  constructor(db: Db, feed: Feed) {
    this.#db = db
    this.#feed = feed
  }

  /** Returns the intervals that have entries, oldest first. Returns the same object until the entries change. */
  async list(filters: EntryFilters, intervalMs: number): Promise<CountedEntries> {
    const head = await this.#feed.head()
    const query = await ListQuery.for(this.#db, ENTRY_LIST, filters, 'publishedAt:asc')
    if (query === undefined) return { counts: [], emptyBefore: undefined }
    const sums = await this.#sums(JSON.stringify([filters, intervalMs]), head, (from, to) =>
      query.sumsOverTime(intervalMs, from, to),
    )
    const counted = this.#counted.get(sums) ?? {
      counts: sums.map(({ at, count, scored, sentiment }) => ({
        at,
        count,
        sentimentScore: meanSentiment(sentiment, scored),
      })),
      emptyBefore: sums.length === 0 ? await query.findEmptyBefore() : undefined,
    }
    this.#counted.set(sums, counted)
    return counted
  }

  #sums(
    key: string,
    head: Head,
    read: (from: number, to: number) => Promise<readonly TimeSum[]>,
  ): Promise<readonly TimeSum[]> {
    const cached = this.#cache.get(key)
    if (cached?.head.seq === head.seq && cached.head.epoch === head.epoch) return cached.sums
    const isBase = cached !== undefined && cached.head.epoch === head.epoch && cached.head.seq < head.seq
    const sums = isBase
      ? Promise.all([cached.sums, read(cached.head.seq, head.seq)]).then((parts) => added(parts.flat()))
      : read(0, head.seq)
    const fresh = { head, sums }
    const keep = (size: number) => this.#cache.set(key, fresh, { size: size + 1 })
    keep(0)
    const isKept = () => this.#cache.peek(key) === fresh
    sums.then(
      ({ length }) => isKept() && keep(length),
      () => isKept() && this.#cache.delete(key),
    )
    return sums
  }
}

/** Adds up the sums of each interval, oldest first. */
function added(sums: readonly TimeSum[]): TimeSum[] {
  return [...Map.groupBy(sums, ({ at }) => at)]
    .map(([at, parts]) => ({
      at,
      count: parts.reduce((sum, { count }) => sum + count, 0),
      scored: parts.reduce((sum, { scored }) => sum + scored, 0),
      sentiment: parts.reduce((sum, { sentiment }) => sum + sentiment, 0),
    }))
    .sort((one, other) => one.at - other.at)
}
