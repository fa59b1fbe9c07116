import type { Queryable, Value } from '../db.ts'

type Row = readonly Value[]

export interface Inserter extends Queryable {
  /** Sends rows by COPY, which is fastest for many but knows no conflicts. */
  copy(table: string, columns: readonly string[], rows: Iterable<Row>): Promise<void>
  /** Returns the types of these columns. */
  typesOf(table: string, columns: readonly string[]): Promise<readonly string[]>
}

/** With more rows, COPY is faster than a statement. */
const MOST_WITHOUT_COPY = 64
/** Bounds the size of a statement. */
const ROWS_PER_STATEMENT = 5_000

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
  const rows = ending === '' ? [...take(iterator, MOST_WITHOUT_COPY + 1)] : [...iterator]
  const [first, ...others] = rows
  if (first === undefined) return []
  if (others.length === 0) return tx.query(rowSql(table, columns, ending), first)
  if (ending === '' && rows.length > MOST_WITHOUT_COPY) {
    await tx.copy(table, columns, joined(rows, iterator))
    return []
  }
  const sql = arraysSql(table, columns, await tx.typesOf(table, columns), ending)
  const returned: Returned[] = []
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = rows.slice(start, start + ROWS_PER_STATEMENT)
    const arrays = columns.map((_, column) => arrayOf(part, column))
    returned.push(...(await tx.query<Returned>(sql, arrays)))
  }
  return returned
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

/** Cached texts: an identical string object is found faster in the statement cache. */
const texts = new Map<string, string>()

function rowSql(table: string, columns: readonly string[], ending: string): string {
  return cachedText(`row ${table} (${columns}) ${ending}`, () => {
    const places = columns.map((_, column) => `$${column + 1}`)
    return `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) ${ending}`
  })
}

/** One statement for any number of rows, with an array per column: one prepared statement, and few parameters. */
function arraysSql(table: string, columns: readonly string[], types: readonly string[], ending: string): string {
  return cachedText(`arrays ${table} (${columns}) ${ending}`, () => {
    const arrays = types.map((type, column) => `$${column + 1}::${type}[]`)
    return `insert into ${table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')}) ${ending}`
  })
}

function cachedText(key: string, create: () => string): string {
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = create()
  texts.set(key, text)
  return text
}

/** Returns the values of a column as text of a PostgreSQL array. */
const arrayOf = (rows: readonly Row[], column: number) =>
  `{${rows.map((row) => elementOf(row[column] ?? null)).join()}}`

function elementOf(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
}

const SPECIAL = /["\\]/
