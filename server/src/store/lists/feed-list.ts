import type { Queryable, Value } from '../db.ts'
import type { BoundFilter, FilterMap } from './filters.ts'

/**
 * A list over a feed. Every sort has an index (its column, seq). Every indexed filter has an index (its column, the
 * default sort, seq) and one more for each of its other sorts. If a filter is of the kind `including`, all indexes
 * start with its column.
 */
export interface FeedList {
  /** A table `<table>_search` has the words of its rows. */
  table: string
  /** The table with the documents of the rows; `<table>_docs` by default. */
  docs?: string
  /** The column with the id of the record; `id` by default. */
  idColumn?: string
  filters: FilterMap
  /** Column by the name of the sort, the default first. The column `seq` is the order of the feed. */
  sorts: Readonly<Record<string, string>>
  /** True if the sort columns are integers. Otherwise they are double precision and compare with any number. */
  hasIntegerSorts?: true
  spans?: Spans
}

/** Says which part of the feed can hold rows whose column lies within bounds. */
export interface Spans {
  column: string
  find(db: Queryable, bounds: Record<BoundFilter['kind'], Value | undefined>): Promise<SeqRange>
}

/** The rows with low < seq <= high. */
export interface SeqRange {
  low: number
  high: number
}

/** The largest value of the column `seq` on either engine. */
export const MAX_SEQ = 2 ** 31 - 1
