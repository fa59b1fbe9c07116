import type { NewEntry } from '../../model/entries.ts'
import { CountChanges, type CountedEntry } from '../counts/count-changes.ts'
import { type CountedRow, countedEntries } from '../counts/counts.ts'
import type { Db, Queryable, Transaction, Value } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { forEachChunk, getRef, refsBy } from '../lists/refs.ts'
import { type EntryBatch, prepareEntries, withCreatedAt } from './entry-batch.ts'
import { SPAN } from './entry-query.ts'

/** Adds entries to the feed in the given order; one whose id is already there is left as it is. */
export async function insertEntries(db: Db, tx: Transaction, feed: Feed, given: readonly NewEntry[]): Promise<number> {
  await feed.lock(tx)
  const fresh = await withoutKnown(tx, given)
  if (fresh.length > 0) await appendBatch(db, tx, feed, prepareEntries(fresh))
  return fresh.length
}

/** Adds entries of which none is in the store yet. */
export async function appendBatch(db: Db, tx: Transaction, feed: Feed, batch: EntryBatch): Promise<void> {
  const lastGiven = batch.createdAt.reduce((latest, time) => Math.max(latest, time), 0)
  const { firstSeq, createdAtFloor } = await feed.append(tx, batch.id.length, lastGiven)
  const publishers = await refsBy<PublisherRef>(tx, 'publishers', 'id', batch.publisherId, ['country_code'])
  const assets = await refsBy(tx, 'assets', 'key', batch.assetKeys.flat())
  const topics = await refsBy(tx, 'topics', 'slug', batch.topicSlugs.flat())

  const rows: Value[][] = []
  const assetRows = new RowsByRef()
  const topicRows = new RowsByRef()
  const searchRows: Value[][] = []
  const contentRows: Value[][] = []
  const counted: CountedEntry[] = []
  const spans = new Spans()
  let createdAt = createdAtFloor
  for (const [index, id] of batch.id.entries()) {
    const seq = firstSeq + index
    const publishedAt = at(batch.publishedAt, index)
    const sentimentScore = at(batch.sentimentScore, index)
    const publisher = getRef(publishers, at(batch.publisherId, index), 'publisher')
    const assetRefs = at(batch.assetKeys, index).map((key) => getRef(assets, key, 'asset').ref)
    const topicRefs = at(batch.topicSlugs, index).map((slug) => getRef(topics, slug, 'topic').ref)
    const content = at(batch.content, index)
    const givenCreatedAt = at(batch.createdAt, index)
    createdAt = Math.max(createdAt, givenCreatedAt)
    const doc = at(batch.doc, index)
    rows.push([
      seq,
      id,
      publisher.ref,
      publisher.country_code,
      at(batch.language, index),
      assetRefs.length > 0 ? 1 : 0,
      sentimentScore,
      publishedAt,
      createdAt,
      createdAt === givenCreatedAt ? doc : withCreatedAt(doc, createdAt),
    ])
    for (const ref of assetRefs) assetRows.add(ref, seq, publishedAt)
    for (const ref of topicRefs) topicRows.add(ref, seq, publishedAt)
    searchRows.push([seq, db.dialect.search.indexValue(at(batch.words, index))])
    if (content !== null) contentRows.push([seq, content])
    counted.push({ publisherRef: publisher.ref, assetRefs, topicRefs, publishedAt, sentimentScore })
    spans.add(seq, publishedAt)
  }
  await tx.insert('entries', ENTRY_COLUMNS, rows)
  await tx.insert('entry_assets', ['asset_ref', 'seq', 'published_at'], assetRows.all())
  await tx.insert('entry_topics', ['topic_ref', 'seq', 'published_at'], topicRows.all())
  await tx.insert('entries_search', ['rowid', 'words'], searchRows)
  await tx.insert('entry_contents', ['seq', 'content'], contentRows)
  await spans.write(tx)
  await CountChanges.inserted(tx, counted)
}

const ENTRY_COLUMNS = [
  'seq',
  'id',
  'publisher_ref',
  'country_code',
  'language',
  'has_assets',
  'sentiment_score',
  'published_at',
  'created_at',
  'doc',
]

export async function removeEntries(tx: Transaction, feed: Feed, ids: readonly string[]): Promise<number> {
  await feed.touch(tx)
  const rows: (CountedRow & { seq: number })[] = []
  for (const id of ids) {
    const found = await tx.query<CountedRow & { seq: number }>(
      'delete from entries where id = $1 returning seq, publisher_ref, published_at, sentiment_score, doc',
      [id],
    )
    rows.push(...found)
  }
  const removed = await countedEntries(tx, rows)
  for (const [index, { assetRefs, topicRefs }] of removed.entries()) {
    const seq = rows[index]?.seq ?? 0
    for (const ref of assetRefs) {
      await tx.query('delete from entry_assets where asset_ref = $1 and seq = $2', [ref, seq])
    }
    for (const ref of topicRefs) {
      await tx.query('delete from entry_topics where topic_ref = $1 and seq = $2', [ref, seq])
    }
    await tx.query('delete from entries_search where rowid = $1', [seq])
    await tx.query('delete from entry_contents where seq = $1', [seq])
  }
  await CountChanges.removed(tx, removed)
  return removed.length
}

/** Rows of a side table in the order of its key, in which they are written faster. */
class RowsByRef {
  readonly #rows = new Map<number, Value[][]>()

  add(ref: number, seq: number, publishedAt: number): void {
    const row = [ref, seq, publishedAt]
    const others = this.#rows.get(ref)
    if (others === undefined) this.#rows.set(ref, [row])
    else others.push(row)
  }

  all(): Value[][] {
    return [...this.#rows].sort(([one], [other]) => one - other).flatMap(([, rows]) => rows)
  }
}

/** What the entries add to entry_spans. */
class Spans {
  readonly #spans = new Map<number, { min: number; max: number }>()

  add(seq: number, publishedAt: number): void {
    const number = Math.floor(seq / SPAN)
    const span = this.#spans.get(number)
    if (span === undefined) {
      this.#spans.set(number, { min: publishedAt, max: publishedAt })
    } else {
      span.min = Math.min(span.min, publishedAt)
      span.max = Math.max(span.max, publishedAt)
    }
  }

  async write(tx: Queryable): Promise<void> {
    for (const [span, { min, max }] of this.#spans) {
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

interface PublisherRef {
  ref: number
  country_code: string | null
}

function at<T>(list: readonly T[], index: number): T {
  if (index >= list.length) throw new Error('the columns of a batch differ in length')
  return list[index] as T
}
