import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import type { LoggedRequest } from '../model/request-log.ts'
import type { Store } from '../store/store.ts'
import { type Caller, rateOf } from './caller.ts'
import { type AccountVersions, Callers, SHARED_CACHE_MS } from './callers.ts'
import { Credits } from './credits.ts'
import { DemoPool } from './demo.ts'
import { Idempotency } from './idempotency.ts'
import type { Meter, RateAsk } from './meter.ts'
import { Operators } from './operators.ts'
import { DAY_WINDOW, HOUR_WINDOW, type RateLimits, type RateVerdict } from './rate.ts'
import { RequestWriter } from './request-writer.ts'
import { type OidcOperators, Sessions } from './sessions.ts'

const RESTORE_ATTEMPTS = 3

interface Admitted {
  rate: RateVerdict
  limits: RateLimits
  refusal: ApiError | undefined
}

/**
 * Steps between a request and its response, in this order: key (401), rate (429), route (404), plan (403),
 * validation (400), credits (402), handler, charge. The checks of route, plan and validation have no side effects, so
 * their verdict is passed in and one call to the meter covers rate and credits.
 */
export class Admission {
  readonly callers: Callers
  readonly sessions: Sessions
  readonly operators: Operators
  readonly requestWriter: RequestWriter
  readonly meter: Meter
  /** Numbers of requests since the start. */
  readonly verdicts = { admitted: 0, rate_limited: 0, out_of_credits: 0, refused: 0 }
  readonly idempotency: Idempotency
  readonly #credits: Credits
  readonly #demo: DemoPool
  readonly #store: Store
  readonly #clock: Clock
  readonly #bus: Bus
  readonly #versions: AccountVersions
  /** Restores under way, by key: the log of a busy day takes seconds to count. */
  readonly #restoring = new Map<string, Promise<void>>()

  constructor(deps: {
    store: Store
    clock: Clock
    meter: Meter
    versions: AccountVersions
    bus: Bus
    pepper: string
    adminToken: string
    oidcOperators: OidcOperators
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#bus = deps.bus
    this.#versions = deps.versions
    this.meter = deps.meter
    this.callers = new Callers(deps)
    this.sessions = new Sessions(deps)
    this.operators = new Operators({ ...deps, sessions: this.sessions })
    this.requestWriter = new RequestWriter(deps.store.requestLog, deps.meter, deps.onError)
    this.idempotency = new Idempotency({ ...deps, requests: deps.store.idempotentRequests })
    this.#credits = new Credits(deps.store.ledger, deps.meter, 'requests')
    this.#demo = new DemoPool(deps.store.ledger, deps.meter, deps.clock)
  }

  /**
   * Counts the request and holds its cost. With a `verdict`, the refusal of another step, nothing is held. Returns undefined
   * if the caller was cached and has changed: then it has to be read again.
   */
  async admit(caller: Caller, cost: number, verdict: ApiError | undefined): Promise<Admitted | undefined> {
    const { account, version } = caller
    const { keyId, limits } = rateOf(caller, cost)
    if (!this.#isLoaded(caller, keyId)) await this.#load(caller, cost)
    const held = verdict === undefined ? cost : 0
    const ask = { keyId, accountId: account.id, limits, cost: held, version }
    const first = this.meter.admit(ask)
    let answer = first instanceof Promise ? await first : first
    for (let attempt = 0; answer === 'unknown' && attempt < RESTORE_ATTEMPTS; attempt += 1) {
      await this.#restore(caller, ask, cost)
      answer = await this.meter.admit(ask)
    }
    if (answer === 'unknown') throw new Error('the meter keeps forgetting the rate of a key')
    if (answer === 'stale') return undefined
    const { rate, isHeld } = answer
    const isCovered = isHeld || (rate.isAllowed && (await this.#credits.holdAfterReload(account.id, held)))
    if (!rate.isAllowed) this.verdicts.rate_limited += 1
    else if (verdict !== undefined) this.verdicts.refused += 1
    else if (!isCovered) this.verdicts.out_of_credits += 1
    else this.verdicts.admitted += 1
    return { rate, limits, refusal: this.#refusalOf(caller, cost, { rate, verdict, isCovered }) }
  }

  /** Returns what `admit` would return, but counts and holds nothing. */
  async assess(caller: Caller, cost: number, verdict: ApiError | undefined): Promise<Admitted> {
    const { account } = caller
    const ask = rateOf(caller, cost)
    const { limits } = ask
    await this.#load(caller, cost)
    const rate = await this.meter.peek(ask)
    const isCovered = verdict !== undefined || (await this.#credits.covers(account.id, cost))
    return { rate, limits, refusal: this.#refusalOf(caller, cost, { rate, verdict, isCovered }) }
  }

  #isLoaded({ account }: Caller, keyId: string): boolean {
    return !account.isDemo && this.meter.knowsKey(keyId) && this.meter.available(account.id) !== undefined
  }

  /** Loads what the meter does not know of a caller yet. */
  async #load(caller: Caller, cost: number): Promise<void> {
    const { account } = caller
    const rate = rateOf(caller, cost)
    if (account.isDemo) await this.#demo.refill(account.id)
    if (!this.meter.knowsKey(rate.keyId)) await this.#restore(caller, rate, cost)
    if (this.meter.available(account.id) === undefined) await this.#credits.reload(account.id)
  }

  #refusalOf(
    caller: Caller,
    cost: number,
    { rate, verdict, isCovered }: { rate: RateVerdict; verdict: ApiError | undefined; isCovered: boolean },
  ): ApiError | undefined {
    const { isAllowed, retryAfterSeconds } = rate
    if (!isAllowed) {
      const message = `Rate limit exceeded; try again in ${retryAfterSeconds} s`
      return new ApiError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds })
    }
    return verdict ?? (isCovered ? undefined : this.outOfCredits(caller, cost))
  }

  /** Commits the charge and returns the balance after it. Throws 402 if other requests have used up the credits. */
  async chargeOrRefuse(caller: Caller, request: LoggedRequest): Promise<number> {
    const balance = await this.requestWriter.commitCharge(request)
    if (balance !== undefined) return balance
    // The meter took the balance for higher than it is.
    await this.reloadBalance(caller.account.id)
    throw this.outOfCredits(caller, request.credits)
  }

  /**
   * Makes a change of an account, its keys or its sessions effective on every instance: requests that start after this
   * resolves see it.
   */
  async announce(accountId: string): Promise<void> {
    await Promise.all([this.#bus.publish('accounts', accountId), this.#outdate(accountId)])
  }

  /** Without another version, the caches of other instances have to expire. */
  async #outdate(accountId: string): Promise<void> {
    if (!(await this.#versions.renewVersion(accountId))) await delay(SHARED_CACHE_MS)
  }

  /** Reloads a balance that was changed elsewhere. Balances that the meter has not loaded yet need no reload. */
  async reloadBalance(accountId: string): Promise<void> {
    if (this.meter.isShared || this.meter.available(accountId) !== undefined) await this.#credits.reload(accountId)
  }

  /** Fills the demo pool of the hour, even if nobody uses it. */
  refillDemoPool(accountId: string): Promise<void> {
    return this.#demo.refill(accountId)
  }

  outOfCredits(caller: Caller, cost: number): ApiError {
    if (caller.account.isDemo) {
      return new ApiError('INSUFFICIENT_CREDITS', 'The demo budget is exhausted; it refills hourly', {
        retryAfterSeconds: this.#demo.secondsToRefill(),
      })
    }
    return new ApiError(
      'INSUFFICIENT_CREDITS',
      `This request costs ${cost} ${cost === 1 ? 'credit' : 'credits'} and the balance does not cover it`,
    )
  }

  /**
   * Restores the rate of a key from the request log, after a restart or as the successor of a revoked key. Concurrent requests wait for
   * the same read.
   */
  #restore(caller: Caller, ask: RateAsk, cost: number): Promise<void> {
    const { keyId } = ask
    const known = this.#restoring.get(keyId)
    if (known !== undefined) return known
    const restoring = this.#restoreAlone(caller, ask, cost).finally(() => this.#restoring.delete(keyId))
    this.#restoring.set(keyId, restoring)
    return restoring
  }

  async #restoreAlone({ key }: Caller, ask: RateAsk, cost: number): Promise<void> {
    const since = this.#clock.now() - DAY_WINDOW.lengthMs
    const which = key.sessionId === undefined ? 'all' : cost > 0 ? 'paid' : 'free'
    const slots = await this.#store.requestLog.recentByKey(key, since, HOUR_WINDOW.slotMs, which)
    await this.meter.restoreKey(
      ask,
      slots.map(({ slot, count }) => ({ at: slot * HOUR_WINDOW.slotMs, count })),
    )
  }
}
