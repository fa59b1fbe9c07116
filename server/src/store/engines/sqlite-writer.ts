/** Worker thread: owns the writing connection to one database file. */
import { workerData } from 'node:worker_threads'
import { answerRequests } from '../../thread.ts'
import type { BulkLoad, Procedure, ProcedureName, Transaction, Value } from '../db.ts'
import { BulkLoading } from './sqlite-bulk.ts'
import { type ConnectionOptions, connect, transactionOf } from './sqlite-connection.ts'
import { Deferral } from './sqlite-deferral.ts'

export type WriterRequest =
  | { do: 'begin'; transaction: number }
  | { do: 'query'; transaction: number; sql: string; params: readonly Value[] }
  | { do: 'insert'; transaction: number; rows: Parameters<Transaction['insert']> }
  | { do: 'commit' | 'rollback'; transaction: number }
  | { do: 'run'; procedure: ProcedureName; argument: string | Uint8Array; mayDefer: boolean }
  | { do: 'defer runs'; procedure: ProcedureName }
  | { do: 'finish deferred runs' }
  | { do: 'begin bulk load'; tables: BulkLoad['tables']; searchTable: string }
  | { do: 'next step of bulk load' }
  | { do: 'close' }

/** The answer to `run`. */
export interface RunAnswer {
  result: unknown
  isDeferred: boolean
}

export interface WriterData {
  file: string
  options: ConnectionOptions
  /** The procedure whose runs may be deferred, once the schema is the one that it expects. */
  deferred?: ProcedureName
}

const { file, options, deferred }: WriterData = workerData
const connection = connect(file, options)
const tx = transactionOf(connection)
let open: number | undefined
let load: BulkLoading | undefined
let steps: Iterator<string> | undefined
let deferral: Deferral | undefined

const schedule = answerRequests(async (request: WriterRequest): Promise<unknown> => {
  switch (request.do) {
    case 'begin':
      await deferral?.finish()
      begin()
      open = request.transaction
      return undefined
    case 'query':
      check(request.transaction)
      return tx.query(request.sql, request.params)
    case 'insert':
      check(request.transaction)
      return tx.insert(...request.rows)
    case 'commit':
      check(request.transaction)
      open = undefined
      return commit()
    case 'rollback':
      open = undefined
      return rollback()
    case 'run':
      return run(request)
    case 'defer runs':
      await deferRuns(request.procedure)
      return deferral?.finish()
    case 'finish deferred runs':
      return deferral?.finish()
    case 'begin bulk load':
      load = new BulkLoading(connection, options.cacheKiB, request)
      return undefined
    case 'next step of bulk load':
      return nextStep()
    case 'close':
      // After a failure, the next process does the work.
      await deferral?.finish().catch(() => {})
      return connection.close()
  }
})
// A thread that replaces one that ended defers again before its first request.
if (deferred !== undefined) schedule(() => deferRuns(deferred))

async function deferRuns(name: ProcedureName): Promise<void> {
  deferral ??= new Deferral(await procedureOf(name), connection, tx, schedule)
}

/** A transaction must not continue in the successor of a thread that ended: its first statements are rolled back. */
function check(transaction: number): void {
  if (transaction !== open) throw new Error('the transaction has ended')
}

function begin(): void {
  // During a bulk load, a commit is left out now and then.
  if (!connection.isInTransaction()) connection.exec('begin immediate')
}

function commit(): void {
  if (load === undefined || load.isTimeToCommit()) connection.exec('commit')
}

function rollback(): void {
  if (connection.isInTransaction()) connection.exec('rollback')
}

async function run({
  procedure,
  argument: given,
  mayDefer,
}: Extract<WriterRequest, { do: 'run' }>): Promise<RunAnswer> {
  const argument = typeof given === 'string' ? JSON.parse(given) : given
  const predicted = mayDefer ? await deferral?.run(argument, String(given)) : undefined
  if (predicted !== undefined) return { result: predicted, isDeferred: true }
  await deferral?.finish()
  const { work } = await procedureOf(procedure)
  begin()
  try {
    const result = await work(tx, argument)
    commit()
    return { result, isDeferred: false }
  } catch (error) {
    rollback()
    throw error
  }
}

async function procedureOf({ module, name }: ProcedureName): Promise<Procedure<unknown, unknown>> {
  const { [name]: procedure }: Record<string, Procedure<unknown, unknown>> = await import(module)
  if (procedure === undefined) throw new Error(`${module} has no procedure ${name}`)
  return procedure
}

/** Does one step of the end of a bulk load; returns the name of the next one, or undefined at the end. */
function nextStep(): string | undefined {
  steps ??= load?.end()
  const step = steps?.next()
  if (step?.done !== false) {
    load = undefined
    steps = undefined
    return undefined
  }
  return step.value
}
