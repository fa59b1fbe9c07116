import type { BulkLoad } from '../db.ts'
import type { Connection } from './sqlite-connection.ts'

const BULK_CACHE_KIB = 262_144
const BULK_CHECKPOINT_PAGES = 32_000
const BULK_MMAP_BYTES = 8_589_934_592

/** Random ids touch the whole index: a commit per batch would write nearly all of it each time. */
const TRANSACTIONS_PER_COMMIT = 5

/**
 * Speeds up a load of very many rows several times: secondary indexes are dropped and built at the end, the full-text
 * index is merged once at the end, and there are few commits. During a load the table `bulk_indexes` lists the dropped
 * indexes; if the process is killed, the next one to open the store builds them.
 */
export class BulkLoading {
  readonly #connection: Connection
  readonly #cacheKiB: number
  #transactions = 0

  constructor(connection: Connection, cacheKiB: number, { tables, searchTable }: Omit<BulkLoad, 'onStep'>) {
    this.#connection = connection
    this.#cacheKiB = cacheKiB
    begin(connection, tables, searchTable)
    connection.exec(`pragma cache_size = -${BULK_CACHE_KIB}; pragma wal_autocheckpoint = ${BULK_CHECKPOINT_PAGES}`)
    // Commits survive a crash of the process; a crash of the machine may undo the last ones.
    connection.exec('pragma synchronous = normal')
  }

  isTimeToCommit(): boolean {
    this.#transactions += 1
    return this.#transactions % TRANSACTIONS_PER_COMMIT === 0
  }

  /** Ends the load in steps; yields the name of each before it begins. */
  *end(): Generator<string> {
    const connection = this.#connection
    if (connection.isInTransaction()) connection.exec('commit')
    // Sorting through a file is faster than SQLite's sort in memory.
    connection.exec(`pragma mmap_size = ${BULK_MMAP_BYTES}; pragma temp_store = file`)
    yield* stepsToEnd(connection)
    connection.exec('pragma mmap_size = 0; pragma temp_store = memory; pragma wal_autocheckpoint = 8000')
    connection.exec('pragma synchronous = full')
    connection.exec(`pragma cache_size = -${this.#cacheKiB}`)
  }
}

/** Finishes a load during which another process was killed. */
export function repairBulkLoad(connection: Connection): void {
  for (const _ of stepsToEnd(connection));
}

function begin(connection: Connection, tables: readonly string[], searchTable: string): void {
  connection.exec('begin immediate')
  connection.exec('create table bulk_indexes (name text primary key, sql text not null, search_table text)')
  for (const table of tables) {
    // Partial indexes and those of accession numbers stay: queries during the load use them.
    connection.all(
      `insert into bulk_indexes (name, sql)
       select name, sql from sqlite_master
       where type = 'index' and sql not like '%) where %' and name not like '%_by_accession' and tbl_name = $1`,
      [table],
    )
  }
  for (const { name } of connection.all<{ name: string }>('select name from bulk_indexes')) {
    connection.exec(`drop index ${name}`)
  }
  connection.all("insert into bulk_indexes (name, sql, search_table) values ('', '', $1)", [searchTable])
  configure(connection, searchTable, { automerge: 0, crisismerge: 1_000, hashsize: 33_554_432 })
  connection.exec('commit')
}

/** Each step is one transaction, so that another crash does not repeat it. */
function* stepsToEnd(connection: Connection): Generator<string> {
  const isLoading = connection.all("select 1 from sqlite_master where name = 'bulk_indexes'").length > 0
  if (!isLoading) return
  const missing = connection.all<{ name: string; sql: string; search_table: string | null }>(
    "select * from bulk_indexes order by name = '', name",
  )
  for (const [index, { name, sql, search_table }] of missing.entries()) {
    yield search_table === null ? `index ${index + 1} of ${missing.length - 1}` : 'full-text index'
    connection.exec('begin immediate')
    if (search_table === null) {
      connection.exec(sql)
      connection.all('delete from bulk_indexes where name = $1', [name])
    } else {
      connection.exec(`insert into ${search_table} (${search_table}) values ('optimize')`)
      // The defaults of FTS5.
      configure(connection, search_table, { automerge: 4, crisismerge: 16, hashsize: 1_048_576 })
      connection.exec('drop table bulk_indexes')
    }
    connection.exec('commit')
  }
}

/** Sets options of the full-text index: its memory and when it merges. */
function configure(connection: Connection, table: string, options: Record<string, number>): void {
  for (const [name, value] of Object.entries(options)) {
    connection.all(`insert into ${table} (${table}, rank) values ($1, $2)`, [name, value])
  }
}
