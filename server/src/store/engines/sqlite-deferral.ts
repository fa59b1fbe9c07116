import type { DeferredRuns, Procedure, Queryable, Transaction } from '../db.ts'
import type { Connection } from './sqlite-connection.ts'

/** More requests in one transaction would gain little, and those that arrive meanwhile wait for it. */
const MAX_REQUESTS = 128
const FINISH_DELAY_MS = 25
const RETRY_DELAY_MS = 1_000
/** PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN: the file or the machine fails, and not a row. */
const ERRORS_OF_FILES = [3, 5, 6, 7, 8, 9, 10, 13, 14]

/**
 * Stores the arguments of a procedure's runs, one row each, and does their work a moment later, all in one transaction: one
 * row is a far smaller commit than the tables of a charge. Call `finish` before reading or writing these tables. After a
 * crash, the next process does the work of the rows that are left.
 */
export class Deferral {
  readonly #procedure: Procedure<unknown, unknown>
  readonly #connection: Connection
  readonly #tx: Transaction
  readonly #reads: Queryable
  readonly #schedule: (work: () => Promise<void>) => void
  /** The runs whose rows are stored; undefined if the rows have to be read, or if no run is deferred any more. */
  #runs: DeferredRuns<unknown, unknown> | undefined
  #isOff = false
  #timer: NodeJS.Timeout | undefined

  /** `schedule` runs work between two requests to the thread. */
  constructor(
    procedure: Procedure<unknown, unknown>,
    connection: Connection,
    tx: Transaction,
    schedule: (work: () => Promise<void>) => void,
  ) {
    this.#procedure = procedure
    this.#connection = connection
    this.#tx = tx
    this.#reads = { query: async (sql, params) => connection.all(sql, params) }
    this.#schedule = schedule
    // The cause of a problem may be repaired by now.
    connection.exec('update deferred_runs set problem = null where problem is not null')
  }

  /** Returns the result of a run whose argument is durable now, or undefined if its work cannot wait. */
  async run(argument: unknown, text: string): Promise<unknown> {
    if ((this.#load()?.size() ?? 0) >= MAX_REQUESTS) await this.finish()
    const runs = this.#load()
    const result = await runs?.predict(this.#reads, argument)
    if (result === undefined) return undefined
    this.#connection.all('insert into deferred_runs (argument) values ($1)', [text])
    runs?.add(argument)
    this.#finishAfter(FINISH_DELAY_MS)
    return result
  }

  /** Does the work of all runs. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      const runs = this.#load()
      if (runs === undefined || runs.size() === 0) return
      this.#runs = undefined
      // Without an fsync: if a power failure undoes this transaction, it leaves the rows.
      this.#connection.exec('pragma synchronous = normal')
      try {
        await this.#inTransaction(async () => {
          await this.#procedure.work(this.#tx, runs.combined())
          this.#connection.exec('delete from deferred_runs where problem is null')
        }).catch((error) => this.#finishEach(error))
      } finally {
        this.#connection.exec('pragma synchronous = full')
      }
    } catch (error) {
      this.#finishAfter(RETRY_DELAY_MS)
      throw error
    }
  }

  /**
   * Does the work of each run in a transaction of its own, and keeps those that fail. From then on no run is deferred, so that
   * runs like those fail by themselves.
   */
  async #finishEach(reason: unknown): Promise<void> {
    if (!isCausedByRun(reason)) throw reason
    for (const { seq, argument } of this.#rows()) {
      await this.#inTransaction(async () => {
        const single = this.#procedure.defer?.()
        single?.add(JSON.parse(argument))
        await this.#procedure.work(this.#tx, single?.combined())
        this.#connection.all('delete from deferred_runs where seq = $1', [seq])
      }).catch((error) => {
        if (!isCausedByRun(error)) throw error
        this.#connection.all('update deferred_runs set problem = $2 where seq = $1', [seq, String(error)])
        console.error(
          `mintick: failed to write run ${seq} of ${this.#procedure.name}, whose callers have their answers: ${error}`,
        )
      })
    }
    this.#isOff = true
  }

  #load(): DeferredRuns<unknown, unknown> | undefined {
    if (this.#runs !== undefined || this.#isOff) return this.#runs
    const runs = this.#procedure.defer?.()
    for (const { argument } of this.#rows()) runs?.add(JSON.parse(argument))
    this.#runs = runs
    return runs
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    this.#connection.exec('begin immediate')
    try {
      await work()
      this.#connection.exec('commit')
    } catch (error) {
      if (this.#connection.isInTransaction()) this.#connection.exec('rollback')
      throw error
    }
  }

  #rows(): { seq: number; argument: string }[] {
    return this.#connection.all('select seq, argument from deferred_runs where problem is null order by seq')
  }

  #finishAfter(delayMs: number): void {
    // A failure is reported to the next request that needs the tables.
    this.#timer ??= setTimeout(() => this.#schedule(() => this.finish().catch(() => {})), delayMs)
  }
}

/** The main thread's side of a {@link Deferral}: lets reads wait until the work of all runs that were answered before is done. */
export class DeferredWork {
  readonly #finish: () => Promise<unknown>
  #isLeft = false
  #hasEnded = false
  #finishing: Promise<unknown> | undefined

  constructor(finish: () => Promise<unknown>) {
    this.#finish = finish
  }

  /** Notes that there may be work, before the caller of a run gets its result. */
  add(): void {
    this.#isLeft = true
  }

  /** Starts no further work: asking a closed thread would start it again, and it would open the file. */
  end(): void {
    this.#hasEnded = true
  }

  /** Returns a promise to wait for before a read, or undefined if there is no work. */
  finished(): Promise<unknown> | undefined {
    if (!this.#isLeft || this.#hasEnded) return this.#finishing
    this.#isLeft = false
    // Tries twice: the thread may have ended, and its successor finds the rows.
    const finishing = this.#finish()
      .catch((error) => {
        if (this.#hasEnded) throw error
        return this.#finish()
      })
      .catch((error) => {
        this.#isLeft = true
        throw error
      })
      .finally(() => {
        if (this.#finishing === finishing) this.#finishing = undefined
      })
    this.#finishing = finishing
    return finishing
  }
}

/** Returns false for errors that pass, such as a full disk. */
function isCausedByRun(error: unknown): boolean {
  return !(error instanceof Error && 'errcode' in error && ERRORS_OF_FILES.includes(Number(error.errcode) & 0xff))
}
