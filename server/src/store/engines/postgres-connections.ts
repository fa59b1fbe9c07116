import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ApiError, DatabaseUnavailable } from '../../model/errors.ts'
import type { Value } from '../db.ts'
import { ColumnTypes } from './postgres-columns.ts'
import { CopyRows } from './postgres-copy.ts'

/** Reads and writes that callers wait for, work that may take longer, and transactions without a limit. */
export type Pace = 'quick' | 'long' | 'endless'

/** A change that the operator should know of. */
export type OutageEvent =
  | { kind: 'began'; reason: string }
  | { kind: 'ended'; seconds: number; failedStatements: number }
  | { kind: 'lost connections'; reason: string; failedStatements: number }

export interface ConnectionOptions {
  /** How long a quick statement may wait, for a connection and for its answer. */
  timeoutMs: number
  /**
   * The server itself, if the URL leads to a pooler, which may serve each transaction by another connection. A statement
   * then cannot rely on what the connection was told before: no statement is prepared, and transactions state their
   * limits.
   */
  directUrl?: string | undefined
  onOutage?: ((event: OutageEvent) => void) | undefined
}

/**
 * JIT compilation takes 0.3 s, and the planner chooses it for index walks, although they stop at the limit of the page. The default
 * `random_page_cost`, 4, is the cost of a hard disk.
 */
const PLANNER_SETTINGS = `select set_config('jit', 'off', false),
  case current_setting('random_page_cost') when '4' then set_config('random_page_cost', '1.1', false) end`
const POOL_SIZES = { quick: 12, long: 8, endless: 8 }
const NAMED_STATEMENTS = 400
const LONG_STATEMENT_MS = 60_000
/** The server cancels a statement first, which keeps the connection. */
const GRACE_MS = 500
/** A process that is busy for a while keeps its transactions. */
const LEAST_IDLE_MS = 5_000
const TICK_MS = 100
const CHECK_AGAIN_MS = 500
const KEEP_ALIVE_MS = 5_000

interface Waiting {
  since: number
  limitMs: number
  giveUp(error: Error): void
}

/**
 * The connections to a PostgreSQL server. A network that drops packets reports no error, so nothing waits without a
 * limit. When a statement fails or waits for long, a new connection checks the server. If the server does not answer it,
 * everything that waits fails, and new statements fail at once until the server answers again.
 */
export class PostgresConnections {
  /** The statement that begins a transaction. */
  readonly begin: string
  readonly types = new ColumnTypes()
  readonly #url: string
  readonly #directUrl: string | undefined
  readonly #timeoutMs: number
  readonly #onOutage: (event: OutageEvent) => void
  readonly #waiting = new Set<Waiting>()
  readonly #ticker: NodeJS.Timeout
  #isClosing = false
  #pools: Record<Pace, pg.Pool>
  #downSince: number | undefined
  #isChecking = false
  #checkedAt = Number.NEGATIVE_INFINITY
  #tickedAt = performance.now()
  #lateAt = Number.NEGATIVE_INFINITY
  /** Failures since the last check that succeeded. */
  #failed = 0
  #reason = ''

  constructor(url: string, { timeoutMs, directUrl, onOutage = () => {} }: ConnectionOptions) {
    this.#url = url
    this.#directUrl = directUrl
    this.#timeoutMs = timeoutMs
    this.begin = directUrl === undefined ? 'begin' : beginWith(limitsOf(timeoutMs, timeoutMs))
    this.#onOutage = onOutage
    this.#pools = this.#createPools()
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  async take(pace: Pace): Promise<pg.PoolClient> {
    if (this.#downSince !== undefined) throw this.#fail(this.#reason)
    const taken = this.#pools[pace].connect()
    try {
      return await this.#wait(taken, this.#timeoutMs)
    } catch (error) {
      // It may still arrive.
      taken.then(
        (client) => client.release(),
        () => {},
      )
      throw this.#fail(reasonOf(error))
    }
  }

  /** Runs a statement. After DatabaseUnavailable the connection is not usable any more. */
  async query(client: pg.PoolClient, statement: pg.QueryConfig | CopyRows, limitMs: number): Promise<pg.QueryResult> {
    try {
      corkForThisTurn(client)
      const answer = statement instanceof CopyRows ? statement.sendTo(client) : client.query(statement)
      return await this.#wait(answer, limitMs)
    } catch (error) {
      if (isLost(error)) throw this.#fail(reasonOf(error))
      if (error instanceof pg.DatabaseError && TOO_SLOW.has(error.code ?? '')) {
        throw new ApiError('INTERNAL_ERROR', 'The database did not answer in time', {
          retryAfterSeconds: 1,
          cause: error,
        })
      }
      throw error
    }
  }

  limitOf(pace: Pace): number {
    return GRACE_MS + { quick: this.#timeoutMs, long: LONG_STATEMENT_MS, endless: Infinity }[pace]
  }

  /** Returns a statement to run. A connection of its own to the server parses and plans it once. */
  statement(text: string, params: readonly Value[]): pg.QueryConfig {
    const name = this.#directUrl === undefined ? nameOf(text) : undefined
    return { text, values: [...params], ...(name !== undefined && { name }) }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all(this.#distinctPools().map((pool) => pool.end()))
    clearInterval(this.#ticker)
  }

  #createPools(): Record<Pace, pg.Pool> {
    const long = this.#createPool('long', LONG_STATEMENT_MS)
    return {
      quick: this.#createPool('quick', this.#timeoutMs),
      long,
      endless: this.#directUrl === undefined ? long : this.#createPool('endless', LONG_STATEMENT_MS),
    }
  }

  #distinctPools(): pg.Pool[] {
    return [...new Set(Object.values(this.#pools))]
  }

  #createPool(pace: Pace, statementMs: number): pg.Pool {
    const url = (pace === 'endless' ? this.#directUrl : undefined) ?? this.#url
    const isPooled = url === this.#url && this.#directUrl !== undefined
    const pool = new pg.Pool({
      ...connectionTo(url, this.#timeoutMs),
      max: POOL_SIZES[pace],
      // Statements that a transaction does not wait for one by one share a round trip.
      pipeline: true,
      // A pooler refuses parameters of the connection.
      ...(!isPooled && limitsOf(this.#timeoutMs, statementMs)),
    })
    // The pool replaces a connection that the server closes, and its query fails. Without these listeners, for idle
    // connections and for those in use, the error would end the process.
    pool.on('error', () => {})
    pool.on('connect', (client) => {
      client.on('error', () => {})
      if (!isPooled) client.query(PLANNER_SETTINGS).catch(() => {})
    })
    return pool
  }

  #wait<T>(answer: Promise<T>, limitMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { since: performance.now(), limitMs, giveUp: reject }
      this.#waiting.add(waiting)
      answer.then(resolve, reject).finally(() => this.#waiting.delete(waiting))
    })
  }

  #tick(): void {
    const now = performance.now()
    const isLate = now - this.#tickedAt > 5 * TICK_MS
    this.#tickedAt = now
    // The event loop was blocked: answers may have arrived that are not read yet.
    if (isLate) {
      this.#lateAt = now
      return
    }
    let longestMs = 0
    for (const { since, limitMs, giveUp } of this.#waiting) {
      longestMs = Math.max(longestMs, now - since)
      if (now - since > limitMs) giveUp(new Error(`no answer within ${limitMs} ms`))
    }
    const patienceMs = this.#timeoutMs / 4
    if (now - this.#checkedAt > patienceMs && (this.#failed > 0 || longestMs > patienceMs)) void this.#check()
  }

  #fail(reason: string): DatabaseUnavailable {
    this.#failed += 1
    this.#reason = reason
    if (performance.now() - this.#checkedAt > this.#timeoutMs / 4) void this.#check()
    return new DatabaseUnavailable()
  }

  /** Checks whether the server answers; if not, until it does. */
  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    for (;;) {
      const startedAt = performance.now()
      const failure = await failureOf(connectionTo(this.#url, this.#timeoutMs / 2))
      if (this.#isClosing) return
      if (failure === undefined) break
      // A failure during which this process was late may be its own.
      if (this.#lateAt < startedAt) this.#goDown(failure)
      await delay(CHECK_AGAIN_MS, undefined, { ref: false })
    }
    this.#isChecking = false
    this.#checkedAt = performance.now()
    this.#goUp()
  }

  #goDown(reason: string): void {
    this.#reason = reason
    if (this.#downSince !== undefined) return
    this.#downSince = performance.now()
    this.#onOutage({ kind: 'began', reason })
    const pools = this.#distinctPools()
    this.#pools = this.#createPools()
    for (const pool of pools) void pool.end()
    for (const { giveUp } of this.#waiting) giveUp(new Error(reason))
  }

  #goUp(): void {
    const failedStatements = this.#failed
    this.#failed = 0
    if (this.#downSince !== undefined) {
      const seconds = Math.round((performance.now() - this.#downSince) / 1_000)
      this.#downSince = undefined
      this.#onOutage({ kind: 'ended', seconds, failedStatements })
    } else if (failedStatements > 0) {
      this.#onOutage({ kind: 'lost connections', reason: this.#reason, failedStatements })
    }
  }
}

/** Sends the statements of a connection that follow each other in this turn of the event loop with one write. */
function corkForThisTurn(client: pg.PoolClient): void {
  // The types of pg leave the connection out.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

function limitsOf(timeoutMs: number, statementMs: number) {
  return {
    statement_timeout: statementMs,
    lock_timeout: timeoutMs,
    // Frees the locks of a transaction whose client has vanished, before those that wait for them give up.
    idle_in_transaction_session_timeout: Math.max(timeoutMs / 2, LEAST_IDLE_MS),
  }
}

/** Returns a text of several statements, which take one round trip. */
function beginWith(limits: ReturnType<typeof limitsOf>): string {
  return ['begin', ...Object.entries(limits).map(([name, ms]) => `set local ${name} = ${Math.trunc(ms)}`)].join('; ')
}

/** Begins a transaction that may take any time. */
export const BEGIN_ENDLESS = beginWith({
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
})

/** Statement names by SQL text. */
const names = new Map<string, string>()

function nameOf(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined) return known
  // Further statements run unnamed, which bounds a connection's memory.
  if (names.size >= NAMED_STATEMENTS) return undefined
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 24)
  names.set(sql, name)
  return name
}

function connectionTo(url: string, timeoutMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'mintick',
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}

/** Returns why the server does not answer, or undefined if it does, even with a refusal. */
async function failureOf(connection: pg.ClientConfig): Promise<string | undefined> {
  const client = new pg.Client({ ...connection, query_timeout: connection.connectionTimeoutMillis })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return undefined
  } catch (error) {
    return isLost(error) && !hasCode(error, TOO_MANY_CONNECTIONS) ? reasonOf(error) : undefined
  } finally {
    void client.end()
  }
}

const TOO_MANY_CONNECTIONS = '53300'
/** The statement or a lock that it waits for took too long. */
const TOO_SLOW = new Set(['57014', '55P03'])
/** The server has ended or refused the connection. */
const LOST = /^(08|57P|25P03|25P04|53300)/

/** Returns whether the connection is gone, rather than the statement at fault. */
function isLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || LOST.test(error.code ?? '')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof pg.DatabaseError && error.code === code
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
