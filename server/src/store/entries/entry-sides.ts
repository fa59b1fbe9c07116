import type { CountedEntry } from '../counts/count-changes.ts'
import type { Transaction, Value } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'

export interface PlacedEntry extends CountedEntry {
  seq: number
}

/** Inserts the assets and topics of entries. */
export async function insertEntrySides(tx: Transaction, entries: readonly PlacedEntry[]): Promise<void> {
  await tx.insert('entry_assets', ['asset_ref', 'seq', 'published_at'], sideRows(entries, 'assetRefs'))
  await tx.insert('entry_topics', ['topic_ref', 'seq', 'published_at'], sideRows(entries, 'topicRefs'))
}

/** Removes the assets and topics of entries, ref by ref: the tables are not indexed by entry. */
export async function removeEntrySides(tx: Transaction, entries: readonly PlacedEntry[]): Promise<void> {
  for (const [table, column, refs] of [
    ['entry_assets', 'asset_ref', 'assetRefs'],
    ['entry_topics', 'topic_ref', 'topicRefs'],
  ] as const) {
    const pairs = entries.flatMap((entry) => entry[refs].map((ref) => ({ ref, seq: entry.seq })))
    for (const [ref, named] of Map.groupBy(pairs, (pair) => pair.ref)) {
      const seqs = named.map(({ seq }) => seq)
      await forEachChunk(seqs, async (params, list) => {
        await tx.query(`delete from ${table} where seq in (${list}) and ${column} = ${params.add(ref)}`, params.values)
      })
    }
  }
}

/** Yields rows of a side table in the order of its key, in which inserting is faster. */
function* sideRows(entries: readonly PlacedEntry[], refs: 'assetRefs' | 'topicRefs'): Generator<Value[]> {
  const byRef = new Map<number, PlacedEntry[]>()
  for (const entry of entries) {
    for (const ref of entry[refs]) {
      const others = byRef.get(ref)
      if (others === undefined) byRef.set(ref, [entry])
      else others.push(entry)
    }
  }
  for (const [ref, named] of [...byRef].sort(([one], [other]) => one - other)) {
    for (const { seq, publishedAt } of named) yield [ref, seq, publishedAt]
  }
}
