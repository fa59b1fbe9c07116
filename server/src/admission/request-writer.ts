import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Histogram } from '../metrics/exposition.ts'
import { CommitUnknown } from '../model/errors.ts'
import type { LoggedRequest } from '../model/request-log.ts'
import type { RecordedBatch } from '../store/accounts/record-requests.ts'
import type { RequestLog } from '../store/accounts/request-log.ts'
import type { Meter } from './meter.ts'

const MAX_BATCH = 500
/** With this many charges, the share of each in the cost of a commit is small: waiting for more gains little. */
const MAX_AWAITED = 48
/** A batch that expects this many charges waits a millisecond, one that expects more waits longer: a busy core then makes fewer commits (decision 057). */
const CHARGES_PER_MS = 8
const MIN_CHARGE_DELAY_MS = 1
const MAX_CHARGE_DELAY_MS = 3
/** If commits take longer, a batch waits as long as the last one took, though a millisecond per charge at most. */
const MAX_COMMIT_DELAY_MS = 10
const LOG_DELAY_MS = 25
const RATE_LIMITED_DELAY_MS = 1_000
const RETRY_DELAYS_MS = [0, 200, 500, 1_000]
/** After this time callers get their error without a further attempt. */
const RETRY_FOR_MS = 2_000
const SETTLE_LATE_EVERY_MS = 1_000

interface Waiting {
  request: LoggedRequest
  /** Gets the balance after the charge, or undefined if the balance did not cover it. */
  resolve(balance: number | undefined): void
  reject(error: unknown): void
}

/**
 * Writes the request log and charges with group commit: requests that arrive together share one durable transaction. A
 * charged request waits for the commit; free ones do not.
 */
export class RequestWriter {
  /** Totals of all commits since the service started. */
  readonly stats = { batches: 0, requests: 0, credits: 0, failures: 0, durations: new Histogram() }
  readonly #requestLog: RequestLog
  readonly #meter: Meter
  readonly #onError: (error: unknown) => void
  #charges: Waiting[] = []
  #logs: LoggedRequest[] = []
  #rateLimited: LoggedRequest[] = []
  #rateLimitedTimer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  /** Charges in the last batch plus, if it was complete, those that arrived during its commit. The next batch waits for this many. */
  #concurrent = 0
  /** How long the last commit took. */
  #commitMs = 0
  /** The number of charges that the next batch waits for. */
  #awaited: { charges: number; resolve(): void } | undefined
  /** Batches by id whose callers got an error although they may be charged. */
  readonly #unsettled = new Map<string, readonly Waiting[]>()
  #lateTimer: NodeJS.Timeout | undefined
  readonly #completing = new Set<Promise<void>>()

  constructor(requestLog: RequestLog, meter: Meter, onError: (error: unknown) => void) {
    this.#requestLog = requestLog
    this.#meter = meter
    this.#onError = onError
  }

  /** Turns the hold of `request.credits` into a charge, or releases it if the charge is refused. */
  commitCharge(request: LoggedRequest): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      this.#charges.push({ request, resolve, reject })
      this.#arrived()
    })
  }

  log(request: LoggedRequest): void {
    this.#logs.push(request)
    this.#arrived()
  }

  /** Completes the line of a request that was logged with its first charge. */
  complete(request: LoggedRequest): void {
    const completing = this.#requestLog
      .complete(request)
      .catch(this.#onError)
      .finally(() => this.#completing.delete(completing))
    this.#completing.add(completing)
  }

  /** Counts a request in the usage without logging it, about once a second so that a flood of refusals causes few writes. */
  logRateLimited(request: LoggedRequest): void {
    this.#rateLimited.push(request)
    this.#rateLimitedTimer ??= setTimeout(() => this.#start(), RATE_LIMITED_DELAY_MS).unref()
  }

  /** Waits until everything queued so far is written. */
  async drain(): Promise<void> {
    if (this.#rateLimited.length > 0) this.#start()
    while (this.#writing !== undefined) await this.#writing
    await Promise.all(this.#completing)
    await this.#settleLate()
  }

  #start(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      // Work may have arrived after the last check of the queues.
      if (this.#hasWork()) this.#start()
    })
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#rateLimitedTimer)
    this.#rateLimitedTimer = undefined
    while (this.#hasWork()) {
      const isComplete = await this.#gather()
      const charges = this.#charges.splice(0, MAX_BATCH)
      const logs = this.#logs.splice(0, MAX_BATCH)
      const rateLimited = this.#rateLimited.splice(0, MAX_BATCH)
      const result = await this.#writeBatch(charges, logs, rateLimited)
      if (result === undefined) continue
      this.#concurrent = charges.length + (isComplete ? this.#charges.length : 0)
      this.#settle(charges, result)
    }
  }

  /**
   * Waits for charges to share the commit, which costs the same for any number of them: for as many as were concurrent at the last
   * one, since clients that got their answers ask again. Nobody waits for logs alone. Returns false if the time was over first.
   */
  async #gather(): Promise<boolean> {
    if (this.#charges.length === 0) await this.#arrivals(1, LOG_DELAY_MS)
    const awaited = Math.min(this.#concurrent, MAX_AWAITED)
    const delayMs = Math.min(Math.max(MIN_CHARGE_DELAY_MS, awaited / CHARGES_PER_MS), MAX_CHARGE_DELAY_MS)
    // If commits took longer than the wait, clients would stay in two groups that take turns.
    await this.#arrivals(awaited, Math.max(delayMs, Math.min(awaited, this.#commitMs, MAX_COMMIT_DELAY_MS)))
    const isComplete = this.#charges.length >= awaited
    // Each turn of the event loop may bring further ones.
    let known = -1
    while (this.#charges.length > known && this.#charges.length < MAX_BATCH) {
      known = this.#charges.length
      await new Promise((resolve) => setImmediate(resolve))
    }
    return isComplete
  }

  /** Waits until this many charges or a whole batch of logs have arrived, or the time is over. */
  async #arrivals(charges: number, withinMs: number): Promise<void> {
    if (this.#charges.length >= charges) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, withinMs)
    this.#awaited = { charges, resolve }
    await promise
    this.#awaited = undefined
    clearTimeout(timer)
  }

  #arrived(): void {
    const { charges, resolve } = this.#awaited ?? {}
    if (charges === undefined) this.#start()
    else if (this.#charges.length >= charges || this.#logs.length >= MAX_BATCH) resolve?.()
  }

  #hasWork(): boolean {
    return this.#charges.length + this.#logs.length + this.#rateLimited.length > 0
  }

  /** Returns undefined if the batch failed; its callers then have their answers. */
  async #writeBatch(
    charges: Waiting[],
    logs: LoggedRequest[],
    rateLimited: LoggedRequest[],
  ): Promise<RecordedBatch | undefined> {
    // The id starts with the time, so that its index grows at one end.
    const batchId = `${charges[0]?.request.createdAt ?? 0}-${randomUUID()}`
    const charged = charges.map((waiting) => waiting.request)
    const startedAt = performance.now()
    try {
      const result = await this.#requestLog.record([...charged, ...logs], rateLimited, batchId)
      this.stats.batches += 1
      this.stats.requests += charges.length + logs.length
      this.#commitMs = performance.now() - startedAt
      this.stats.durations.observe(this.#commitMs / 1_000)
      return result
    } catch (error) {
      this.stats.failures += 1
      this.#onError(error)
      if (charges.length > 0) await this.#settleUnknown(charges, batchId, startedAt, error)
      return undefined
    }
  }

  /** The charges are the first requests of the batch, in this order. */
  #settle(charges: readonly Waiting[], result: RecordedBatch): void {
    for (const [place, { request, resolve }] of charges.entries()) {
      const balance = result.balances.get(request.accountId)
      if (balance === undefined || result.refused.has(place)) {
        this.#meter.release(request.accountId, request.credits, 'requests')
        resolve(undefined)
      } else {
        this.stats.credits += request.credits
        this.#meter.settle(request.accountId, request.credits, balance)
        resolve(balance.credits)
      }
    }
  }

  /**
   * Handles a commit that failed or was not acknowledged. Repeating it under the same id either succeeds or fails as a
   * duplicate; then it is known which requests are charged. If that stays unknown, the callers get an error now, and
   * their credits back later.
   */
  async #settleUnknown(charges: readonly Waiting[], batchId: string, startedAt: number, error: unknown): Promise<void> {
    let isUnknown = error instanceof CommitUnknown
    for (const delayMs of RETRY_DELAYS_MS) {
      if (performance.now() - startedAt > RETRY_FOR_MS) break
      await delay(delayMs)
      try {
        const requests = charges.map((waiting) => waiting.request)
        const result = await this.#requestLog.record(requests, [], batchId, true)
        // The first attempt may have taken the credits that this one does not find.
        if (result.refused.size === 0 || !(await this.#settleIfCharged(charges))) this.#settle(charges, result)
        return
      } catch (again) {
        this.#onError(again)
        isUnknown ||= again instanceof CommitUnknown
        if (await this.#settleIfCharged(charges)) return
      }
    }
    for (const { request, reject } of charges) {
      if (!isUnknown) this.#meter.release(request.accountId, request.credits, 'requests')
      reject(error)
    }
    if (isUnknown) this.#settleLater(batchId, charges)
  }

  /** Keeps the holds until it is known whether the requests are charged. */
  #settleLater(batchId: string, charges: readonly Waiting[]): void {
    this.#unsettled.set(batchId, charges)
    this.#lateTimer ??= setInterval(() => void this.#settleLate(), SETTLE_LATE_EVERY_MS).unref()
  }

  async #settleLate(): Promise<void> {
    for (const [batchId, charges] of [...this.#unsettled]) {
      const requests = charges.map((waiting) => waiting.request)
      const balances = await this.#requestLog.giveBack(requests, batchId).catch(this.#onError)
      // Another call may have been faster.
      if (balances === undefined || !this.#unsettled.delete(batchId)) continue
      for (const { accountId, credits } of requests) this.#meter.release(accountId, credits, 'requests')
      for (const [accountId, balance] of balances) this.#meter.settle(accountId, 0, balance)
    }
    if (this.#unsettled.size > 0) return
    clearInterval(this.#lateTimer)
    this.#lateTimer = undefined
  }

  /** Returns false if no request of the batch is charged, or the store does not answer. */
  async #settleIfCharged(charges: readonly Waiting[]): Promise<boolean> {
    const balances = await Promise.all(charges.map(({ request }) => this.#requestLog.balanceIfCharged(request))).catch(
      () => [],
    )
    if (balances.every((balance) => balance === undefined)) return false
    for (const [index, { request, resolve }] of charges.entries()) {
      const balance = balances[index]
      if (balance === undefined) this.#meter.release(request.accountId, request.credits, 'requests')
      else {
        this.stats.credits += request.credits
        this.#meter.settle(request.accountId, request.credits, balance)
      }
      resolve(balance?.credits)
    }
    return true
  }
}
