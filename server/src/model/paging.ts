import { Json } from './json.ts'

/** The position of a row in a sort order: the values of its sort columns, the last of them unique. */
export type SortKey = readonly number[]

/** The position at which a page starts. `inclusive` includes the row at the key itself. */
export interface Position {
  direction: 'after' | 'before'
  key: SortKey
  inclusive: boolean
}

/** The upper bound that leaves a list empty, because all of its records are later. */
export interface EmptyBefore {
  /** Name of the filter. */
  filter: string
  /** Time of the first record, in epoch milliseconds. */
  startsAt: number
}

/** How a query was answered: by meaning and words, or by words alone. */
export const SEARCH_MODES = ['semantic', 'words'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]

/** A page of a cursor list, in the requested order. */
export interface CursorPage<T> {
  data: Json<T[]>
  count: number
  totalCount: number
  /** Keys of the first and the last row; for an empty page, of the requested position. */
  first: SortKey | null
  last: SortKey | null
  hasPrev: boolean
  hasMore: boolean
  emptyBefore?: EmptyBefore | undefined
  /** Of the answer to a `query`. */
  mode?: SearchMode
}

/** A page of an offset list or a page list. */
export interface OffsetPage<T> {
  data: T[]
  totalCount: number
  emptyBefore?: EmptyBefore | undefined
}

/** An `OffsetPage` whose rows are serialized. */
export interface WrittenPage<T> {
  data: Json<T[]>
  count: number
  totalCount: number
  emptyBefore?: EmptyBefore | undefined
}

/** Returns a function that writes pages. It serializes each page and each item once: for those that stay in a cache. */
export function pageWriter<Item extends object, T>(viewOf: (item: Item) => T) {
  const pages = new WeakMap<OffsetPage<Item>, WrittenPage<T>>()
  const texts = new WeakMap<Item, string>()
  const textOf = (item: Item) => {
    const text = texts.get(item) ?? JSON.stringify(viewOf(item))
    texts.set(item, text)
    return text
  }
  return (page: OffsetPage<Item>): WrittenPage<T> => {
    const { data, ...rest } = page
    const items = () => Json.list<T>(Buffer.from(data.map(textOf).join(',')))
    const written = pages.get(page) ?? { data: items(), count: data.length, ...rest }
    pages.set(page, written)
    return written
  }
}
