import { CountChanges, type CountedEntry } from '../counts/count-changes.ts'
import { type CountedRow, countedEntries } from '../counts/counts.ts'
import type { Transaction } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { forEachChunk } from '../lists/refs.ts'

/** Removes many entries at once; their clusters must have been updated before. Returns their number. */
export async function removeManyEntries(tx: Transaction, feed: Feed, seqs: readonly number[]): Promise<number> {
  await feed.lock(tx)
  await feed.touch(tx)
  const rows: (CountedRow & { seq: number })[] = []
  await forEachChunk(seqs, async (params, list) => {
    const found = await tx.query<CountedRow & { seq: number }>(
      `delete from entries where seq in (${list}) returning seq, publisher_ref, published_at, sentiment_score, doc`,
      params.values,
    )
    rows.push(...found)
    await tx.query(`delete from entries_search where rowid in (${list})`, params.values)
    await tx.query(`delete from entry_contents where seq in (${list})`, params.values)
    await tx.query(`delete from entry_vectors where seq in (${list})`, params.values)
  })
  const counted = await countedEntries(tx, rows)
  const placed = counted.map((entry, index) => ({ ...entry, seq: rows[index]?.seq ?? 0 }))
  await removeSides(tx, 'entry_assets', 'asset_ref', placed, ({ assetRefs }) => assetRefs)
  await removeSides(tx, 'entry_topics', 'topic_ref', placed, ({ topicRefs }) => topicRefs)
  await CountChanges.removed(tx, counted)
  return rows.length
}

/** Removes side rows ref by ref, since their tables are not indexed by entry. */
async function removeSides(
  tx: Transaction,
  table: string,
  column: string,
  entries: readonly (CountedEntry & { seq: number })[],
  refsOf: (entry: CountedEntry) => readonly number[],
): Promise<void> {
  const pairs = entries.flatMap((entry) => refsOf(entry).map((ref) => ({ ref, seq: entry.seq })))
  for (const [ref, named] of Map.groupBy(pairs, (pair) => pair.ref)) {
    await forEachChunk(
      named.map(({ seq }) => seq),
      async (params, list) => {
        await tx.query(`delete from ${table} where seq in (${list}) and ${column} = ${params.add(ref)}`, params.values)
      },
    )
  }
}
