import type { Queryable } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'

/**
 * Returns the entry that each id leads to, for the ids that must not be added: those of entries, of removed entries, and
 * those that later addresses of either would have.
 */
export async function listKnown(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  await forEachChunk([...new Set(ids)], async (params, list) => {
    const rows = await db.query<{ id: string; entryId: string }>(
      `select id, id as "entryId" from entries where id in (${list})
       union all select record_id, record_id from changes where source = 'entries' and record_id in (${list})
       union all select id, entry_id from entry_aliases where id in (${list})`,
      params.values,
    )
    for (const { id, entryId } of rows) known.set(id, entryId)
  })
  return known
}
