import type { Queryable } from '../db.ts'

/** The types of columns, which no migration changes. */
export class ColumnTypes {
  /** By table, then by column. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>()

  async of(db: Queryable, table: string, columns: readonly string[]): Promise<string[]> {
    const known = this.#known.get(table) ?? new Map()
    // A migration may have added some since.
    const types = columns.every((column) => known.has(column)) ? known : await this.#read(db, table)
    return columns.map((column) => types.get(column) ?? 'text')
  }

  async #read(db: Queryable, table: string): Promise<ReadonlyMap<string, string>> {
    const rows = await db.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
      [table],
    )
    const types = new Map(rows.map(({ name, type }) => [name, type]))
    this.#known.set(table, types)
    return types
  }
}
