import type { Entry, NewEntry } from '../model/entries.ts'
import { Json } from '../model/json.ts'
import type { CursorPage } from '../model/paging.ts'
import { isoTime } from '../model/time.ts'
import type { Db, Queryable, Value } from './db.ts'
import type { EntryFilters } from './entry-filters.ts'
import { EntryQuery, type EntrySort, SPAN } from './entry-query.ts'
import { FeedPages, type PageRequest } from './feed-pages.ts'
import { Feed } from './feeds.ts'
import { wordsOf } from './search.ts'
import { insertRecords, Params } from './sql.ts'

const PAGE_CACHE_BYTES = 16_000_000

export type Entries = ReturnType<typeof entriesStore>

export function entriesStore(db: Db) {
  const feed = new Feed(db, 'entries')
  const pages = new FeedPages<Entry, EntryFilters, EntrySort>(feed, PAGE_CACHE_BYTES, (filters, sort) =>
    EntryQuery.for(db, filters, sort),
  )

  return {
    page: (request: PageRequest<EntryFilters, EntrySort>): Promise<CursorPage<Entry>> => pages.page(request),

    async find(id: string): Promise<Json<Entry> | undefined> {
      const [row] = await db.query<{ doc: string }>('select doc from entries where id = $1', [id.toLowerCase()])
      return row === undefined ? undefined : Json.text<Entry>(row.doc)
    },

    async total(): Promise<number> {
      return (await pages.page({ filters: {}, sort: 'createdAt:desc', limit: 1, from: undefined })).totalCount
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

    async remove(ids: readonly string[]): Promise<number> {
      try {
        return await db.transaction((tx) => removeEntries(tx, feed, ids))
      } finally {
        feed.changed()
      }
    },
  }
}

async function insertEntries(db: Db, tx: Queryable, feed: Feed, given: readonly NewEntry[]): Promise<number> {
  await feed.lock(tx)
  const fresh = await withoutKnown(tx, given)
  const lastGiven = fresh.reduce((latest, entry) => Math.max(latest, entry.createdAt), 0)
  if (fresh.length === 0) return 0
  const { firstSeq, createdAtFloor } = await feed.append(tx, fresh.length, lastGiven)
  const publishers = await refsBy<PublisherRef>(
    tx,
    'publishers',
    'id',
    fresh.map((entry) => entry.publisherId),
  )
  const assets = await refsBy(
    tx,
    'assets',
    'key',
    fresh.flatMap((entry) => entry.assetKeys),
  )
  const topics = await refsBy(
    tx,
    'topics',
    'slug',
    fresh.flatMap((entry) => entry.topicSlugs),
  )

  const rows: Record<string, Value>[] = []
  const assetRows: Record<string, Value>[] = []
  const topicRows: Record<string, Value>[] = []
  const searchRows: Record<string, Value>[] = []
  const contentRows: Record<string, Value>[] = []
  const spans = new Map<number, { min: number; max: number }>()
  let createdAt = createdAtFloor
  for (const [index, entry] of fresh.entries()) {
    const seq = firstSeq + index
    const { publishedAt } = entry
    const publisher = required(publishers, entry.publisherId, 'publisher')
    createdAt = Math.max(createdAt, entry.createdAt)
    rows.push({
      seq,
      id: entry.id,
      publisher_ref: publisher.ref,
      country_code: publisher.country_code,
      language: entry.language,
      has_assets: entry.assetKeys.length > 0 ? 1 : 0,
      sentiment_score: entry.sentimentScore,
      published_at: publishedAt,
      created_at: createdAt,
      doc: JSON.stringify(toEntry(entry, createdAt)),
    })
    for (const key of entry.assetKeys) {
      assetRows.push({ asset_ref: required(assets, key, 'asset').ref, seq, published_at: publishedAt })
    }
    for (const slug of entry.topicSlugs) {
      topicRows.push({ topic_ref: required(topics, slug, 'topic').ref, seq, published_at: publishedAt })
    }
    const words = wordsOf(`${entry.title}\n${entry.content ?? entry.excerpt ?? ''}`)
    searchRows.push({ rowid: seq, words: db.dialect.search.indexValue(words) })
    if (entry.content !== null) contentRows.push({ seq, content: entry.content })
    const span = spans.get(Math.floor(seq / SPAN))
    spans.set(Math.floor(seq / SPAN), {
      min: Math.min(span?.min ?? publishedAt, publishedAt),
      max: Math.max(span?.max ?? publishedAt, publishedAt),
    })
  }
  await insertRecords(tx, 'entries', rows)
  await insertRecords(tx, 'entry_assets', assetRows)
  await insertRecords(tx, 'entry_topics', topicRows)
  await insertRecords(tx, 'entries_search', searchRows)
  await insertRecords(tx, 'entry_contents', contentRows)
  for (const [span, { min, max }] of spans) {
    await tx.query(
      `insert into entry_spans (span, published_min, published_max) values ($1, $2, $3)
       on conflict (span) do update set
         published_min = case when excluded.published_min < entry_spans.published_min
           then excluded.published_min else entry_spans.published_min end,
         published_max = case when excluded.published_max > entry_spans.published_max
           then excluded.published_max else entry_spans.published_max end`,
      [span, min, max],
    )
  }
  return fresh.length
}

async function removeEntries(tx: Queryable, feed: Feed, ids: readonly string[]): Promise<number> {
  await feed.touch(tx)
  let removed = 0
  for (const id of ids) {
    const [row] = await tx.query<{ seq: number; doc: string }>('delete from entries where id = $1 returning seq, doc', [
      id,
    ])
    if (row === undefined) continue
    const { assetKeys, topicSlugs }: Entry = JSON.parse(row.doc)
    for (const { ref } of (await refsBy(tx, 'assets', 'key', assetKeys)).values()) {
      await tx.query('delete from entry_assets where asset_ref = $1 and seq = $2', [ref, row.seq])
    }
    for (const { ref } of (await refsBy(tx, 'topics', 'slug', topicSlugs)).values()) {
      await tx.query('delete from entry_topics where topic_ref = $1 and seq = $2', [ref, row.seq])
    }
    await tx.query('delete from entries_search where rowid = $1', [row.seq])
    await tx.query('delete from entry_contents where seq = $1', [row.seq])
    removed += 1
  }
  return removed
}

function toEntry(entry: NewEntry, createdAt: number): Entry {
  return {
    id: entry.id,
    title: entry.title,
    excerpt: entry.excerpt,
    url: entry.url,
    urlDomain: entry.urlDomain,
    author: entry.author,
    imageUrl: entry.imageUrl,
    language: entry.language,
    sentimentScore: entry.sentimentScore,
    assetKeys: entry.assetKeys,
    topicSlugs: entry.topicSlugs,
    publishedAt: isoTime(entry.publishedAt),
    createdAt: isoTime(createdAt),
  }
}

async function withoutKnown(tx: Queryable, given: readonly NewEntry[]): Promise<NewEntry[]> {
  const seen = new Set<string>()
  await forEachChunk(
    given.map((entry) => entry.id),
    async (params, list) => {
      const rows = await tx.query<{ id: string }>(`select id from entries where id in (${list})`, params.values)
      for (const { id } of rows) seen.add(id)
    },
  )
  return given.filter((entry) => !seen.has(entry.id) && seen.add(entry.id))
}

interface Ref {
  ref: number
}

interface PublisherRef extends Ref {
  country_code: string | null
}

/** The rows of a catalogue table by a column of theirs, for the values given. */
async function refsBy<Row extends Ref>(
  tx: Queryable,
  table: 'publishers' | 'assets' | 'topics',
  column: string,
  values: readonly string[],
): Promise<Map<string, Row>> {
  const found = new Map<string, Row>()
  await forEachChunk([...new Set(values)], async (params, list) => {
    const rows = await tx.query<Row & { found_by: string }>(
      `select *, ${column} as found_by from ${table} where ${column} in (${list})`,
      params.values,
    )
    for (const row of rows) found.set(row.found_by, row)
  })
  return found
}

const CHUNK = 500

async function forEachChunk(values: readonly string[], work: (params: Params, list: string) => Promise<void>) {
  for (let start = 0; start < values.length; start += CHUNK) {
    const params = new Params()
    await work(params, params.list(values.slice(start, start + CHUNK)))
  }
}

function required<Row>(rows: Map<string, Row>, key: string, noun: string): Row {
  const row = rows.get(key)
  if (row === undefined) throw new Error(`an entry names the ${noun} ${key}, which the store does not have`)
  return row
}
