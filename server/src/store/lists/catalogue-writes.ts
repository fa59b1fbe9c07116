import { isDeepStrictEqual } from 'node:util'
import { Refused } from '../../model/refused.ts'
import type { Queryable, Transaction, Value } from '../db.ts'
import { markChanged, nextEpoch } from './catalogue-changes.ts'
import { type CatalogueTable, refsBy } from './refs.ts'

/** The outcome of changes to a catalogue. */
export interface Upserted {
  added: number
  changed: number
  /** Changes without any new value, and all changes of existing records unless these may be updated. */
  unchanged: number
  refused: { index: number; reason: string }[]
}

export interface UpsertOptions {
  /** Whether existing records may change; true unless told otherwise. */
  update?: boolean
}

/**
 * Merges changes one by one into the records that are known by key. `merge` throws Refused if a change is invalid.
 * Returns the records to write, and adds them to `known`.
 */
export function mergeChanges<Change, Kept extends object>(
  known: Map<string, Kept>,
  changes: readonly Change[],
  {
    keyOf,
    merge,
    update = true,
  }: { keyOf(change: Change): string; merge(change: Change, before: Kept | undefined): Kept } & UpsertOptions,
): { outcome: Upserted; written: Kept[] } {
  const outcome: Upserted = { added: 0, changed: 0, unchanged: 0, refused: [] }
  const keys = new Set<string>()
  for (const [index, change] of changes.entries()) {
    const key = keyOf(change)
    const before = known.get(key)
    if (before !== undefined && !update) {
      outcome.unchanged += 1
      continue
    }
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
  const columns = Object.keys(first)
  const values = rows.map((row) => [...Object.values(row), now, now])
  const replaced = [...columns.filter((column) => column !== key && column !== 'id'), 'updated_at']
  await tx.insert(
    table,
    [...columns, 'created_at', 'updated_at'],
    values,
    `on conflict (${key}) do update set ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  )
}

/** Adds missing count rows of the rows with these keys, and gives the rows and the catalogue new versions. */
export async function rowsWritten(
  tx: Transaction,
  table: Exclude<CatalogueTable, 'markets'>,
  key: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const refs = [...(await refsBy(tx, table, key, keys)).values()].map(({ ref }) => ref)
  await tx.insert(
    COUNTS[table],
    ['ref'],
    refs.map((ref) => [ref]),
    'on conflict do nothing',
  )
  await nextEpoch(tx, table)
  await markChanged(tx, { [table]: refs })
}

const COUNTS = { assets: 'asset_counts', topics: 'topic_counts', publishers: 'publisher_counts' }

/** Returns a text that changes whenever a row is added or edited. */
export async function catalogueVersion(db: Queryable, table: CatalogueTable): Promise<string> {
  const [row] = await db.query<{ epoch: number }>('select epoch from feeds where name = $1', [table])
  return String(row?.epoch)
}
