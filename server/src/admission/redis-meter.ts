import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Balance } from '../model/accounts.ts'
import { type RedisLink, RedisRefused, RedisUnavailable } from '../redis/redis-link.ts'
import type { AccountVersions } from './callers.ts'
import type { Holder, Meter, MeterAnswer, MeterAsk, MeterVerdict, RateAsk } from './meter.ts'
import {
  METER_SCRIPT,
  type MeterMode,
  type MeterOrder,
  type MeterOrders,
  type OrderAnswer,
  VERDICT_NUMBERS,
} from './meter-script.ts'
import { HOUR_WINDOW, KeyRate, type LimitState, type RateLimits, type RateVerdict, type SlotUse } from './rate.ts'

const REMEMBERED_KEYS = 100_000
const REMEMBERED_VERSIONS = 100_000
/** A hold ends after this time unless its instance renews it: then the instance is dead. */
const HOLD_MS = 15_000
const RENEW_MS = 5_000
/** Requests and accounts of a script: one that takes longer would keep other instances waiting. */
const MOST_AT_ONCE = 100
const NO_RATE: RateLimits = { burst: 0, requestsPerMinute: 1, requestsPerHour: 0, requestsPerDay: 0 }

/** What this instance knows of an account: the balance, its own holds, and those of the others by the last answer. */
interface AccountState {
  balance: Balance | undefined
  requests: number
  streams: number
  otherRequests: number
  otherStreams: number
  /** A balance that Redis does not have yet. One that was read replaces any other, one after a charge that of an earlier transfer. */
  newBalance: (Balance & { isRead: boolean }) | undefined
  /** Credits that Redis believes requests of this instance to hold. */
  knownRequests: number
}

/** Requests of one turn of the event loop that have the key, the limits and the version of `ask`. */
interface Batch {
  ask: Omit<MeterAsk, 'cost'>
  waiting: { cost: number; resolve(answer: MeterAnswer): void; reject(error: unknown): void }[]
}

/** An order that waits for its script. */
interface Unsent {
  accountId: string
  keyId: string
  order: MeterOrder
  resolve(answer: TimedAnswer): void
  reject(error: unknown): void
}

/** An answer with the time of Redis. */
type TimedAnswer = OrderAnswer & { now: number }

interface RedisMeterDeps {
  redis: RedisLink
  /** Starts the names of all keys, so that several services can share a Redis. */
  prefix: string
  /** Returns the wall time. */
  now: () => number
  /** Whether `now` is also the time for rates, instead of the clock of Redis: for tests that set it. */
  isFake: boolean
  /** Returns the number of instances, among which the limits are divided while Redis does not answer. */
  countInstances: () => Promise<number>
  onError: (error: unknown) => void
}

/**
 * Meter of several instances. One script does everything in Redis (`meter-script.ts`) for the requests and charges of a turn of
 * the event loop. An instance sends the sum of its holds each time, not their changes, so that a lost
 * answer, a restart or a flush of Redis leaves no error behind.
 * While Redis does not answer, each instance counts alone, with its share of the limits.
 */
export class RedisMeter implements Meter, AccountVersions {
  readonly isShared = true
  readonly #deps: RedisMeterDeps
  readonly #script: (...args: (string | number)[]) => Promise<unknown>
  readonly #instance = randomUUID()
  readonly #accounts = new Map<string, AccountState>()
  readonly #versions = new LRUCache<string, string>({ max: REMEMBERED_VERSIONS })
  /** By key. */
  readonly #batches = new Map<string, Batch>()
  /** Accounts whose balance or holds Redis has to be told. */
  readonly #unsent = new Set<string>()
  #orders: Unsent[] = []
  #sending: NodeJS.Immediate | undefined
  #renewal: NodeJS.Timeout | undefined

  /** Rates while Redis does not answer. */
  readonly #local = new LRUCache<string, KeyRate>({ max: REMEMBERED_KEYS })
  /** Requests that were counted here and that Redis does not know of. */
  readonly #uncounted = new Map<string, RateAsk & { used: SlotUse[] }>()
  #instances = 1

  constructor(deps: RedisMeterDeps) {
    this.#deps = deps
    this.#script = deps.redis.script(METER_SCRIPT)
    deps.redis.watch({ up: () => this.#begin(), down: () => this.#end() })
  }

  start(): void {
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS).unref()
    this.#renew()
  }

  /** Sends the last holds, which are usually none. */
  async stop(): Promise<void> {
    clearInterval(this.#renewal)
    await Promise.all([...this.#unsent].map((accountId) => this.#send(accountId)))
  }

  // ——— Versions of accounts

  versionOf(accountId: string | undefined): string | undefined {
    return accountId === undefined ? undefined : this.#versions.get(accountId)
  }

  /** Makes all instances read the account again. Returns false if Redis does not answer. */
  async renewVersion(accountId: string): Promise<boolean> {
    this.#versions.delete(accountId)
    try {
      await this.#deps.redis.command('HSET', this.#accountKey(accountId), 'version', randomUUID())
      return true
    } catch {
      return false
    }
  }

  // ——— Rates

  admit(ask: MeterAsk): Promise<MeterAnswer> {
    const { accountId, cost } = ask
    this.#account(accountId).requests += cost
    return new Promise((resolve, reject) => {
      this.#batchFor(ask).waiting.push({ cost, resolve, reject })
    })
  }

  #batchFor(ask: MeterAsk): Batch {
    const known = this.#batches.get(ask.keyId)
    if (known !== undefined) {
      const { limits, version } = known.ask
      if (limits === ask.limits && version === ask.version && known.waiting.length < MOST_AT_ONCE) return known
      void this.#take(known)
    }
    const batch = { ask, waiting: [] }
    this.#batches.set(ask.keyId, batch)
    this.#sendLater()
    return batch
  }

  async #take({ ask, waiting }: Batch): Promise<void> {
    let answerTo: (place: number) => MeterAnswer
    try {
      const costs = waiting.map(({ cost }) => cost)
      const verdicts = await this.#ask('take', ask, costs)
      answerTo = (place) => (typeof verdicts === 'string' ? verdicts : (verdicts[place] ?? 'stale'))
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) {
        for (const { cost, reject } of waiting) {
          this.#drop(ask.accountId, cost)
          reject(error)
        }
        return
      }
      answerTo = () => this.#admitAlone(ask)
    }
    for (const [place, { cost, resolve }] of waiting.entries()) {
      const answer = answerTo(place)
      if (typeof answer === 'string' || !answer.isHeld) this.#drop(ask.accountId, cost)
      resolve(answer)
    }
  }

  /** Admits a request without Redis. */
  #admitAlone(ask: Batch['ask']): MeterAnswer {
    // The cached caller cannot be verified.
    if (ask.version !== undefined) return 'stale'
    const { balance, requests, streams } = this.#account(ask.accountId)
    const rate = this.#countLocally(ask)
    return { rate, isHeld: rate.isAllowed && (balance?.credits ?? 0) - requests - streams >= 0 }
  }

  async peek(ask: RateAsk): Promise<RateVerdict> {
    try {
      const verdicts = await this.#ask('look', ask)
      if (typeof verdicts !== 'string' && verdicts[0] !== undefined) return verdicts[0].rate
    } catch {}
    return this.#localRate(ask.keyId).peek(this.#share(ask.limits), this.#deps.now())
  }

  async limits(ask: RateAsk): Promise<LimitState[]> {
    return (await this.peek(ask)).limits
  }

  knowsKey(): boolean {
    return true
  }

  async restoreKey(ask: RateAsk, used: readonly SlotUse[]): Promise<void> {
    const { slotMs } = HOUR_WINDOW
    const now = this.#deps.now()
    try {
      const { now: redisNow } = await this.#order('look', ask)
      // In whole slots, so that slots stay aligned.
      const shift = Math.round((redisNow - now) / slotMs) * slotMs
      const past = used.flatMap(({ at, count }) => (at <= now ? [at + shift, count] : []))
      await this.#order('restore', ask, past)
    } catch {
      // Without Redis the instance counts alone.
    }
  }

  // ——— Holds

  hold(accountId: string, cost: number, holder: Holder): boolean {
    if (!this.covers(accountId, cost)) return false
    this.#change(accountId, holder, cost)
    return true
  }

  covers(accountId: string, cost: number): boolean {
    return cost === 0 || (this.available(accountId) ?? 0) >= cost
  }

  isContended(accountId: string, cost: number): boolean {
    const { balance, streams, otherStreams } = this.#account(accountId)
    return (balance?.credits ?? 0) - streams - otherStreams >= cost
  }

  holdAnyway(accountId: string, cost: number): void {
    this.#change(accountId, 'requests', cost)
  }

  release(accountId: string, cost: number, holder: Holder): void {
    this.#change(accountId, holder, -cost)
  }

  settle(accountId: string, cost: number, balance: Balance): void {
    const account = this.#account(accountId)
    account.requests -= cost
    if (balance.transferId >= (account.balance?.transferId ?? 0)) {
      account.balance = balance
      account.newBalance = { ...balance, isRead: false }
    }
    this.#sendSoon(accountId)
  }

  setBalance(accountId: string, balance: Balance): Promise<void> {
    const account = this.#account(accountId)
    account.balance = balance
    account.newBalance = { ...balance, isRead: true }
    return this.#send(accountId)
  }

  /** The transfers of other instances are not known here. */
  lastTransfer(): undefined {}

  available(accountId: string): number | undefined {
    const account = this.#accounts.get(accountId)
    if (account?.balance === undefined) return undefined
    return account.balance.credits - account.requests - account.streams - account.otherRequests - account.otherStreams
  }

  held(accountId: string): number {
    const { requests, streams } = this.#account(accountId)
    return requests + streams
  }

  #change(accountId: string, holder: Holder, credits: number): void {
    if (credits === 0) return
    this.#account(accountId)[holder] += credits
    this.#sendSoon(accountId)
  }

  /** Takes back the cost of a request that holds nothing. Requests sent after it may have told Redis of the cost. */
  #drop(accountId: string, cost: number): void {
    const account = this.#account(accountId)
    account.requests -= cost
    if (account.requests !== account.knownRequests) this.#sendSoon(accountId)
  }

  #sendSoon(accountId: string): void {
    this.#unsent.add(accountId)
    this.#sendLater()
  }

  /** Sends everything that happens in a turn of the event loop at once. */
  #sendLater(): void {
    this.#sending ??= setImmediate(() => {
      const batches = [...this.#batches.values()]
      this.#batches.clear()
      // A batch also sends the new balance and the holds of its account.
      for (const batch of batches) void this.#take(batch)
      for (const accountId of this.#unsent) void this.#send(accountId)
      this.#sending = undefined
      const orders = this.#orders
      this.#orders = []
      for (const shared of this.#deps.redis.isCluster ? orders.map((order) => [order]) : divided(orders)) {
        void this.#run(shared)
      }
    })
  }

  /** Tells Redis the balance, if it changed, and the holds of this instance. */
  async #send(accountId: string): Promise<void> {
    await this.#ask('sync', { accountId, keyId: '', limits: NO_RATE }).catch(() => {})
  }

  // ——— Redis

  /** Redis is gone, and with it what the other instances hold. */
  #end(): void {
    this.#versions.clear()
    for (const account of this.#accounts.values()) {
      account.otherRequests = 0
      account.otherStreams = 0
      account.knownRequests = 0
    }
  }

  /** Redis is there, perhaps again. */
  #begin(): void {
    for (const [accountId, { requests, streams }] of this.#accounts) {
      if (requests + streams > 0) void this.#send(accountId)
    }
    for (const ask of this.#uncounted.values()) {
      const used = ask.used.flatMap(({ at, count }) => [at, count])
      this.#order('add', ask, used).catch(() => {})
    }
    this.#uncounted.clear()
    this.#local.clear()
  }

  /** Keeps the holds of this instance alive. */
  #renew(): void {
    for (const [accountId, account] of this.#accounts) {
      if (account.requests + account.streams > 0) void this.#send(accountId)
    }
    this.#deps.countInstances().then((count) => {
      this.#instances = Math.max(1, count)
    }, this.#deps.onError)
  }

  /** Runs the script and notes what it says about the account. Returns the verdicts on requests, or why there are none. */
  async #ask(
    mode: MeterMode,
    ask: Batch['ask'],
    costs: readonly number[] = [],
  ): Promise<MeterVerdict[] | 'stale' | 'unknown'> {
    const account = this.#account(ask.accountId)
    const { requests } = account
    const isUnsent = this.#unsent.has(ask.accountId)
    const answer = await this.#order(mode, ask, costs)
    this.#versions.set(ask.accountId, answer.version)
    if (answer.status === 'stale') {
      // The holds were not told.
      if (isUnsent) this.#sendSoon(ask.accountId)
      return 'stale'
    }
    if (answer.status === 'unknown') return 'unknown'
    // A balance that this instance has not sent yet is newer.
    if (answer.balance !== undefined && account.newBalance === undefined) {
      account.balance = { credits: Number(answer.balance), transferId: Number(answer.transfer) }
    }
    account.otherRequests = Number(answer.requests)
    account.otherStreams = Number(answer.streams)
    const verdicts: MeterVerdict[] = []
    const { verdicts: numbers = [] } = answer
    for (let first = 0; first < numbers.length; first += VERDICT_NUMBERS) {
      verdicts.push(verdictOf(ask.limits, numbers.slice(first, first + VERDICT_NUMBERS)))
    }
    account.knownRequests = costs.reduce((held, cost, place) => held - (verdicts[place]?.isHeld ? 0 : cost), requests)
    return verdicts
  }

  /** Sends an order in this turn of the event loop, with the balance of the account, if it changed, and the holds. */
  async #order(mode: MeterMode, ask: Batch['ask'], numbers: readonly number[] = []): Promise<TimedAnswer> {
    const { accountId, keyId, limits, version } = ask
    const account = this.#account(accountId)
    const { newBalance, requests, streams } = account
    account.newBalance = undefined
    this.#unsent.delete(accountId)
    this.#sendLater()
    try {
      return await new Promise((resolve, reject) => {
        const order = { mode, version, balance: newBalance, requests, streams, limits, numbers }
        this.#orders.push({ accountId, keyId, order, resolve, reject })
      })
    } catch (error) {
      // Once it is sent, it is no longer just read.
      account.newBalance ??= newBalance && { ...newBalance, isRead: false }
      throw error
    }
  }

  async #run(unsent: readonly Unsent[]): Promise<void> {
    const keys = unsent.flatMap(({ accountId, keyId }) => {
      const key = this.#accountKey(accountId)
      return [key, `${key}:${keyId}`]
    })
    const given: MeterOrders = {
      now: this.#deps.isFake ? this.#deps.now() : undefined,
      instance: this.#instance,
      newVersion: randomUUID(),
      holdMs: HOLD_MS,
      orders: unsent.map(({ order }) => order),
    }
    try {
      const text = await this.#script(keys.length, ...keys, JSON.stringify(given))
      const { now, answers }: { now: number; answers: OrderAnswer[] } = JSON.parse(String(text))
      for (const [place, { resolve, reject }] of unsent.entries()) {
        const answer = answers[place]
        if (answer === undefined) reject(new Error('Redis did not answer an order'))
        else resolve({ ...answer, now })
      }
    } catch (error) {
      if (error instanceof RedisRefused) this.#deps.onError(error)
      for (const { reject } of unsent) reject(error)
    }
  }

  /** The braces keep all keys of an account on one node of a cluster. */
  #accountKey(accountId: string): string {
    return `${this.#deps.prefix}{${accountId}}`
  }

  #account(accountId: string): AccountState {
    const known = this.#accounts.get(accountId)
    if (known !== undefined) return known
    const account = {
      balance: undefined,
      requests: 0,
      streams: 0,
      otherRequests: 0,
      otherStreams: 0,
      newBalance: undefined,
      knownRequests: 0,
    }
    this.#accounts.set(accountId, account)
    return account
  }

  // ——— Without Redis

  #countLocally({ keyId, accountId, limits }: RateAsk): RateVerdict {
    const now = this.#deps.now()
    const verdict = this.#localRate(keyId).take(this.#share(limits), now)
    if (verdict.isAllowed && this.#uncounted.size < REMEMBERED_KEYS) {
      const { used } = getOrAdd(this.#uncounted, keyId, () => ({ keyId, accountId, limits, used: [] }))
      const at = Math.floor(now / HOUR_WINDOW.slotMs) * HOUR_WINDOW.slotMs
      const last = used.at(-1)
      if (last?.at === at) last.count += 1
      else used.push({ at, count: 1 })
    }
    return verdict
  }

  #localRate(keyId: string): KeyRate {
    const known = this.#local.get(keyId)
    if (known !== undefined) return known
    const rate = new KeyRate()
    this.#local.set(keyId, rate)
    return rate
  }

  #share(limits: RateLimits): RateLimits {
    const shareOf = (limit: number) => Math.max(1, Math.floor(limit / this.#instances))
    return {
      burst: shareOf(limits.burst),
      requestsPerMinute: shareOf(limits.requestsPerMinute),
      requestsPerHour: shareOf(limits.requestsPerHour),
      requestsPerDay: shareOf(limits.requestsPerDay),
    }
  }
}

/** Divides orders among scripts. */
function divided(orders: readonly Unsent[]): Unsent[][] {
  const scripts: Unsent[][] = []
  let size = MOST_AT_ONCE
  for (const one of orders) {
    const own = Math.max(1, one.order.numbers.length)
    if (size + own > MOST_AT_ONCE) {
      scripts.push([])
      size = 0
    }
    scripts.at(-1)?.push(one)
    size += own
  }
  return scripts
}

function verdictOf(limits: RateLimits, numbers: readonly number[]): MeterVerdict {
  const [isHeld = 0, isAllowed = 0, waitMs = 0, burst = 0, burstMs = 0, hour = 0, hourMs = 0, day = 0, dayMs = 0] =
    numbers
  const seconds = (ms: number) => Math.ceil(ms / 1_000)
  const rate: RateVerdict = {
    isAllowed: isAllowed === 1,
    retryAfterSeconds: seconds(waitMs),
    limits: [
      { window: 'burst', limit: limits.burst, remaining: burst, resetSeconds: seconds(burstMs) },
      { window: 'hour', limit: limits.requestsPerHour, remaining: hour, resetSeconds: seconds(hourMs) },
      { window: 'day', limit: limits.requestsPerDay, remaining: day, resetSeconds: seconds(dayMs) },
    ],
  }
  return { rate, isHeld: isHeld === 1 }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = create()
  map.set(key, value)
  return value
}
