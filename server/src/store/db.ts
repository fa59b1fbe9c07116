/** The seam between the store and its engines: SQL text with $1 parameters in, rows out. */

export type Value = string | number | null | Uint8Array

export interface Queryable {
  query<Row>(sql: string, params?: readonly Value[]): Promise<Row[]>
}

export interface Transaction extends Queryable {
  /**
   * Inserts rows, given as values in the order of the columns, in the way that is fastest on the engine. With
   * `do update` no two rows may have the same key.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Value[]>,
    onConflict?: string,
  ): Promise<void>
}

export interface Db extends Queryable {
  readonly engine: 'sqlite' | 'postgres'

  /** True when no other process can write to this store, so that what was read may be remembered. */
  readonly exclusive: boolean

  /** For reads that may take longer than about 10 ms: SQLite runs them in a thread of their own. */
  readonly heavy: Queryable

  readonly dialect: Dialect

  /**
   * Runs `work` in one transaction; the only way to write. Two transactions that name the same `lock` never
   * overlap, not even across processes. Longer work takes a lease (leases.ts).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, lock?: string): Promise<T>

  /**
   * Runs `work`, which adds very many rows to the tables named and asks nothing of them. The engine may put off commits
   * and indexes; they are done when this ends, however it ends. After a crash the last transactions may be missing,
   * each as a whole, and the indexes are built when the store is opened again.
   */
  bulkLoad<T>(load: BulkLoad, work: () => Promise<T>): Promise<T>

  close(): Promise<void>
}

export interface BulkLoad {
  tables: readonly string[]
  searchTable: string
  /** Told what is being built at the end. */
  onStep?: ((step: string) => void) | undefined
}

/** Rows that can be looked at in a few milliseconds, whatever is asked of them; more are for `heavy`. */
export const SHORT_WALK = 10_000

/** Everything in which the SQL of the two engines differs, but for the statements marked so in migrations. */
export interface Dialect {
  /** The engine's own clock, in epoch milliseconds. */
  now: string
  /** Column definition of a primary key that counts up by itself. */
  identity: string
  /** Type of a column of bytes. */
  blob: string
  /** Table option that keeps the rows inside the primary key, where the engine has one. */
  clustered: string
  /** Collation of a text that is compared byte by byte, whatever the locale of the database. */
  bytes: string
  /**
   * Reads the documents of a page in one row. `keys` is a query for the column `seq` and the sort columns named, in
   * the order of the page. The row has `docs`, the documents separated by commas, and JSON arrays of the same
   * length: `sizes` of the documents in bytes, and one for each column.
   */
  docsSql(table: string, keys: string, columns: readonly string[]): string
  search: SearchDialect
}

/** A parsed search: every group must match, a group matches when any of its phrases does, no excluded phrase may. */
export interface SearchTerms {
  groups: string[][][]
  excluded: string[][]
}

interface SearchDialect {
  /** What the column `words` of a table `…_search` takes for a text already cut into words, with spaces between. */
  indexValue(words: string): string
  /** The parameter of `hits` for these terms, of which at least one group or one excluded phrase is given. */
  queryValue(terms: SearchTerms): string
  /**
   * A relation with the column `seq` of the rows of `table` that match the placeholder `param`. `rare` says that
   * few do, so that they are found before anything else is looked at.
   */
  hits(table: string, param: string, rare: boolean): string
  /** The condition that the row of `table` with this seq matches the placeholder `param`. */
  matches(table: string, seq: string, param: string): string
}
