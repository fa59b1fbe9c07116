import type { Queryable, Value } from '../db.ts'
import { together } from '../sql.ts'

type Row = readonly Value[]

export interface Inserter extends Queryable {
  /** Sends rows by COPY, which is fastest but knows no conflicts. */
  copy(table: string, columns: readonly string[], rows: Iterable<Row>): Promise<void>
}

/** Inserts rows in the order of the columns. */
export async function insertRows<Returned>(
  tx: Inserter,
  table: string,
  columns: readonly string[],
  given: Iterable<Row>,
  ending = '',
): Promise<Returned[]> {
  // The rows of a copy are not kept: that would burden the garbage collector.
  const iterator = Iterator.from(given)
  const rows = ending === '' ? [...take(iterator, MAX_TUPLES + 1)] : [...iterator]
  const isMany = rows.length > MAX_TUPLES
  if (isMany && ending === '') {
    await tx.copy(table, columns, joined(rows, iterator))
    return []
  }
  if (isMany && rows.every((row) => row.every(isNumberOrNull))) {
    return insertArrays(tx, table, columns, rows, ending)
  }
  const sent: Promise<Returned[]>[] = []
  let done = 0
  while (done < rows.length) {
    let size = MAX_TUPLES
    while (size > rows.length - done) size /= 2
    sent.push(tx.query(tuplesSql(table, columns, size, ending), rows.slice(done, done + size).flat()))
    done += size
  }
  return (await together(sent)).flat()
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
async function insertArrays<Returned>(
  tx: Queryable,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  ending: string,
): Promise<Returned[]> {
  const returned: Returned[] = []
  const arrays = columns.map((_, index) => `unnest($${index + 1}::double precision[])`)
  const sql = `insert into ${table} (${columns.join(', ')}) select ${arrays.join(', ')} ${ending}`
  for (let start = 0; start < rows.length; start += ROWS_PER_ARRAY) {
    const part = rows.slice(start, start + ROWS_PER_ARRAY)
    const values = columns.map((_, index) => `{${part.map((row) => row[index] ?? 'null').join()}}`)
    returned.push(...(await tx.query<Returned>(sql, values)))
  }
  return returned
}

/** Rows per statement are a power of two, so that a few prepared statements serve every batch. */
const MAX_TUPLES = 64

/** Cached texts: an identical string object is found faster in the statement cache. */
const tupleTexts = new Map<string, string>()

function tuplesSql(table: string, columns: readonly string[], rows: number, ending: string): string {
  const key = `${table} (${columns}) ${rows} ${ending}`
  const known = tupleTexts.get(key)
  if (known !== undefined) return known
  const tuples = Array.from({ length: rows }, (_, row) => {
    const first = row * columns.length + 1
    return `(${columns.map((_, column) => `$${first + column}`).join(', ')})`
  })
  const sql = `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')} ${ending}`
  tupleTexts.set(key, sql)
  return sql
}
