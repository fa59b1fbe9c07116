import { LRUCache } from 'lru-cache'
import { ApiError } from '../../model/errors.ts'
import { Json } from '../../model/json.ts'
import type { CursorPage, EmptyBefore, Position, SortKey } from '../../model/paging.ts'
import type { DocRows } from './docs.ts'
import type { Feed, Head } from './feeds.ts'

/** Parameters of a cursor page. */
export interface PageRequest<Filters, Sort extends string = string> {
  filters: Filters
  sort: Sort
  limit: number
  from: Position | undefined
}

/** Parameters of a page by offset. */
export type OffsetRequest<Filters> = Omit<PageRequest<Filters>, 'from'> & { offset: number }

/** Parameters of a walk through all matches, from the first one or from the one after the row with an id. */
export type WalkRequest<Filters, Sort extends string = string> = Omit<PageRequest<Filters, Sort>, 'limit' | 'from'> & {
  after: string | undefined
}

/** All matches up to the head of the feed at the start, in the order of the list. */
export interface ListWalk {
  /** The number of matches, also of those before the start of the walk. */
  totalCount: number
  portions: AsyncIterable<DocRows>
}

export interface Walk {
  from: Position | undefined
  limit: number
  headSeq: number
  totalCount: number
  /** Set for a walk of many portions, none of which may delay requests. */
  isLong?: true
}

/** The matches of a combination of filters, in the order of a sort. */
export interface FeedQuery {
  /** Returns up to `limit` rows beyond the position, in the order of the walk. */
  rows(walk: Walk): Promise<DocRows>
  /** Returns the number of matches with from < seq <= to. */
  count(from: number, to: number): Promise<number>
  /** Returns the sort key of the row with an id; undefined if there is none. */
  keyOf(id: string): Promise<SortKey | undefined>
  /** Finds an upper bound on a time that is before all rows. */
  findEmptyBefore?(): Promise<EmptyBefore | undefined>
}

/** Reads pages of a feed with their exact totals. Caches first pages until the feed changes. */
export class FeedPages<T, Filters, Sort extends string = string> {
  readonly #feed: Feed
  readonly #firstPages: LRUCache<string, CursorPage<T>>
  readonly #queryFor: (filters: Filters, sort: Sort) => Promise<FeedQuery | undefined>

  /** `queryFor` returns undefined when nothing can match. */
  constructor(
    feed: Feed,
    cacheBytes: number,
    queryFor: (filters: Filters, sort: Sort) => Promise<FeedQuery | undefined>,
  ) {
    this.#feed = feed
    this.#firstPages = new LRUCache({ maxSize: cacheBytes })
    this.#queryFor = queryFor
  }

  async page(request: PageRequest<Filters, Sort>): Promise<CursorPage<T>> {
    const head = await this.#feed.head()
    // First pages are requested again and again, pages behind a cursor rarely twice.
    if (request.from !== undefined) return this.#readAt(head, request)
    const key = JSON.stringify([head.seq, head.epoch, request])
    const cached = this.#firstPages.get(key)
    if (cached !== undefined) return cached
    const page = await this.#readAt(head, request)
    this.#firstPages.set(key, page, { size: page.data.size + key.length })
    return page
  }

  /** Throws 400 if there is no row to start after. */
  async walk({ filters, sort, after }: WalkRequest<Filters, Sort>): Promise<ListWalk> {
    const head = await this.#feed.head()
    const query = await this.#queryFor(filters, sort)
    if (query === undefined) return { totalCount: 0, portions: none() }
    const key = after === undefined ? undefined : await query.keyOf(after)
    if (after !== undefined && key === undefined) {
      throw ApiError.invalid([{ field: 'after', message: 'must be the id of a record that this dataset still has' }])
    }
    const totalCount = await this.#feed.total(JSON.stringify(filters), head, (from, to) => query.count(from, to))
    const from = key && ({ direction: 'after', key, inclusive: false } as const)
    return { totalCount, portions: portionsOf(query, { from, headSeq: head.seq, totalCount }) }
  }

  async #readAt(head: Head, request: PageRequest<Filters, Sort>): Promise<CursorPage<T>> {
    const query = await this.#queryFor(request.filters, request.sort)
    if (query === undefined) return emptyPage()
    const filter = JSON.stringify(request.filters)
    const totalCount = await this.#feed.total(filter, head, (from, to) => query.count(from, to))
    if (totalCount === 0) return { ...emptyPage<T>(), emptyBefore: await query.findEmptyBefore?.() }
    return readPage(query, request, head.seq, totalCount)
  }
}

/** Rows of a walk that are read at once: a few hundred kilobytes, in a few milliseconds. */
const PORTION = 1_000

async function* none(): AsyncIterable<DocRows> {}

async function* portionsOf(query: FeedQuery, start: Omit<Walk, 'limit' | 'isLong'>): AsyncIterable<DocRows> {
  let { from } = start
  for (;;) {
    const rows = await query.rows({ ...start, from, limit: PORTION, isLong: true })
    if (rows.keys.length > 0) yield rows
    const key = rows.keys.at(-1)
    if (key === undefined || rows.keys.length < PORTION) return
    from = { direction: 'after', key, inclusive: false }
  }
}

/** Returns a new object each time, because callers cache data by the page object. */
function emptyPage<T>(): CursorPage<T> {
  return { data: Json.text('[]'), count: 0, totalCount: 0, first: null, last: null, hasPrev: false, hasMore: false }
}

async function readPage<T>(
  query: FeedQuery,
  { limit, from }: { limit: number; from: Position | undefined },
  headSeq: number,
  totalCount: number,
): Promise<CursorPage<T>> {
  const walk = (start: Position | undefined, count: number) =>
    query.rows({ from: start, limit: count, headSeq, totalCount })

  // Reads the row of the cursor too: if it still exists, there is a page behind this one.
  const found = await walk(from && { ...from, inclusive: true }, limit + 2)
  const startsAtCursor = from !== undefined && !from.inclusive && isSameKey(found.keys[0], from.key)
  const start = startsAtCursor ? 1 : 0
  const isCut = found.keys.length > start + limit
  const cut = found.slice(start, start + limit)
  const isBackwards = from?.direction === 'before'
  const rows = isBackwards ? cut.reversed() : cut

  const first = rows.keys[0] ?? from?.key ?? null
  const last = rows.keys.at(-1) ?? from?.key ?? null
  const count = rows.keys.length
  const nearest = isBackwards ? last : first
  const hasBehind =
    startsAtCursor ||
    (from !== undefined &&
      nearest !== null &&
      (await walk({ ...opposite(from), key: nearest, inclusive: count === 0 }, 1)).keys.length > 0)
  return {
    data: rows.list<T>(),
    count,
    totalCount,
    first,
    last,
    hasPrev: isBackwards ? isCut : hasBehind,
    hasMore: isBackwards ? hasBehind : isCut,
  }
}

function isSameKey(one: SortKey | undefined, other: SortKey): boolean {
  return one?.every((value, index) => value === other[index]) ?? false
}

function opposite(from: Position): Position {
  return { ...from, direction: from.direction === 'after' ? 'before' : 'after' }
}
