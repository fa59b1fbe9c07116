import type { DeferredRuns, Procedure, ProcedureName, Transaction } from '../db.ts'
import type { Connection } from './sqlite-connection.ts'

/** More work in one transaction would gain little, and the requests that arrive meanwhile wait for it. */
const MAX_SIZE = 128
const DELAY_MS = 25
const RETRY_DELAY_MS = 1_000

interface Parts {
  connection: Connection
  tx: Transaction
  /** Runs work between two requests to the thread. */
  schedule(work: () => Promise<void>): void
}

/**
 * Stores the arguments of a procedure's runs, one row each, and does their work a moment later, all in one transaction: a
 * commit of one row costs a tenth of one that changes all tables of a charge. Whoever reads or writes these tables calls
 * `finish` before. After a crash, the next process does the work of the rows that are left.
 */
export class Deferral {
  readonly #name: ProcedureName
  readonly #procedure: Procedure<unknown, unknown>
  readonly #parts: Parts
  #runs: DeferredRuns<unknown, unknown> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(name: ProcedureName, procedure: Procedure<unknown, unknown>, parts: Parts) {
    this.#name = name
    this.#procedure = procedure
    this.#parts = parts
    this.#runs = procedure.defer?.()
    const rows = parts.connection.all<{ argument: string }>('select argument from deferred_runs order by seq')
    for (const { argument } of rows) this.#runs?.add(JSON.parse(argument))
  }

  /** Returns the result of a run whose argument is durable now, or undefined if its work cannot wait. */
  async defer({ module, name }: ProcedureName, argument: unknown, text: string): Promise<unknown> {
    if (module !== this.#name.module || name !== this.#name.name) return undefined
    if ((this.#runs?.size() ?? 0) >= MAX_SIZE) await this.finish()
    const { connection, tx } = this.#parts
    const result = await this.#runs?.foresee(tx, argument)
    if (result === undefined) return undefined
    connection.all('insert into deferred_runs (argument) values ($1)', [text])
    this.#runs?.add(argument)
    this.#finishAfter(DELAY_MS)
    return result
  }

  /** Does the work of all runs. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const runs = this.#runs
    if (runs === undefined || runs.size() === 0) return
    const { connection, tx } = this.#parts
    connection.exec('begin immediate')
    try {
      await this.#procedure.work(tx, runs.combined())
      connection.exec('delete from deferred_runs')
      connection.exec('commit')
    } catch (error) {
      if (connection.isInTransaction()) connection.exec('rollback')
      throw error
    }
    this.#runs = this.#procedure.defer?.()
  }

  #finishAfter(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // A request that needs the tables reports the error.
      this.#parts.schedule(() => this.finish().catch(() => this.#finishAfter(RETRY_DELAY_MS)))
    }, delayMs)
  }
}
