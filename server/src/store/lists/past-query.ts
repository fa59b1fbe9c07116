import type { Db } from '../db.ts'
import type { DocRows } from './docs.ts'
import type { FeedList } from './feed-list.ts'
import type { FeedQuery } from './feed-pages.ts'
import type { GivenValues } from './filters.ts'
import { ListQuery } from './list-query.ts'
import type { SearchCache } from './search-cache.ts'
import type { KnownColumns, Timelines } from './timelines.ts'

/** How a list answers with what was known at a time. */
export interface History {
  /** The column with the time from which a row is known. */
  from: string
  /** Returns the filters that find the rows known at a time. */
  past(filters: GivenValues, asOf: number): GivenValues | Promise<GivenValues>
  /** Returns the filters that find these rows whenever they were known; undefined if the matches depend on the time. */
  ever(filters: GivenValues): (Pick<KnownColumns, 'to'> & { filters: GivenValues }) | undefined
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
  const known = history.ever(filters)
  const ever = known && (await ListQuery.for(db, list, known.filters, sort, searches))
  return {
    async rows(walk) {
      const rows = await past.rows(walk)
      return history.restate === undefined ? rows : history.restate(rows, asOf, filters)
    },
    count: (from, to) =>
      from > 0 || known === undefined || ever === undefined
        ? past.count(from, to)
        : timelines.countAt(
            asOf,
            JSON.stringify(known.filters),
            { ...known, from: history.from },
            { ever: ever.counts, past },
            to,
          ),
    keyOf: (id) => past.keyOf(id),
    async findEmptyBefore() {
      const startsAt = await past.least(history.from)
      return startsAt !== null && asOf < startsAt ? { filter: 'asOf', startsAt } : past.findEmptyBefore()
    },
  }
}
