import type { Entry, NewEntry } from '../model/entries.ts'
import { Json } from '../model/json.ts'
import { Lru } from '../model/lru.ts'
import type { CursorPage, Position, SortKey } from '../model/paging.ts'
import type { Db } from './db.ts'
import type { EntryBatch } from './entry-batch.ts'
import type { EntryFilters } from './entry-filters.ts'
import { EntryQuery, type EntrySort } from './entry-query.ts'
import { appendBatch, insertEntries, removeEntries } from './entry-writes.ts'
import { Feed, type Head } from './feeds.ts'

interface EntryPageRequest {
  filters: EntryFilters
  sort: EntrySort
  limit: number
  from: Position | undefined
}

const PAGE_CACHE_BYTES = 16_000_000

/** The tables whose indexes a bulk load need not keep up. */
const TABLES = ['entries', 'entry_assets', 'entry_topics']
const MIN_BULK = 20_000

export type Entries = ReturnType<typeof entriesStore>

export function entriesStore(db: Db) {
  const feed = new Feed(db, 'entries')
  const firstPages = new Lru<CursorPage<Entry>>(PAGE_CACHE_BYTES)

  async function page(request: EntryPageRequest): Promise<CursorPage<Entry>> {
    const head = await feed.head()
    // First pages are asked for again and again; a page behind a cursor hardly ever twice.
    if (request.from !== undefined) return readAt(head, request)
    const key = JSON.stringify([head.seq, head.epoch, request])
    const cached = firstPages.get(key)
    if (cached !== undefined) return cached
    const page = await readAt(head, request)
    firstPages.set(key, page, page.data.size + key.length)
    return page
  }

  async function readAt(head: Head, request: EntryPageRequest): Promise<CursorPage<Entry>> {
    const query = await EntryQuery.for(db, request.filters, request.sort)
    if (query === undefined) return emptyPage()
    const filter = JSON.stringify(request.filters)
    const totalCount = await feed.total(filter, head, (from, to) => query.count(from, to))
    return totalCount === 0 ? emptyPage() : readPage(query, request, head.seq, totalCount)
  }

  return {
    page,

    async find(id: string): Promise<Json<Entry> | undefined> {
      const [row] = await db.query<{ doc: string }>('select doc from entries where id = $1', [id.toLowerCase()])
      return row === undefined ? undefined : Json.text<Entry>(row.doc)
    },

    async total(): Promise<number> {
      return (await page({ filters: {}, sort: 'createdAt:desc', limit: 1, from: undefined })).totalCount
    },

    async lastCreatedAt(): Promise<number | null> {
      const [row] = await db.query<{ at: number | null }>(
        'select created_at as at from entries order by seq desc limit 1',
      )
      return row?.at ?? null
    },

    /** Adds entries to the feed in the given order; one whose id is already there is left as it is. */
    async insert(entries: readonly NewEntry[]): Promise<number> {
      try {
        return await db.transaction((tx) => insertEntries(db, tx, feed, entries))
      } finally {
        feed.changed()
      }
    },

    /** Adds a batch that was prepared elsewhere, of entries that are not there yet. */
    async append(batch: EntryBatch): Promise<void> {
      try {
        await db.transaction((tx) => appendBatch(db, tx, feed, batch))
      } finally {
        feed.changed()
      }
    },

    /**
     * Runs `work`, which appends about `count` entries, in the way that is fastest for so many. Nothing else may be
     * asked of the entries meanwhile.
     */
    async bulkLoad<T>(count: number, work: () => Promise<T>, onStep?: (step: string) => void): Promise<T> {
      // To build the indexes anew costs less than to add to them only if most entries are new.
      const isWorthIt = count >= MIN_BULK && count >= (await feed.head()).seq
      return isWorthIt ? db.bulkLoad({ tables: TABLES, searchTable: 'entries_search', onStep }, work) : work()
    },

    async remove(ids: readonly string[]): Promise<number> {
      try {
        return await db.transaction((tx) => removeEntries(tx, feed, ids))
      } finally {
        feed.changed()
      }
    },
  }
}

/** A new object each time: what is made of a page may be remembered with it. */
function emptyPage(): CursorPage<Entry> {
  return { data: Json.text('[]'), count: 0, totalCount: 0, first: null, last: null, hasPrev: false, hasMore: false }
}

async function readPage(
  query: EntryQuery,
  { limit, from }: EntryPageRequest,
  headSeq: number,
  totalCount: number,
): Promise<CursorPage<Entry>> {
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
    data: rows.list<Entry>(),
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
