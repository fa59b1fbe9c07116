import type { EntryChange } from '../../model/entries.ts'
import { IN_SOURCE } from '../changes/change-log.ts'
import type { Queryable } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'

/** SQL for the position of the last change of the entry in `entries e`; its insert is one. */
export const LAST_CHANGE =
  "coalesce((select max(c.position) from changes c where c.source = 'entries' and c.ref = e.seq), 0)"

/** A form that uses the index of edits, which are few among the inserts. */
const IS_EDIT = `${IN_SOURCE} = 'entries' and action <> 'insert'`

/** Lists revisions and removals after a position, in the order of commits. Only the last revision of an entry is listed. */
export function listChanges(db: Queryable, from: number, limit: number): Promise<EntryChange[]> {
  return db.query(
    `select position, ref as "entrySeq", action from changes
     where ${IS_EDIT} and position > $1 order by position limit ${Math.trunc(limit)}`,
    [from],
  )
}

/** Counts revisions and removals after a position. */
export async function countChanges(db: Queryable, from: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from changes where ${IS_EDIT} and position > $1`,
    [from],
  )
  return row?.count ?? 0
}

/** Returns those of the entries that were removed. */
export async function listRemoved(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const removed = new Set<string>()
  await forEachChunk(ids, async (params, list) => {
    const rows = await db.query<{ id: string }>(
      `select record_id as id from changes where source = 'entries' and record_id in (${list})`,
      params.values,
    )
    for (const { id } of rows) removed.add(id)
  })
  return removed
}
