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
  const columns = Object.keys(records[0] ?? {})
  let done = 0
  while (done < records.length) {
    let size = MAX_ROWS_PER_INSERT
    while (size > records.length - done) size /= 2
    await tx.query(
      insertSql(table, columns, size, onConflict),
      records.slice(done, done + size).flatMap((record) => Object.values(record)),
    )
    done += size
  }
}

/** Texts by what they were made for: a text that is the same string again is found in the statement cache faster. */
const insertTexts = new Map<string, string>()

function insertSql(table: string, columns: string[], rows: number, onConflict: string): string {
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

const CHUNK = 500

/** Asks about many values in statements of bounded size; `list` are the placeholders of a part of them. */
export async function forEachChunk(
  values: readonly string[],
  work: (list: string, params: readonly Value[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < values.length; start += CHUNK) {
    const params = new Params()
    const list = params.list(values.slice(start, start + CHUNK))
    await work(list, params.values)
  }
}

export async function countRows(db: Queryable, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from ${table}`)
  return row?.count ?? 0
}
