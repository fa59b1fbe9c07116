import { LRUCache } from 'lru-cache'
import { Json } from '../../model/json.ts'
import type { CursorPage, Position, SortKey } from '../../model/paging.ts'
import type { DocRows } from './docs.ts'
import type { Feed, Head } from './feeds.ts'

/** What a page of a feed is asked for by. */
export interface PageRequest<Filters, Sort extends string = string> {
  filters: Filters
  sort: Sort
  limit: number
  from: Position | undefined
}

/** What a page that is counted from the start is asked for by. */
export type OffsetRequest<Filters> = Omit<PageRequest<Filters>, 'from'> & { offset: number }

export interface Walk {
  from: Position | undefined
  limit: number
  headSeq: number
  totalCount: number
}

/** The rows of a feed that match some filters, in some order. */
export interface FeedQuery {
  /** Up to `limit` rows beyond the position, in the order in which they are walked. */
  rows(walk: Walk): Promise<DocRows>
  /** How many rows with from < seq <= to match. */
  count(from: number, to: number): Promise<number>
}

/** Reads pages of a feed, each with its exact total; first pages are kept as long as the feed does not change. */
export class FeedPages<T, Filters, Sort extends string = string> {
  readonly #feed: Feed
  readonly #firstPages: LRUCache<string, CursorPage<T>>
  readonly #queryFor: (filters: Filters, sort: Sort) => Promise<FeedQuery | undefined>

  /** `queryFor` gives undefined when nothing can match. */
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
    // First pages are asked for again and again; a page behind a cursor hardly ever twice.
    if (request.from !== undefined) return this.#readAt(head, request)
    const key = JSON.stringify([head.seq, head.epoch, request])
    const cached = this.#firstPages.get(key)
    if (cached !== undefined) return cached
    const page = await this.#readAt(head, request)
    this.#firstPages.set(key, page, { size: page.data.size + key.length })
    return page
  }

  async #readAt(head: Head, request: PageRequest<Filters, Sort>): Promise<CursorPage<T>> {
    const query = await this.#queryFor(request.filters, request.sort)
    if (query === undefined) return emptyPage()
    const filter = JSON.stringify(request.filters)
    const totalCount = await this.#feed.total(filter, head, (from, to) => query.count(from, to))
    return totalCount === 0 ? emptyPage() : readPage(query, request, head.seq, totalCount)
  }
}

/** A new object each time: what is made of a page may be remembered with it. */
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

  // The row that a cursor was made of is asked for too: if it is still there, something lies behind this page.
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
