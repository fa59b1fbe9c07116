import type { Queryable, Value } from '../db.ts'
import { Params, padded } from '../sql.ts'

export type CatalogueTable = 'publishers' | 'assets' | 'topics' | 'markets'

interface Ref {
  ref: number
}

/** Returns the rows of a catalogue table by the value of `column`, with their ref and the columns `more`. */
export async function refsBy<Row extends Ref>(
  tx: Queryable,
  table: CatalogueTable,
  column: string,
  values: Iterable<string>,
  more: readonly (keyof Row & string)[] = [],
): Promise<Map<string, Row>> {
  const columns = ['ref', ...more].join(', ')
  const found = new Map<string, Row>()
  await forEachChunk([...new Set(values)], async (params, list) => {
    const rows = await tx.query<Row & { found_by: string }>(
      `select ${columns}, ${column} as found_by from ${table} where ${column} in (${list})`,
      params.values,
    )
    for (const row of rows) found.set(row.found_by, row)
  })
  return found
}

/** Returns the row of a key. Throws if it is missing: catalogues are filled before the rows that refer to them. */
export function getRef<Row>(rows: ReadonlyMap<string, Row>, key: string, noun: string): Row {
  const row = rows.get(key)
  if (row === undefined) throw new Error(`the store does not have the ${noun} ${key}`)
  return row
}

const CHUNK = 512

/** Calls `work` with a list of placeholders for `in (…)`, for up to 512 values at a time. */
export async function forEachChunk(
  values: readonly Value[],
  work: (params: Params, list: string) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < values.length; start += CHUNK) {
    const params = new Params()
    await work(params, params.list(padded(values.slice(start, start + CHUNK))))
  }
}
