import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoggedRequest } from '../model/request-log.ts'
import type { BatchResult, RequestLog } from '../store/accounts/request-log.ts'
import type { Meter } from './meter.ts'

const MAX_BATCH = 500
const RATE_LIMITED_DELAY_MS = 1_000
const RETRY_DELAYS_MS = [0, 200, 500, 1_000]

interface Waiting {
  call: LoggedRequest
  /** The balance after the charge, or undefined when it did not cover the call. */
  resolve(balance: number | undefined): void
  reject(error: unknown): void
}

/**
 * Writes calls to the store, those that arrive together in one durable commit (group commit). A charge is
 * answered only once it is committed; calls that cost nothing are written along and waited for by nobody.
 */
export class RequestWriter {
  readonly #calls: RequestLog
  readonly #meter: Meter
  readonly #onError: (error: unknown) => void
  #charges: Waiting[] = []
  #logs: LoggedRequest[] = []
  #rateLimited: LoggedRequest[] = []
  #rateLimitedTimer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(calls: RequestLog, meter: Meter, onError: (error: unknown) => void) {
    this.#calls = calls
    this.#meter = meter
    this.#onError = onError
  }

  /** Turns the hold of `call.credits` into a charge. Without a charge the hold is given back. */
  commitCharge(call: LoggedRequest): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      this.#charges.push({ call, resolve, reject })
      this.#start()
    })
  }

  log(call: LoggedRequest): void {
    this.#logs.push(call)
    this.#start()
  }

  /** Counted in the usage, not logged, and written about once a second: a flood of refusals must not become one of writes. */
  logRateLimited(call: LoggedRequest): void {
    this.#rateLimited.push(call)
    this.#rateLimitedTimer ??= setTimeout(() => this.#start(), RATE_LIMITED_DELAY_MS).unref()
  }

  /** Waits until everything given so far is written. */
  async drain(): Promise<void> {
    if (this.#rateLimited.length > 0) this.#start()
    while (this.#writing !== undefined) await this.#writing
  }

  #start(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      // Something may have come in between the last look at the queues and now.
      if (this.#hasWork()) this.#start()
    })
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#rateLimitedTimer)
    this.#rateLimitedTimer = undefined
    // Everything that the current turn of the event loop brings in shares the first commit.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#hasWork()) {
      await this.#writeBatch(
        this.#charges.splice(0, MAX_BATCH),
        this.#logs.splice(0, MAX_BATCH),
        this.#rateLimited.splice(0, MAX_BATCH),
      )
    }
  }

  #hasWork(): boolean {
    return this.#charges.length + this.#logs.length + this.#rateLimited.length > 0
  }

  async #writeBatch(charges: Waiting[], logs: LoggedRequest[], rateLimited: LoggedRequest[]): Promise<void> {
    // In the order of time, so that the index on it grows at one end.
    const batchId = `${charges[0]?.call.createdAt ?? 0}-${randomUUID()}`
    const charged = charges.map((waiting) => waiting.call)
    let result: BatchResult
    try {
      result = await this.#calls.record([...charged, ...logs], rateLimited, batchId)
    } catch (error) {
      this.#onError(error)
      if (charges.length > 0) await this.#settleUnknown(charges, batchId, error)
      return
    }
    this.#settle(charges, result)
  }

  #settle(charges: readonly Waiting[], result: BatchResult): void {
    for (const { call, resolve } of charges) {
      const balance = result.balances.get(call.accountId)
      if (balance === undefined || result.refused.has(call)) {
        this.#meter.release(call.accountId, call.credits)
        resolve(undefined)
      } else {
        this.#meter.settle(call.accountId, call.credits, balance)
        resolve(balance)
      }
    }
  }

  /**
   * The commit failed, or succeeded without our hearing of it. Asked again under the same id it either succeeds now
   * or fails because it was there already; only then is it known which calls are charged.
   */
  async #settleUnknown(charges: readonly Waiting[], batchId: string, error: unknown): Promise<void> {
    for (const delayMs of RETRY_DELAYS_MS) {
      await delay(delayMs)
      try {
        const calls = charges.map((waiting) => waiting.call)
        this.#settle(charges, await this.#calls.record(calls, [], batchId))
        return
      } catch (again) {
        this.#onError(again)
        if (await this.#settleIfCharged(charges)) return
      }
    }
    for (const { call, reject } of charges) {
      this.#meter.release(call.accountId, call.credits)
      reject(error)
    }
  }

  /** False when no call of the batch is charged, or the store does not say. */
  async #settleIfCharged(charges: readonly Waiting[]): Promise<boolean> {
    const balances = await Promise.all(charges.map(({ call }) => this.#calls.balanceIfCharged(call))).catch(() => [])
    if (balances.every((balance) => balance === undefined)) return false
    for (const [index, { call, resolve }] of charges.entries()) {
      const balance = balances[index]
      if (balance === undefined) this.#meter.release(call.accountId, call.credits)
      else this.#meter.settle(call.accountId, call.credits, balance)
      resolve(balance)
    }
    return true
  }
}
