import type { Queryable, Value } from './db.ts'

/** Collects the parameters of a statement while its text is put together. */
export class Params {
  readonly values: Value[] = []

  /** Adds a value and gives its placeholder. */
  add(value: Value): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** A placeholder list for `in (…)`. */
  list(values: readonly Value[]): string {
    return values.map((value) => this.add(value)).join(', ')
  }
}

export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

const MAX_ROWS_PER_INSERT = 64

/**
 * Inserts records, all with the same columns, many at a time. Their number per statement is a power of two, so
 * that a handful of prepared statements serves every batch.
 */
export async function insertRecords(
  tx: Queryable,
  table: string,
  records: readonly Record<string, Value>[],
  onConflict = '',
): Promise<void> {
  await insertRows(tx, table, Object.keys(records[0] ?? {}), records.map(Object.values), onConflict)
}

/** The same for rows whose values are in the order of the columns. */
export async function insertRows(
  tx: Queryable,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
  onConflict = '',
): Promise<void> {
  let done = 0
  while (done < rows.length) {
    let size = MAX_ROWS_PER_INSERT
    while (size > rows.length - done) size /= 2
    await tx.query(insertSql(table, columns, size, onConflict), rows.slice(done, done + size).flat())
    done += size
  }
}

/** Texts by what they were made for: a text that is the same string again is found in the statement cache faster. */
const insertTexts = new Map<string, string>()

function insertSql(table: string, columns: readonly string[], rows: number, onConflict: string): string {
  const key = `${table} ${rows} ${onConflict}`
  const known = insertTexts.get(key)
  if (known !== undefined) return known
  const tuples = Array.from({ length: rows }, (_, row) => {
    const first = row * columns.length + 1
    return `(${columns.map((_, column) => `$${first + column}`).join(', ')})`
  })
  const sql = `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')} ${onConflict}`
  insertTexts.set(key, sql)
  return sql
}

export async function countRows(db: Queryable, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from ${table}`)
  return row?.count ?? 0
}
