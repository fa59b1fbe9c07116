import type { Entry } from '../../model/entries.ts'
import { dropFromClusters } from '../clusters/cluster-changes.ts'
import { CountChanges } from '../counts/count-changes.ts'
import { type CountedRow, countedEntries } from '../counts/counts.ts'
import type { Transaction } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import { withdrawEvidence } from '../signals/signal-evidence.ts'
import type { EntryFeeds } from './entry-feeds.ts'
import { removeEntrySides } from './entry-sides.ts'

/** Removes entries from everything that names or counts them, and leaves tombstones. Returns their number. */
export async function removeEntries(
  tx: Transaction,
  feeds: EntryFeeds,
  ids: readonly string[],
  now: number,
): Promise<number> {
  await feeds.entries.lock(tx)
  const rows: (CountedRow & { seq: number })[] = []
  await forEachChunk(ids, async (params, list) => {
    const found = await tx.query<CountedRow & { seq: number }>(
      `delete from entries where id in (${list}) returning seq, publisher_ref, published_at, sentiment_score,
         asset_scores, doc`,
      params.values,
    )
    rows.push(...found)
  })
  if (rows.length === 0) return 0

  await feeds.entries.touch(tx)
  const counted = await countedEntries(tx, rows)
  const removed = rows.map(({ seq, publisher_ref: publisherRef, doc }) => ({
    seq,
    publisherRef,
    entry: JSON.parse(doc) as Entry,
  }))
  await removeEntrySides(
    tx,
    counted.map((entry, index) => ({ ...entry, seq: rows[index]?.seq ?? 0 })),
  )
  const seqs = rows.map(({ seq }) => seq)
  await forEachChunk(seqs, async (params, list) => {
    await tx.query(`delete from entries_search where rowid in (${list})`, params.values)
    await tx.query(`delete from entry_contents where seq in (${list})`, params.values)
    await tx.query(`delete from entry_vectors where seq in (${list})`, params.values)
  })
  feeds.changes.removed(
    tx,
    'entries',
    removed.map(({ seq, entry }) => ({ ref: seq, id: entry.id })),
  )
  const clusters = await dropFromClusters(tx, feeds.clusters, removed, now)
  await withdrawEvidence(
    tx,
    feeds.signals,
    removed.map(({ entry }) => entry.id),
    clusters,
  )
  await CountChanges.removed(tx, counted)
  return removed.length
}
