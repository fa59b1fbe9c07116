import type { Queryable, Value } from '../db.ts'
import { together } from '../sql.ts'

type Row = readonly Value[]

export interface Inserter extends Queryable {
  /** Sends rows by COPY, which is fastest but knows no conflicts. */
  copy(table: string, columns: readonly string[], rows: Iterable<Row>): Promise<void>
}

/** Inserts rows in the order of the columns. */
export async function insertRows(
  tx: Inserter,
  table: string,
  columns: readonly string[],
  given: Iterable<Row>,
  onConflict = '',
): Promise<void> {
  // The rows of a copy are not kept: that would burden the garbage collector.
  const iterator = Iterator.from(given)
  const rows = onConflict === '' ? [...take(iterator, MAX_TUPLES + 1)] : [...iterator]
  const isMany = rows.length > MAX_TUPLES
  if (isMany && onConflict === '') return tx.copy(table, columns, joined(rows, iterator))
  if (isMany && rows.every((row) => row.every(isNumberOrNull))) {
    return insertArrays(tx, table, columns, rows, onConflict)
  }
  const sent: Promise<unknown>[] = []
  let done = 0
  while (done < rows.length) {
    let size = MAX_TUPLES
    while (size > rows.length - done) size /= 2
    sent.push(tx.query(tuplesSql(table, columns, size, onConflict), rows.slice(done, done + size).flat()))
    done += size
  }
  await together(sent)
}

/** Takes up to `count` rows and leaves the others. */
function* take(rows: Iterator<Row>, count: number): Generator<Row> {
  for (let taken = 0; taken < count; taken += 1) {
    const { value, done } = rows.next()
    if (done) return
    yield value
  }
}

function* joined(first: Iterable<Row>, rest: Iterable<Row>): Generator<Row> {
  yield* first
  yield* rest
}

const isNumberOrNull = (value: Value) => typeof value === 'number' || value === null

const ROWS_PER_ARRAY = 5_000

/** Sends an array of doubles per column. They hold every safe integer; PostgreSQL converts them to the column's type. */
async function insertArrays(
  tx: Queryable,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
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
