import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ownBuffer, Thread } from '../../thread.ts'
import type { Db, Transaction, Value } from '../db.ts'
import { giveToOwner } from './folder-owner.ts'
import { finishSwap } from './folder-swap.ts'
import { ReadTurns } from './read-turns.ts'
import { repairBulkLoad } from './sqlite-bulk.ts'
import { type ConnectionOptions, connect } from './sqlite-connection.ts'
import { DeferredWork } from './sqlite-deferral.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { moveLedger } from './sqlite-ledger.ts'
import type { Question } from './sqlite-reader.ts'
import type { RunAnswer, WriterData, WriterRequest } from './sqlite-writer.ts'

/** The files of a store: one for accounts and all that is written with them, one for the rest. */
export const SQLITE_FILES = { data: 'mintick.sqlite', ledger: 'ledger.sqlite' } as const

/** The code of SQLite for a file that another process has locked. */
const SQLITE_BUSY = 5

const READS = /^\s*(select|with)\b/

/** Opens the embedded engine. One process owns the folder; opening it in a second one fails. */
export function openSqlite(folder: string): Db {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  finishSwap(folder)
  const files = { data: join(folder, SQLITE_FILES.data), ledger: join(folder, SQLITE_FILES.ledger) }
  prepareFiles(files)
  for (const file of Object.values(files)) giveToOwner(folder, file)
  const heavy = new ReaderThreads()
  const turns = new ReadTurns()
  const ledger = openFile(files.ledger, heavy, turns, { read: { cacheKiB: 4_096 }, write: { cacheKiB: 8_192 } })
  const data = openFile(files.data, heavy, turns, {
    read: { cacheKiB: 32_768 },
    // Nobody waits for these commits, so they may do more at once.
    write: { cacheKiB: 32_768, checkpointPages: 8_000 },
  })
  return {
    ...data,
    ledger,
    async close() {
      await heavy.close()
      await ledger.close()
      await data.close()
      lock.close()
    },
  }
}

/** Creates the files, or brings them into the state in which threads may open them. */
function prepareFiles(files: { data: string; ledger: string }): void {
  const data = connect(files.data, { cacheKiB: 32_768 })
  repairBulkLoad(data)
  const ledger = connect(files.ledger, { cacheKiB: 32_768 })
  moveLedger(data, ledger, files.data)
  ledger.close()
  data.close()
}

/** Opens one file: short reads run on this thread, writes in a thread of their own. */
function openFile(
  file: string,
  readers: ReaderThreads,
  turns: ReadTurns,
  options: { read: ConnectionOptions; write: ConnectionOptions },
): Db {
  const reader = connect(file, { ...options.read, readOnly: true })
  const data: WriterData = { file, options: options.write }
  const writer = new Thread<WriterRequest, unknown>(new URL('./sqlite-writer.ts', import.meta.url), {
    data,
    onEnd: () => deferred.add(),
  })
  const deferred = new DeferredWork(() => writer.ask({ do: 'finish deferred runs' }))
  writer.start()
  const inTurn = oneAtATime()
  const writes = { begun: 0, ended: 0 }
  const write = <T>(work: () => Promise<T>) => {
    writes.begun += 1
    // Counts the end after the promise callbacks of the write, which clear caches.
    return inTurn(work).finally(() => setImmediate(() => (writes.ended += 1)))
  }
  let transactions = 0
  const db: Db = {
    engine: 'sqlite',
    get ledger() {
      return db
    },
    exclusive: true,
    writes: () => (writes.begun === writes.ended ? writes.ended : undefined),
    dialect: sqliteDialect,
    heavy: {
      async query(sql, params) {
        await deferred.finished()
        return readers.query(file, sql, params)
      },
    },
    async query(sql, params) {
      if (!READS.test(sql)) throw new Error('writes need a transaction')
      const finishing = deferred.finished()
      if (finishing !== undefined) await finishing
      return turns.run(() => reader.all(sql, params))
    },
    transaction: (work) =>
      write(async () => {
        transactions += 1
        return runTransaction(writer, transactions, work)
      }),
    run: ({ module, name }, argument) => {
      const isBytes = argument instanceof Uint8Array
      // As JSON, which costs half of a structured clone.
      const sent = isBytes ? argument : JSON.stringify(argument)
      const moved = isBytes ? ownBuffer(argument) : []
      const mayDefer = data.deferred?.module === module && data.deferred.name === name
      return write(async () => {
        const request = { do: 'run', procedure: { module, name }, argument: sent, mayDefer } as const
        const { result, isDeferred } = (await writer.ask(request, moved)) as RunAnswer
        if (isDeferred) deferred.add()
        return result as never
      })
    },
    async deferRuns({ module, name }) {
      data.deferred = { module, name }
      await write(() => writer.ask({ do: 'defer runs', procedure: { module, name } }))
    },
    async bulkLoad({ tables, searchTable, onStep }, work) {
      await write(() => writer.ask({ do: 'begin bulk load', tables, searchTable }))
      try {
        return await work()
      } finally {
        await write(async () => {
          for (;;) {
            const step = await writer.ask({ do: 'next step of bulk load' })
            if (typeof step !== 'string') break
            onStep?.(step)
          }
        })
      }
    },
    async close() {
      deferred.end()
      reader.close()
      // Last, because the last connection to close writes the log into the file.
      await write(async () => {
        if (writer.isRunning) await writer.ask({ do: 'close' })
      })
      await writer.close()
    },
  }
  return db
}

async function runTransaction<T>(
  writer: Thread<WriterRequest, unknown>,
  transaction: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // Not awaited yet: the thread answers in order, and refuses the statements of a transaction that did not begin.
  const begun = writer.ask({ do: 'begin', transaction })
  begun.catch(() => {})
  try {
    const result = await work({
      dialect: sqliteDialect,
      query: (sql, params = []) => writer.ask({ do: 'query', transaction, sql, params }) as Promise<never[]>,
      insert: (table, columns, rows, ending) =>
        writer.ask({ do: 'insert', transaction, rows: [table, columns, [...rows], ending] }) as Promise<never[]>,
    })
    await writer.ask({ do: 'commit', transaction })
    return result
  } catch (error) {
    await begun
    await writer.ask({ do: 'rollback', transaction }).catch(() => {})
    throw error
  }
}

/**
 * Holds an exclusive transaction on a separate file for the life of the process. The operating system drops it however
 * the process ends, even by kill -9, so there are no stale locks.
 */
export function lockFolder(folder: string): DatabaseSync {
  const file = join(folder, 'mintick.lock')
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    giveToOwner(folder, file)
  } catch (error) {
    lock.close()
    throw (error as { errcode?: number }).errcode === SQLITE_BUSY ? new FolderInUse(folder) : error
  }
  return lock
}

export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`another Mintick process is using the data folder ${folder}; stop it first or set DATA_DIR to another folder`)
  }
}

/** A thread takes about 10 MB, and a fraction of a second to start. */
const READER_IDLE_MS = 30_000

/**
 * Runs slow queries in threads, so that the main thread keeps answering. There are two, so that one long query, such as
 * an audit, does not block all others.
 */
class ReaderThreads {
  readonly #threads: readonly [Thread<Question, unknown[]>, Thread<Question, unknown[]>]
  #isClosed = false

  constructor() {
    const module = new URL('./sqlite-reader.ts', import.meta.url)
    const create = () => new Thread<Question, unknown[]>(module, { idleMs: READER_IDLE_MS })
    this.#threads = [create(), create()]
  }

  query<Row>(file: string, sql: string, params: readonly Value[] = []): Promise<Row[]> {
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'))
    const [first, second] = this.#threads
    return (first.load <= second.load ? first : second).ask({ file, sql, params }) as Promise<Row[]>
  }

  async close(): Promise<void> {
    this.#isClosed = true
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
