import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Transaction, Value } from '../db.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

const STATEMENT_CACHE_SIZE = 400

/** Calling SQLite costs as much as inserting a short row; beyond this many values per call, nothing more is gained. */
const VALUES_AT_ONCE = 64

export interface Connection {
  all<Row>(sql: string, params?: readonly Value[]): Row[]
  insert<Row>(...rows: Parameters<Transaction['insert']>): Row[]
  exec(sql: string): void
  isInTransaction(): boolean
  close(): void
}

export interface ConnectionOptions {
  cacheKiB: number
  /** Pages in the log after which a commit writes them into the file; that commit takes longer the more there are. */
  checkpointPages?: number
  readOnly?: boolean
}

/** The default of SQLite. */
const CHECKPOINT_PAGES = 1_000

export function connect(file: string, options: ConnectionOptions): Connection {
  const { cacheKiB, checkpointPages = CHECKPOINT_PAGES, readOnly = false } = options
  const database = new DatabaseSync(file, { readOnly, timeout: 5_000 })
  if (!readOnly) {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    database.exec(`pragma wal_autocheckpoint = ${checkpointPages}`)
  }
  database.exec(`pragma cache_size = -${cacheKiB}; pragma temp_store = memory`)
  const statements = new Map<string, StatementSync>()

  function prepare(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear()
    const statement = database.prepare(withQuestionMarks(sql))
    statements.set(sql, statement)
    return statement
  }

  return {
    all: <Row>(sql: string, params: readonly Value[] = []) => prepare(sql).all(...params.map(bound)) as Row[],
    insert<Row>(...[table, columns, rows, ending = '']: Parameters<Transaction['insert']>): Row[] {
      // A column's type turns 5.0 into 5; the rowid of a full-text table has no type.
      const isTyped = !columns.includes('rowid')
      // A full-text index writes out its memory before every statement with several rows.
      const rowsAtOnce = isTyped ? Math.ceil(VALUES_AT_ONCE / columns.length) : 1
      const marks = `(${columns.map(() => '?').join(', ')})`
      const sqlOf = (count: number) =>
        `insert into ${table} (${columns.join(', ')}) values ${Array(count).fill(marks).join(', ')} ${ending}`
      let many: string | undefined
      const returned: Row[] = []
      let waiting: (Value | bigint)[] = []
      for (const row of rows) {
        for (const value of row) waiting.push(isTyped ? value : bound(value))
        if (waiting.length < rowsAtOnce * columns.length) continue
        // Not `run`: it returns the last row id, which the full-text index may have set beyond the safe integers.
        many ??= sqlOf(rowsAtOnce)
        returned.push(...(prepare(many).all(...waiting) as Row[]))
        waiting = []
      }
      if (waiting.length === 0) return returned
      const one = prepare(sqlOf(1))
      for (let place = 0; place < waiting.length; place += columns.length)
        returned.push(...(one.all(...waiting.slice(place, place + columns.length)) as Row[]))
      return returned
    },
    exec: (sql) => database.exec(sql),
    isInTransaction: () => database.isTransaction,
    close: () => database.close(),
  }
}

/**
 * Returns the transaction that is open on the connection. When the disk is full or fails, SQLite rolls back by itself; a later statement
 * would then be written alone, so it fails with the same error.
 */
export function transactionOf(connection: Connection): Transaction {
  let failure: unknown = new Error('no transaction is open')
  async function run<T>(statement: () => T): Promise<T> {
    if (!connection.isInTransaction()) throw failure
    try {
      return statement()
    } catch (error) {
      failure = error
      throw error
    }
  }
  return {
    dialect: sqliteDialect,
    query: (sql, params) => run(() => connection.all(sql, params)),
    insert: (...rows) => run(() => connection.insert(...rows)),
  }
}

/** A number would be bound as a float, but the full-text index accepts only integers as bounds of a row id. */
function bound(value: Value): Value | bigint {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

/**
 * Replaces $1 by plain question marks if every parameter is used once, in order, and by ?1 otherwise. SQLite treats ?1
 * as a name, and looking up names costs the square of their number (64 rows of 11 columns: five times the insert).
 */
function withQuestionMarks(sql: string): string {
  let place = 0
  const isInOrder = [...sql.matchAll(/\$(\d+)/g)].every(([, number]) => {
    place += 1
    return Number(number) === place
  })
  return sql.replace(/\$(\d+)/g, isInOrder ? '?' : '?$1')
}
