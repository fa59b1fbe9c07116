import type { Db } from '../db.ts'
import type { DocRows } from './docs.ts'
import type { FeedList } from './feed-list.ts'
import type { FeedQuery, Walk } from './feed-pages.ts'
import type { GivenValues } from './filters.ts'
import { ListQuery } from './list-query.ts'
import { MAX_SORTED, type SearchCache } from './search-cache.ts'
import type { KnownColumns, TimedMatches, Timelines } from './timelines.ts'

/** How a list answers with what was known at a time. */
export interface History {
  /** The column with the time from which a row is known. */
  from: string
  /** Returns the filters that find the rows known at a time. */
  past(filters: GivenValues, asOf: number): GivenValues | Promise<GivenValues>
  /** Returns filters that find these rows at any time, each for the rows that match between the times of two columns. */
  ever(filters: GivenValues): readonly (KnownColumns & { filters: GivenValues })[]
  /** Returns the rows with their documents as they were. */
  restate?(rows: DocRows, asOf: number, filters: GivenValues): Promise<DocRows>
}

/** A time of the past, in addition to the filters of a list. */
export interface AsOf {
  asOf?: number | undefined
}

/** Returns the query of a list, of its past if the filters have `asOf`. Returns undefined when nothing can match. */
export async function queryFor(
  db: Db,
  list: FeedList,
  { asOf, ...filters }: GivenValues & AsOf,
  sort: string,
  parts: { history: History | undefined; timelines: Timelines; searches?: SearchCache },
): Promise<FeedQuery | undefined> {
  const { history, timelines, searches } = parts
  if (asOf === undefined) return ListQuery.for(db, list, filters, sort, searches)
  if (history === undefined) throw new Error(`${list.table} has no history`)
  const past = await ListQuery.for(db, list, await history.past(filters, asOf), sort, searches)
  if (past === undefined) return undefined
  const kinds: (TimedMatches & { query: ListQuery })[] = []
  for (const { filters: given, ...columns } of history.ever(filters)) {
    const query = await ListQuery.for(db, list, given, sort, searches)
    if (query !== undefined) kinds.push({ ...columns, query, counts: query.counts })
  }
  const key = JSON.stringify(filters)
  /** The matches of a search at any time are cached, those at this time are not. */
  const findCached = async ({ headSeq }: Walk) => {
    const [kind] = kinds
    if (kind === undefined || kinds.length > 1 || !kind.query.isCachedSearch) return undefined
    return (await timelines.matchesOf(key, kind, headSeq)) > MAX_SORTED ? undefined : kind.query
  }
  return {
    async rows(walk) {
      const cached = await findCached(walk)
      const rows = await (cached === undefined ? past.rows(walk) : past.rowsAmong(cached, walk))
      return history.restate === undefined ? rows : history.restate(rows, asOf, filters)
    },
    count: (from, to) => (from > 0 ? past.count(from, to) : timelines.countAt(asOf, key, kinds, past, to)),
    keyOf: (id) => past.keyOf(id),
    async findEmptyBefore() {
      const startsAt = await past.least(history.from)
      return startsAt !== null && asOf < startsAt ? { filter: 'asOf', startsAt } : past.findEmptyBefore()
    },
  }
}
