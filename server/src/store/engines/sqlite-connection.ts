import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Transaction, Value } from '../db.ts'

const STATEMENT_CACHE_SIZE = 400

export interface Connection {
  all<Row>(sql: string, params?: readonly Value[]): Row[]
  insert(...rows: Parameters<Transaction['insert']>): void
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
    // Row by row: without a network, multi-row statements gain nothing and cost more to build.
    insert(table, columns, rows, onConflict = '') {
      const marks = columns.map(() => '?').join(', ')
      const statement = prepare(`insert into ${table} (${columns.join(', ')}) values (${marks}) ${onConflict}`)
      // A column's type turns 5.0 into 5; the rowid of a full-text table has no type.
      const isTyped = !columns.includes('rowid')
      // Not `run`: it returns the last row id, which the full-text index may have set beyond the safe integers.
      for (const row of rows) statement.all(...(isTyped ? row : row.map(bound)))
    },
    exec: (sql) => database.exec(sql),
    isInTransaction: () => database.isTransaction,
    close: () => database.close(),
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
