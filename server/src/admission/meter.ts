import type { LimitState, RateLimits, RateVerdict, SlotUse } from './rate.ts'

/**
 * Keeps the pace of keys and the holds on balances. It answers fast and may forget: the store has the last word on
 * every charge. Drivers differ in where the counters live.
 */
export interface Meter {
  /**
   * One atomic step: takes a request from the key's rate and, when that is allowed and a cost is given, holds the
   * cost. `isHeld` is false when the balance, as far as it is known here, does not cover the cost.
   */
  admit(ask: { keyId: string; accountId: string; limits: RateLimits; cost: number }): MeterVerdict
  hold(accountId: string, cost: number): boolean
  release(accountId: string, cost: number): void
  /** A held cost was charged and the store says what is left. */
  settle(accountId: string, cost: number, balance: number): void
  /** The balance as the store has it now. */
  setBalance(accountId: string, balance: number): void
  /** The balance less what calls in flight hold; undefined for an account not seen yet. */
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
