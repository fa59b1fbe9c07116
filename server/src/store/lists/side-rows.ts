import type { Transaction } from '../db.ts'
import { insertRecords } from '../sql.ts'
import { refsBy } from './refs.ts'

/** A side table of records, with a row (value, default sort, seq) per value of a record. */
interface SideTable {
  table: string
  column: string
  sort: string
}

/** The values of one record. */
interface SideValues<Value extends string | number> {
  seq: number
  sort: number
  values: readonly Value[]
}

export function insertSideRows(
  tx: Transaction,
  side: SideTable,
  records: readonly SideValues<string | number>[],
): Promise<void> {
  const rows = records.flatMap(({ seq, sort, values }) =>
    [...new Set(values)].map((value) => ({ [side.column]: value, [side.sort]: sort, seq })),
  )
  return insertRecords(tx, side.table, rows)
}

/** Inserts the refs of asset keys or topic slugs. Skips those that the store does not have. */
export async function insertRefRows(
  tx: Transaction,
  side: SideTable & { column: 'asset_ref' | 'topic_ref' },
  records: readonly SideValues<string>[],
): Promise<void> {
  const [catalogue, key] = side.column === 'asset_ref' ? (['assets', 'key'] as const) : (['topics', 'slug'] as const)
  const refs = await refsBy(
    tx,
    catalogue,
    key,
    records.flatMap(({ values }) => values),
  )
  const resolved = records.map((record) => ({
    ...record,
    values: record.values.flatMap((value) => refs.get(value)?.ref ?? []),
  }))
  await insertSideRows(tx, side, resolved)
}
