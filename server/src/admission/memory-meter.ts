import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Meter, MeterVerdict } from './meter.ts'
import { KeyRate, type LimitState, type RateLimits, type SlotUse } from './rate.ts'

const MAX_KEYS = 100_000

/** Meter of a single process. Every method is synchronous and therefore atomic. */
export class MemoryMeter implements Meter {
  readonly #clock: Clock
  readonly #rates = new LRUCache<string, KeyRate>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 })
  readonly #balances = new Map<string, { balance: number; held: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  admit(ask: { keyId: string; accountId: string; limits: RateLimits; cost: number }): MeterVerdict {
    const rate = this.#rate(ask.keyId).take(ask.limits, this.#clock.now())
    return { rate, isHeld: rate.isAllowed && this.hold(ask.accountId, ask.cost) }
  }

  hold(accountId: string, cost: number): boolean {
    if (cost === 0) return true
    const account = this.#account(accountId)
    if (account.balance - account.held < cost) return false
    account.held += cost
    return true
  }

  release(accountId: string, cost: number): void {
    this.#account(accountId).held -= cost
  }

  settle(accountId: string, cost: number, balance: number): void {
    this.release(accountId, cost)
    this.setBalance(accountId, balance)
  }

  setBalance(accountId: string, balance: number): void {
    this.#account(accountId).balance = balance
  }

  available(accountId: string): number | undefined {
    const account = this.#balances.get(accountId)
    return account && account.balance - account.held
  }

  held(accountId: string): number {
    return this.#account(accountId).held
  }

  knowsKey(keyId: string): boolean {
    return this.#rates.get(keyId) !== undefined
  }

  restoreKey(keyId: string, used: Iterable<SlotUse>, limits: RateLimits): void {
    if (!this.knowsKey(keyId)) this.#rate(keyId).restore(used, limits, this.#clock.now())
  }

  limits(keyId: string, limits: RateLimits): LimitState[] {
    return this.#rate(keyId).state(limits, this.#clock.now())
  }

  #rate(keyId: string): KeyRate {
    const known = this.#rates.get(keyId)
    if (known !== undefined) return known
    const rate = new KeyRate()
    this.#rates.set(keyId, rate)
    return rate
  }

  #account(accountId: string) {
    const known = this.#balances.get(accountId)
    if (known !== undefined) return known
    const account = { balance: 0, held: 0 }
    this.#balances.set(accountId, account)
    return account
  }
}
