import type { Queryable, Value } from '../db.ts'

type Rows = readonly (readonly Value[])[]

/** Inserts rows in the order of the columns. Many rows of numbers are sent as one array per column, which is fastest. */
export async function insertRows(
  tx: Queryable,
  table: string,
  columns: readonly string[],
  rows: Rows,
  onConflict = '',
): Promise<void> {
  const isNumbers = rows.length > MAX_TUPLES && rows.every((row) => row.every(isNumberOrNull))
  if (isNumbers) return insertArrays(tx, table, columns, rows, onConflict)
  let done = 0
  while (done < rows.length) {
    let size = MAX_TUPLES
    while (size > rows.length - done) size /= 2
    await tx.query(tuplesSql(table, columns, size, onConflict), rows.slice(done, done + size).flat())
    done += size
  }
}

const isNumberOrNull = (value: Value) => typeof value === 'number' || value === null

const ROWS_PER_ARRAY = 5_000

/** Sends doubles, which hold every safe integer; PostgreSQL converts them to the column's type. */
async function insertArrays(
  tx: Queryable,
  table: string,
  columns: readonly string[],
  rows: Rows,
  onConflict: string,
): Promise<void> {
  const arrays = columns.map((_, index) => `unnest($${index + 1}::double precision[])`)
  const sql = `insert into ${table} (${columns.join(', ')}) select ${arrays.join(', ')} ${onConflict}`
  for (let start = 0; start < rows.length; start += ROWS_PER_ARRAY) {
    const part = rows.slice(start, start + ROWS_PER_ARRAY)
    await tx.query(
      sql,
      columns.map((_, index) => `{${part.map((row) => row[index] ?? 'null').join()}}`),
    )
  }
}

/** Rows per statement are a power of two, so that a few prepared statements serve every batch. */
const MAX_TUPLES = 64

/** Cached texts: an identical string object is found faster in the statement cache. */
const tupleTexts = new Map<string, string>()

function tuplesSql(table: string, columns: readonly string[], rows: number, onConflict: string): string {
  const key = `${table} (${columns}) ${rows} ${onConflict}`
  const known = tupleTexts.get(key)
  if (known !== undefined) return known
  const tuples = Array.from({ length: rows }, (_, row) => {
    const first = row * columns.length + 1
    return `(${columns.map((_, column) => `$${first + column}`).join(', ')})`
  })
  const sql = `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')} ${onConflict}`
  tupleTexts.set(key, sql)
  return sql
}
