import type { Queryable } from './db.ts'
import { forEachChunk } from './sql.ts'

export type Catalogue = 'publishers' | 'assets' | 'topics'

export interface Ref {
  ref: number
}

/** The rows of a catalogue table by a column of theirs, for the values given. */
export async function refsBy<Row extends Ref>(
  db: Queryable,
  table: Catalogue,
  column: string,
  values: readonly string[],
): Promise<Map<string, Row>> {
  const found = new Map<string, Row>()
  await forEachChunk([...new Set(values)], async (list, params) => {
    const rows = await db.query<Row & { found_by: string }>(
      `select *, ${column} as found_by from ${table} where ${column} in (${list})`,
      params,
    )
    for (const row of rows) found.set(row.found_by, row)
  })
  return found
}

/** What entries and records name must be there: a catalogue is filled before what refers to it. */
export function getRef<Row>(rows: ReadonlyMap<string, Row>, key: string, noun: string): Row {
  const row = rows.get(key)
  if (row === undefined) throw new Error(`the store does not have the ${noun} ${key}`)
  return row
}
