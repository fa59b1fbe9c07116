import { LRUCache } from 'lru-cache'
import type { EmptyBefore } from '../../model/paging.ts'
import { meanSentiment } from '../counts/mean-sentiment.ts'
import type { Db } from '../db.ts'
import type { Feed, Head } from '../lists/feeds.ts'
import type { TimeSum } from '../lists/list-counts.ts'
import { ListQuery } from '../lists/list-query.ts'
import type { AsOf } from '../lists/past-query.ts'
import type { EntryFilters } from './entry-filters.ts'
import type { EntryHistory } from './entry-history.ts'
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

/** The intervals that have entries, oldest first. */
export interface EntryCountList {
  counts: readonly EntryCount[]
  emptyBefore: EmptyBefore | undefined
}

interface CachedCounts {
  head: Head
  sums: Promise<readonly TimeSum[]>
  list: Promise<EntryCountList>
}

/**
 * Counts entries per interval of their publication. Like a total, the sums are cached with the head of the feed, and
 * later only new entries are counted.
 */
export class EntryCounts {
  readonly #db: Db
  readonly #feed: Feed
  readonly #history: EntryHistory
  readonly #cache = new LRUCache<string, CachedCounts>({ maxSize: CACHED_SUMS })

  constructor(db: Db, feed: Feed, history: EntryHistory) {
    this.#db = db
    this.#feed = feed
    this.#history = history
  }

  /** Returns the same object until the feed changes, because callers cache the answer by it. */
  async list(given: EntryFilters & AsOf, intervalMs: number): Promise<EntryCountList> {
    const { asOf, ...filters } = given
    const { seq, epoch } = await this.#feed.head()
    const head = { epoch, seq: asOf === undefined ? seq : Math.min(seq, await this.#history.seqAt(asOf)) }
    const key = JSON.stringify([given, intervalMs])
    const known = this.#listAt(key, head)
    if (known !== undefined) return known
    const query = await ListQuery.for(this.#db, ENTRY_LIST, filters, 'publishedAt:asc')
    if (query === undefined) return { counts: [], emptyBefore: undefined }
    // A concurrent call may have begun meanwhile.
    return this.#listAt(key, head) ?? this.#read(key, head, query, intervalMs, asOf)
  }

  #listAt(key: string, { seq, epoch }: Head): Promise<EntryCountList> | undefined {
    const cached = this.#cache.get(key)
    return cached?.head.seq === seq && cached.head.epoch === epoch ? cached.list : undefined
  }

  #read(
    key: string,
    head: Head,
    query: ListQuery,
    intervalMs: number,
    asOf: number | undefined,
  ): Promise<EntryCountList> {
    const cached = this.#cache.get(key)
    const isBase = cached !== undefined && cached.head.epoch === head.epoch && cached.head.seq < head.seq
    const sums = isBase
      ? Promise.all([cached.sums, query.counts.sumsOverTime(intervalMs, cached.head.seq, head.seq)]).then((parts) =>
          added(parts.flat()),
        )
      : query.counts.sumsOverTime(intervalMs, 0, head.seq)
    const list = sums.then(async (all) => ({
      counts: all.map(countOf),
      emptyBefore: all.length > 0 ? undefined : await this.#history.findEmptyBefore(query, asOf),
    }))
    const fresh = { head, sums, list }
    const keep = (size: number) => this.#cache.set(key, fresh, { size: size + 1 + Math.floor(key.length / 100) })
    keep(0)
    const isKept = () => this.#cache.peek(key) === fresh
    list.then(
      ({ counts }) => isKept() && keep(counts.length),
      () => isKept() && this.#cache.delete(key),
    )
    return list
  }
}

const countOf = ({ at, count, scored, sentiment }: TimeSum): EntryCount => ({
  at,
  count,
  sentimentScore: meanSentiment(sentiment, scored),
})

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
