import type { Json } from './json.ts'

/** Where a row stands in a sort order: the values of its sort columns, ending in one that is unique. */
export type SortKey = readonly number[]

/** The place a page starts from. `inclusive` takes the row at the key itself too. */
export interface Position {
  direction: 'after' | 'before'
  key: SortKey
  inclusive: boolean
}

/** Part of a cursor list, in the order asked for. */
export interface CursorPage<T> {
  data: Json<T[]>
  count: number
  totalCount: number
  /** Keys of the first and the last row; for an empty page the position it was asked at. */
  first: SortKey | null
  last: SortKey | null
  hasPrev: boolean
  hasMore: boolean
}

/** Part of an offset or a page list. */
export interface OffsetPage<T> {
  data: T[]
  totalCount: number
}

/** The same with rows that are already written. */
export interface WrittenPage<T> {
  data: Json<T[]>
  count: number
  totalCount: number
}
