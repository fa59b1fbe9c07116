/** The interface between the store and its engines: SQL text with $1 parameters in, rows out. */

export type Value = string | number | null | Uint8Array

export interface Queryable {
  query<Row>(sql: string, params?: readonly Value[]): Promise<Row[]>
}

export interface Transaction extends Queryable {
  readonly dialect: Dialect

  /**
   * Inserts rows in the fastest way that the engine has. A row lists its values in the order of `columns`. With
   * `do update`, no two rows may have the same key. `ending` is the clause `on conflict`, or `returning`, or both; rows
   * are returned in any order.
   */
  insert<Row = never>(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly Value[]>,
    ending?: string,
  ): Promise<Row[]>
}

/**
 * A transaction that runs as a whole where the engine writes, which is a thread on SQLite. It is an export of `module`
 * called `name`. Its argument must survive JSON or be bytes, which are moved to the thread; its result must survive a
 * structured clone.
 */
export interface Procedure<Argument, Result> {
  module: string
  name: string
  /** Whether its statements may take longer than requests wait for the database. */
  takesLong?: boolean
  work(tx: Transaction, argument: Argument): Promise<Result>
  /** Returns an empty collection of deferred runs. An engine may answer such runs once their arguments are durable, and do their work later. */
  defer?(): DeferredRuns<Argument, Result>
}

export type ProcedureName = Pick<Procedure<never, never>, 'module' | 'name'>

/** Deferred runs of a procedure, whose work is done together by one run. Nothing else changes their tables between `add` and that work. */
export interface DeferredRuns<Argument, Result> {
  /** Returns the result that a run will have, or undefined if its work has to be done now. */
  predict(tx: Queryable, argument: Argument): Promise<Result | undefined>
  /** Adds a run whose argument is durable: the one that was predicted last, or one that an earlier process has stored. */
  add(argument: Argument): void
  /** Returns the argument of the one run that does the work of all. */
  combined(): Argument
  /** Returns the number of requests in all runs; with none there is no work. */
  size(): number
}

export interface Db extends Queryable {
  readonly engine: 'sqlite' | 'postgres'

  /**
   * The database of accounts, credits, the request log and payments. SQLite keeps them in a file of their own, so that
   * charges and new data do not wait for each other; PostgreSQL in the same database.
   */
  readonly ledger: Db

  /** True if no other process can write to this store, so that reads may be cached. */
  readonly exclusive: boolean

  /** Returns the number of finished writes; undefined while a write is running. Absent if other processes may write too. */
  writes?(): number | undefined

  /** For reads that may take longer than about 10 ms: SQLite runs them in a worker thread. */
  readonly heavy: Queryable

  readonly dialect: Dialect

  /**
   * Runs `work` in one transaction; the only way to write. Two transactions that name the same `lock` never
   * overlap, not even across processes. Longer work takes a lease (leases.ts). Statements that may take longer than
   * requests wait for the database need `takesLong`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, lock?: string, takesLong?: boolean): Promise<T>

  /**
   * Runs a procedure in one transaction: cheaper than `transaction`, whose statements each cross over to a thread. If the procedure
   * may be deferred (`deferRuns`), the result may come before its work, once the argument is durable.
   */
  run<Argument, Result>(procedure: Procedure<Argument, Result>, argument: Argument): Promise<Result>

  /**
   * Does the work of the runs that the last process left, then lets the engine defer runs of this procedure. Called after the
   * migrations, as the work needs the current schema.
   */
  deferRuns<Argument, Result>(procedure: Procedure<Argument, Result>): Promise<void>

  /**
   * Runs `work`, which adds very many rows to the given tables and does not read them. The engine may defer commits and
   * indexes until the end, which happens even if `work` throws. A crash may lose the last transactions, each as a whole;
   * the indexes are then built when the store is next opened.
   */
  bulkLoad<T>(load: BulkLoad, work: () => Promise<T>): Promise<T>

  close(): Promise<void>
}

/** A database that only answers queries. */
export type ReadOnlyDb = Omit<Db, 'ledger' | 'transaction' | 'run' | 'deferRuns' | 'bulkLoad'>

export interface BulkLoad {
  tables: readonly string[]
  searchTable: string
  /** Called at the end of the load with the name of the index that is being built. */
  onStep?: ((step: string) => void) | undefined
}

/** Number of rows that any query can scan in a few milliseconds; longer scans belong on `heavy`. */
export const SHORT_WALK = 10_000

/** The differences between the SQL of the two engines, apart from marked statements in migrations. */
export interface Dialect {
  /** The engine's own clock, in epoch milliseconds. */
  now: string
  /** Ends a select whose rows stay locked until the transaction ends. Empty if the engine has one writer. */
  forUpdate: string
  /** Definition of an auto-incrementing primary key column. */
  identity: string
  /** Column type for binary data. */
  blob: string
  /** Table option that stores rows in the primary key, if the engine has one. */
  clustered: string
  /**
   * `collate` clause of a text column, not a type: compares text byte by byte, whatever the locale of the database.
   * Empty if the engine does so by default. Binary data is `blob`.
   */
  bytes: string
  /**
   * Returns SQL that reads the documents of a page in one row. `keys` is a query for the column `seq` and the given sort
   * columns, in page order. The row has `docs`, the documents joined by commas, and JSON arrays of the same length:
   * `sizes`, the documents' lengths in bytes, and one array per sort column.
   */
  docsSql(table: string, keys: string, columns: readonly string[]): string
  /** Returns SQL that reads the rows of a query as one row: a JSON array per column, in the order of the query. */
  columnsSql(query: string, columns: readonly string[]): string
  /** Whether the planner has statistics of columns, but not of expressions. */
  hasStatistics: boolean
  /** Returns what follows a table and its alias to find its rows by this index. Undefined if the engine has no such clause. */
  indexedBy?(index: string): string
  search: SearchDialect
}

/** A parsed search: every group must match, a group matches when any of its phrases does, no excluded phrase may. */
export interface SearchTerms {
  groups: string[][][]
  excluded: string[][]
}

interface SearchDialect {
  /** Whether hits are found in the order of seq. If not, a walk in this order tests row by row. */
  isOrdered: boolean
  /** Returns the value of the column `words` of a table `…_search` for space-separated words. */
  indexValue(words: string): string
  /** Statement that stops merging parts of an index while many rows are removed, or resumes it; undefined if not needed. */
  pauseMerges(table: string, isPaused: boolean): string | undefined
  /** Returns the parameter of `hits` for these terms: at least one group or one excluded phrase. */
  queryValue(terms: SearchTerms): string
  /**
   * Returns a relation with the column `seq` of the rows of `table` that match the placeholder `param`. With `areFirst`, the
   * planner must start with them.
   */
  hits(table: string, param: string, areFirst?: boolean): string
  /** Returns the condition that the row of `table` with this seq matches the placeholder `param`. */
  matches(table: string, seq: string, param: string): string
}
