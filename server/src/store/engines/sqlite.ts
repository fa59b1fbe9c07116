import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Thread } from '../../thread.ts'
import type { Db, Dialect, Queryable, SearchTerms, Value } from '../db.ts'
import { BulkLoading, repairBulkLoad } from './sqlite-bulk.ts'
import { connect } from './sqlite-connection.ts'

const CACHE_KIB = 40_960
const READS = /^\s*(select|with)\b/

/** Opens the embedded engine. One process owns the folder; opening it in a second one fails. */
export function openSqlite(folder: string): Db {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  const file = join(folder, 'mintick.sqlite')
  const main = connect(file, { cacheKiB: CACHE_KIB })
  repairBulkLoad(main)
  const aside = connect(file, { cacheKiB: 4_096, readOnly: true })
  const heavy = new ReaderThreads(file)
  const write = oneAtATime()
  let load: BulkLoading | undefined

  return {
    engine: 'sqlite',
    exclusive: true,
    dialect: sqliteDialect,
    heavy,
    // A commit clears the page cache of all other connections, so reads use the writing one. During a transaction they
    // use a second connection, which does not see uncommitted rows.
    async query(sql, params) {
      if (!READS.test(sql)) throw new Error('writes need a transaction')
      return (main.isInTransaction() ? aside : main).all(sql, params)
    },
    transaction: (work) =>
      write(async () => {
        if (!main.isInTransaction()) main.exec('begin immediate')
        try {
          const result = await work({
            query: async (sql, params) => main.all(sql, params),
            insert: async (...rows) => main.insert(...rows),
          })
          if (load === undefined || load.isTimeToCommit()) main.exec('commit')
          return result
        } catch (error) {
          if (main.isInTransaction()) main.exec('rollback')
          throw error
        }
      }),
    async bulkLoad(options, work) {
      const own = new BulkLoading(main, CACHE_KIB, options)
      load = own
      try {
        return await work()
      } finally {
        await write(() => own.end()).finally(() => {
          load = undefined
        })
      }
    },
    async close() {
      await write(async () => {})
      await heavy.close()
      aside.close()
      main.close()
      lock.close()
    },
  }
}

/**
 * Holds an exclusive transaction on a separate file for the life of the process. The operating system drops it however
 * the process ends, even by kill -9, so there are no stale locks.
 */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'mintick.lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch {
    lock.close()
    throw new FolderInUse(folder)
  }
  return lock
}

export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`another Mintick process is using the data folder ${folder}; stop it first or set DATA_DIR to another folder`)
  }
}

interface Question {
  sql: string
  params: readonly Value[]
}

/**
 * Runs slow queries in threads, so that the main thread keeps answering. There are two, so that one long query, such as
 * an audit, does not block all others.
 */
class ReaderThreads implements Queryable {
  readonly #threads: readonly [Thread<Question, unknown[]>, Thread<Question, unknown[]>]

  constructor(file: string) {
    const start = () =>
      new Thread<Question, unknown[]>(new URL('./sqlite-reader.ts', import.meta.url), { data: { file } })
    this.#threads = [start(), start()]
  }

  query<Row>(sql: string, params: readonly Value[] = []): Promise<Row[]> {
    const [first, second] = this.#threads
    return (first.load <= second.load ? first : second).ask({ sql, params }) as Promise<Row[]>
  }

  async close(): Promise<void> {
    for (const thread of this.#threads) await thread.close()
  }
}

/** Queues writers: SQLite has one transaction at a time, and a transaction may await. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

const quoted = (phrase: string[]) => `"${phrase.join(' ')}"`
const anyOf = (phrases: string[][]) => `(${phrases.map(quoted).join(' OR ')})`

const sqliteDialect: Dialect = {
  now: `cast(unixepoch('subsec') * 1000 as integer)`,
  identity: 'integer primary key',
  blob: 'blob',
  clustered: 'without rowid',
  bytes: '',
  // A blob reaches the socket without being decoded and encoded again.
  docsSql: (table, keys, columns) =>
    `select cast(group_concat(r.doc, ',') as blob) as docs, json_group_array(octet_length(r.doc)) as sizes,
       ${columns.map((column) => `json_group_array(k.${column}) as ${column}`).join(', ')}
     from (${keys}) k cross join ${table} r where r.seq = k.seq`,
  columnsSql: (query, columns) =>
    `select ${columns.map((column) => `json_group_array(k.${column}) as ${column}`).join(', ')} from (${query}) k`,
  search: {
    indexValue: (words) => words,
    queryValue({ groups, excluded }: SearchTerms) {
      const wanted = groups.map(anyOf).join(' AND ')
      if (wanted === '') return anyOf(excluded)
      return excluded.length === 0 ? wanted : `(${wanted}) NOT ${anyOf(excluded)}`
    },
    hits: (table, param) => `(select rowid as seq from ${table}_search where ${table}_search match ${param})`,
    matches: (table, seq, param) =>
      `exists (select 1 from ${table}_search where ${table}_search match ${param} and rowid = ${seq})`,
  },
}
