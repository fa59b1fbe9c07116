import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '../model/time.ts'
import { PeriodicJob } from '../periodic-job.ts'
import type { Db, Transaction } from './db.ts'

/** A dead instance blocks the others for this long; a live one renews its lease three times within it. */
const TTL_MS = 30 * SECOND
const POLL_EVERY_MS = 100

export interface Lease {
  /**
   * Throws LeaseLost if another instance holds the lease by now, which happens to a process that was paused for longer
   * than the lease lasts. Until the transaction ends the lease cannot be taken over, so a commit that includes this
   * check cannot overwrite the work of the next holder. It does not matter whether the lease has expired as long as
   * nobody else took it.
   */
  verify(tx: Transaction): Promise<void>
}

interface LeaseOptions {
  /** How long to wait for another instance; unlimited by default. */
  waitMs?: number
  /** Ends the wait for another instance, but not work that has begun. */
  signal?: AbortSignal | undefined
}

/** Another instance holds the lease, and the caller waits no longer. */
export class LeaseTaken extends Error {
  constructor(name: string) {
    super(`another instance holds the lease ${name}`)
  }
}

export class LeaseLost extends Error {
  constructor(name: string) {
    super(`the lease ${name} was not renewed in time and another instance has taken it over; nothing was written`)
  }
}

/**
 * Runs work that no other instance may do at the same time. A lease is a row with an expiry, not a lock of the engine,
 * so that no connection is held during long work. SQLite has one process, where the order of calls is enough.
 */
export class Leases {
  readonly #db: Db
  readonly #ttlMs: number
  /** The last work of each name in this process. */
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(db: Db, { ttlMs = TTL_MS }: { ttlMs?: number } = {}) {
    this.#db = db
    this.#ttlMs = ttlMs
  }

  /** Runs `work` while this process holds the lease; calls within this process take turns, first come, first served. */
  async run<T>(name: string, work: (lease: Lease) => Promise<T>, options: LeaseOptions = {}): Promise<T> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(() => this.#run(name, work, options))
    const settled = result.catch(() => {})
    this.#last.set(name, settled)
    try {
      return await result
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name)
    }
  }

  /** Runs `work` as above, or not at all if another instance holds the lease. */
  async runIfFree(name: string, work: (lease: Lease) => Promise<void>, signal?: AbortSignal): Promise<void> {
    try {
      await this.run(name, work, { waitMs: 0, signal })
    } catch (error) {
      if (!(error instanceof LeaseTaken)) throw error
    }
  }

  /** Throws LeaseLost if another instance holds the lease by now. For work in several transactions. */
  check(lease: Lease): Promise<void> {
    return this.#db.transaction((tx) => lease.verify(tx))
  }

  async #run<T>(name: string, work: (lease: Lease) => Promise<T>, options: LeaseOptions): Promise<T> {
    if (this.#db.exclusive) return work({ verify: async () => {} })
    const holder = await this.#acquire(name, options)
    // A failed renewal is retried; if the retry comes too late, `verify` throws.
    const renewal = new PeriodicJob(
      this.#ttlMs / 3,
      async () => void (await renewLease(this.#db, name, holder, this.#ttlMs)),
      () => {},
    )
    renewal.start()
    try {
      return await work({ verify: (tx) => verifyLease(tx, name, holder) })
    } finally {
      await renewal.stop()
      // The work is done even if the lease cannot be released; the lease then expires.
      await releaseLease(this.#db, name, holder).catch(() => {})
    }
  }

  async #acquire(name: string, { waitMs = Number.POSITIVE_INFINITY, signal }: LeaseOptions): Promise<string> {
    const holder = randomUUID()
    const end = performance.now() + waitMs
    while (!signal?.aborted) {
      if (await acquireLease(this.#db, name, holder, this.#ttlMs)) return holder
      if (performance.now() >= end) break
      await wait(POLL_EVERY_MS, undefined, signal && { signal }).catch(() => {})
    }
    throw new LeaseTaken(name)
  }
}

// Expiries are set and compared by the clock of the engine, because the clocks of several machines differ. The injected
// clock is for times that users see, and tests that move it by days must not expire the lease of work that is under
// way.

/** Returns false while another holder has the lease. */
export function acquireLease(db: Db, name: string, holder: string, ttlMs: number): Promise<boolean> {
  const { now } = db.dialect
  return isWritten(
    db,
    `insert into leases (name, holder, expires_at) values ($1, $2, ${now} + $3)
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
       where leases.expires_at <= ${now} returning holder`,
    [name, holder, ttlMs],
  )
}

/** Returns false if the lease has another holder. */
export function renewLease(db: Db, name: string, holder: string, ttlMs: number): Promise<boolean> {
  return isWritten(
    db,
    `update leases set expires_at = ${db.dialect.now} + $3 where name = $1 and holder = $2 returning holder`,
    [name, holder, ttlMs],
  )
}

/** Does nothing if the lease has another holder. */
export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await isWritten(db, 'delete from leases where name = $1 and holder = $2 returning holder', [name, holder])
}

async function verifyLease(tx: Transaction, name: string, holder: string): Promise<void> {
  // An update that changes nothing: it locks the row on every engine.
  const rows = await tx.query('update leases set holder = holder where name = $1 and holder = $2 returning holder', [
    name,
    holder,
  ])
  if (rows.length === 0) throw new LeaseLost(name)
}

async function isWritten(db: Db, sql: string, params: readonly (string | number)[]): Promise<boolean> {
  return (await db.transaction((tx) => tx.query(sql, params))).length > 0
}
