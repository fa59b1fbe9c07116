import type { CountedEntry } from '../counts/count-changes.ts'
import type { Transaction, Value } from '../db.ts'

export interface PlacedEntry extends CountedEntry {
  seq: number
}

/** Inserts the assets and topics of entries. */
export async function insertEntrySides(tx: Transaction, entries: readonly PlacedEntry[]): Promise<void> {
  await tx.insert('entry_assets', ['asset_ref', 'seq', 'published_at'], sideRows(entries, 'assetRefs'))
  await tx.insert('entry_topics', ['topic_ref', 'seq', 'published_at'], sideRows(entries, 'topicRefs'))
}

export async function removeEntrySides(tx: Transaction, seq: number, entry: CountedEntry | undefined): Promise<void> {
  for (const ref of entry?.assetRefs ?? []) {
    await tx.query('delete from entry_assets where asset_ref = $1 and seq = $2', [ref, seq])
  }
  for (const ref of entry?.topicRefs ?? []) {
    await tx.query('delete from entry_topics where topic_ref = $1 and seq = $2', [ref, seq])
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
