import type { NewEntry } from '../../model/entries.ts'
import { logInserted } from '../changes/change-log.ts'
import { CountChanges } from '../counts/count-changes.ts'
import type { Procedure, Queryable, Transaction, Value } from '../db.ts'
import { reserveSeqs } from '../lists/feeds.ts'
import { getRef, refsBy } from '../lists/refs.ts'
import { topicRefsOf } from '../topic-branches.ts'
import { decodeBatch, type EntryBatch, prepareEntries, withCreatedAt } from './entry-batch.ts'
import { ENTRY_COLUMN_NAMES } from './entry-columns.ts'
import type { EntryFeeds } from './entry-feeds.ts'
import { listKnown } from './entry-known.ts'
import { insertEntrySides, type PlacedEntry } from './entry-sides.ts'
import { extendSpans } from './entry-spans.ts'

/** Adds entries to the feed in the given order, except those whose ids are known. */
export async function insertEntries(
  tx: Transaction,
  { entries: feed, changes }: WrittenFeeds,
  given: readonly NewEntry[],
): Promise<number> {
  await feed.lock(tx)
  const fresh = await withoutKnown(tx, given)
  if (fresh.length === 0) return 0
  const firstSeq = await appendBatch(tx, prepareEntries(fresh))
  changes.inserted(
    tx,
    'entries',
    fresh.map((_, index) => firstSeq + index),
  )
  return fresh.length
}

/** Adds an encoded batch of entries that the store does not have, and logs them. */
export const appendEntries: Procedure<Uint8Array, void> = {
  module: import.meta.url,
  name: 'appendEntries',
  takesLong: true,
  async work(tx, bytes) {
    const batch = decodeBatch(bytes)
    const firstSeq = await appendBatch(tx, batch)
    const rows = { source: 'entries', table: 'entries', firstSeq, count: batch.id.length } as const
    await logInserted(tx, rows, latestOf(batch.createdAt))
  },
}

/** Adds a batch of entries that the store does not have. Returns the seq of the first. */
async function appendBatch(tx: Transaction, batch: EntryBatch): Promise<number> {
  const { firstSeq, createdAtFloor } = await reserveSeqs(tx, 'entries', batch.id.length, latestOf(batch.createdAt))
  const publishers = await refsBy<PublisherRef>(tx, 'publishers', 'id', batch.publisherId, ['country_code'])
  const assets = await refsBy(tx, 'assets', 'key', batch.assetKeys.flat())
  const topics = await topicRefsOf(tx, batch.topicSlugs)
  if (topics.some(({ own }, index) => own.length < at(batch.topicSlugs, index).length)) {
    throw new Error('the store does not have all topics of the entries')
  }

  let createdAt = createdAtFloor
  const entries = batch.id.map((_, index): WrittenEntry => {
    const publisher = getRef(publishers, at(batch.publisherId, index), 'publisher')
    const givenCreatedAt = at(batch.createdAt, index)
    createdAt = Math.max(createdAt, givenCreatedAt)
    return {
      seq: firstSeq + index,
      publisher,
      publisherRef: publisher.ref,
      assetRefs: at(batch.assetKeys, index).map((key) => getRef(assets, key, 'asset').ref),
      topicRefs: at(topics, index).own,
      countedTopicRefs: at(topics, index).counted,
      publishedAt: at(batch.publishedAt, index),
      sentimentScore: at(batch.sentiment_score, index),
      assetScores: at(batch.assetScores, index),
      createdAt,
      doc: createdAt === givenCreatedAt ? at(batch.doc, index) : withCreatedAt(at(batch.doc, index), createdAt),
    }
  })

  // Yields one row at a time: keeping all of them would burden the garbage collector.
  const own = ENTRY_COLUMN_NAMES.map((name): readonly Value[] => batch[name])
  const placed = Object.values(PLACED_COLUMNS)
  function* rows(): Generator<Value[]> {
    for (const [index, entry] of entries.entries()) {
      const row = placed.map((derive): Value => derive(entry))
      for (const values of own) row.push(at(values, index))
      yield row
    }
  }
  function* searchRows(): Generator<Value[]> {
    for (const [index, words] of batch.words.entries()) yield [firstSeq + index, tx.dialect.search.indexValue(words)]
  }
  function* contentRows(): Generator<Value[]> {
    for (const [index, content] of batch.content.entries()) if (content !== null) yield [firstSeq + index, content]
  }
  await tx.insert('entries', [...Object.keys(PLACED_COLUMNS), ...ENTRY_COLUMN_NAMES], rows())
  await insertEntrySides(tx, entries)
  await tx.insert('entries_search', ['rowid', 'words'], searchRows())
  await tx.insert('entry_contents', ['seq', 'content'], contentRows())
  await extendSpans(tx, entries)
  await CountChanges.inserted(tx, entries)
  return firstSeq
}

const latestOf = (times: readonly number[]) => times.reduce((latest, time) => Math.max(latest, time), 0)

type WrittenFeeds = Pick<EntryFeeds, 'entries' | 'changes'>

interface WrittenEntry extends PlacedEntry {
  publisher: PublisherRef
  createdAt: number
  doc: string
}

/** The columns of `entries` that depend on the store. The others are ENTRY_COLUMNS. */
const PLACED_COLUMNS = {
  seq: ({ seq }) => seq,
  publisher_ref: ({ publisher }) => publisher.ref,
  country_code: ({ publisher }) => publisher.country_code,
  published_at: ({ publishedAt }) => publishedAt,
  created_at: ({ createdAt }) => createdAt,
  asset_scores: ({ assetScores }) => (assetScores === null ? null : JSON.stringify(assetScores)),
  doc: ({ doc }) => doc,
} satisfies Record<string, (entry: WrittenEntry) => Value>

async function withoutKnown(tx: Queryable, given: readonly NewEntry[]): Promise<NewEntry[]> {
  const seen = await listKnown(
    tx,
    given.map(({ id }) => id),
  )
  return given.filter(({ id }) => !seen.has(id) && seen.set(id, id))
}

export interface PublisherRef {
  ref: number
  country_code: string | null
}

function at<T>(list: readonly T[], index: number): T {
  if (index >= list.length) throw new Error('the columns of a batch differ in length')
  return list[index] as T
}
