import type { EntryChange } from '../../model/entries.ts'
import type { Queryable, Transaction } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRecords } from '../sql.ts'

/** The name of the feed of changes, in the table `feeds`. */
export const ENTRY_CHANGES = 'entry_changes'

/** SQL for the last change of the entry in `entries e`, or 0. */
export const LAST_CHANGE = 'coalesce((select max(c.seq) from entry_changes c where c.entry_seq = e.seq), 0)'

/** Lists changes with seq > from, in the order of commits. */
export function listChanges(db: Queryable, from: number, limit: number): Promise<EntryChange[]> {
  return db.query(
    `select seq, after_seq as "afterSeq", entry_seq as "entrySeq", entry_id as "entryId", kind, at
     from entry_changes where seq > $1 order by seq limit ${Math.trunc(limit)}`,
    [from],
  )
}

/** Logs changes of entries, of which there must be one. The caller holds the lock of the entries. */
export async function logChanges(
  tx: Transaction,
  feed: Feed,
  kind: EntryChange['kind'],
  entries: readonly { seq: number; id: string }[],
  now: number,
): Promise<void> {
  const [last] = await tx.query<{ seq: number }>("select last_seq as seq from feeds where name = 'entries'")
  const { firstSeq, createdAtFloor } = await feed.append(tx, entries.length, now)
  const changes = entries.map(({ seq, id }, index) => ({
    seq: firstSeq + index,
    after_seq: last?.seq ?? 0,
    entry_seq: seq,
    entry_id: id,
    kind,
    at: Math.max(createdAtFloor, now),
  }))
  await insertRecords(tx, 'entry_changes', changes)
  if (kind !== 'removed') return
  const tombstones = changes.map(({ entry_id: id, seq }) => ({ id, change_seq: seq }))
  await insertRecords(tx, 'removed_entries', tombstones)
}

/** Returns those of the entries that were removed. */
export async function listRemoved(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const removed = new Set<string>()
  await forEachChunk(ids, async (params, list) => {
    const rows = await db.query<{ id: string }>(`select id from removed_entries where id in (${list})`, params.values)
    for (const { id } of rows) removed.add(id)
  })
  return removed
}

/** Returns the last removal among the changes, or 0. */
export async function findLastRemoval(db: Queryable): Promise<number> {
  const [row] = await db.query<{ seq: number | null }>('select max(change_seq) as seq from removed_entries')
  return row?.seq ?? 0
}
