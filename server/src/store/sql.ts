import type { Queryable, Transaction, Value } from './db.ts'

/** Collects the parameters of a statement while its text is built. */
export class Params {
  readonly values: Value[] = []

  /** Adds a value and returns its placeholder. */
  add(value: Value): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** Returns a list of placeholders for `in (…)`. */
  list(values: readonly Value[]): string {
    return values.map((value) => this.add(value)).join(', ')
  }
}

/** Pads the list to a power of two, so that a few prepared statements serve every length. */
export function padded<T>(values: readonly T[]): T[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
  return [...values, ...Array(length - values.length).fill(values[0])]
}

/** Returns `(values …) as given` with as many pairs of these types; their columns are column1 and column2. */
export function givenPairs(types: readonly [string, string], count: number): string {
  const key = `${types} ${count}`
  let sql = pairTexts.get(key)
  if (sql === undefined) {
    const pairs = Array.from(
      { length: count },
      (_, pair) => `(cast($${2 * pair + 1} as ${types[0]}), cast($${2 * pair + 2} as ${types[1]}))`,
    )
    sql = `(values ${pairs.join(', ')}) as given`
    pairTexts.set(key, sql)
  }
  return sql
}

const pairTexts = new Map<string, string>()

export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

/**
 * Waits for statements of a transaction that are sent together: on PostgreSQL they share a round trip. They run in their
 * order. If one fails, the others are awaited as well, since no statement may run after the transaction.
 */
export async function together<T extends readonly Promise<unknown>[]>(
  statements: readonly [...T],
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(statements)
  return Promise.all(statements) as Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }>
}

/** Inserts records, all with the same columns. */
export async function insertRecords(
  tx: Transaction,
  table: string,
  records: readonly Record<string, Value>[],
  onConflict?: string,
): Promise<void> {
  const [first] = records
  if (first !== undefined) await tx.insert(table, Object.keys(first), records.map(Object.values), onConflict)
}

export async function countRows(db: Queryable, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from ${table}`)
  return row?.count ?? 0
}
