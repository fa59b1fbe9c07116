import type { LimitState, RateLimits, RateVerdict, SlotUse } from './rate.ts'

/**
 * Rates of keys and holds on balances. Fast and allowed to forget: the store decides on every charge. Drivers differ in
 * where they keep the counters.
 */
export interface Meter {
  /**
   * Counts a request against the rate of the key and, if the rate allows it, holds the cost, in one atomic step.
   * `isHeld` is false if the balance known here does not cover the cost.
   */
  admit(ask: { keyId: string; accountId: string; limits: RateLimits; cost: number }): MeterVerdict
  /** Returns the verdict on the rate of a request without counting it. */
  peek(keyId: string, limits: RateLimits): RateVerdict
  hold(accountId: string, cost: number): boolean
  /** Returns whether `hold` would succeed. */
  covers(accountId: string, cost: number): boolean
  release(accountId: string, cost: number): void
  /** Releases a hold that was charged and sets the new balance. */
  settle(accountId: string, cost: number, balance: number): void
  /** Sets the balance to that of the store. */
  setBalance(accountId: string, balance: number): void
  /** Returns the balance minus all holds, or undefined for an account that is not loaded yet. */
  available(accountId: string): number | undefined
  held(accountId: string): number

  knowsKey(keyId: string): boolean
  restoreKey(keyId: string, used: Iterable<SlotUse>, limits: RateLimits): void
  limits(keyId: string, limits: RateLimits): LimitState[]
}

export interface MeterVerdict {
  rate: RateVerdict
  isHeld: boolean
}
