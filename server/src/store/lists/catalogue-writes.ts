import { isDeepStrictEqual } from 'node:util'
import { Refused } from '../../model/refused.ts'
import type { Queryable, Transaction, Value } from '../db.ts'
import type { CatalogueTable } from './refs.ts'

/** The outcome of changes to a catalogue. */
export interface Upserted {
  added: number
  changed: number
  /** Changes without any new value. */
  unchanged: number
  refused: { index: number; reason: string }[]
}

/**
 * Merges changes one by one into the records that are known by key. `merge` throws Refused if a change is invalid.
 * Returns the records to write, and adds them to `known`.
 */
export function mergeChanges<Change, Kept extends object>(
  known: Map<string, Kept>,
  changes: readonly Change[],
  { keyOf, merge }: { keyOf(change: Change): string; merge(change: Change, before: Kept | undefined): Kept },
): { outcome: Upserted; written: Kept[] } {
  const outcome: Upserted = { added: 0, changed: 0, unchanged: 0, refused: [] }
  const keys = new Set<string>()
  for (const [index, change] of changes.entries()) {
    const key = keyOf(change)
    const before = known.get(key)
    try {
      const after = merge(change, before)
      if (isDeepStrictEqual(before, after)) {
        outcome.unchanged += 1
        continue
      }
      outcome[before === undefined ? 'added' : 'changed'] += 1
      known.set(key, after)
      keys.add(key)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      outcome.refused.push({ index, reason: error.message })
    }
  }
  return { outcome, written: [...known].filter(([key]) => keys.has(key)).map(([, kept]) => kept) }
}

/** Inserts rows of a catalogue, or updates those that exist by the column `key`. */
export async function upsertRows(
  tx: Transaction,
  table: CatalogueTable,
  key: string,
  rows: readonly Record<string, Value>[],
  now: number,
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const updated_at = await nextUpdate(tx, table, now)
  const columns = Object.keys(first)
  const values = rows.map((row) => [...Object.values(row), now, updated_at])
  const replaced = [...columns.filter((column) => column !== key && column !== 'id'), 'updated_at']
  await tx.insert(
    table,
    [...columns, 'created_at', 'updated_at'],
    values,
    `on conflict (${key}) do update set ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  )
}

/** Returns a time later than every earlier update, even within one millisecond, so that `catalogueVersion` changes. */
async function nextUpdate(tx: Queryable, table: CatalogueTable, now: number): Promise<number> {
  const [last] = await tx.query<{ at: number }>(`select coalesce(max(updated_at), 0) as at from ${table}`)
  return Math.max(now, (last?.at ?? 0) + 1)
}

/** Returns a text that changes whenever a row is added or edited. */
export async function catalogueVersion(db: Queryable, table: CatalogueTable): Promise<string> {
  const [row] = await db.query<{ version: string }>(
    `select count(*) || ' ' || coalesce(max(updated_at), 0) as version from ${table}`,
  )
  return row?.version ?? ''
}
