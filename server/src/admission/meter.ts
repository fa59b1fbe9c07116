import type { Balance } from '../model/accounts.ts'
import type { LimitState, RateLimits, RateVerdict, SlotUse } from './rate.ts'

/** Requests hold credits until they are charged; streams, and exports of whole files, for as long as they last. */
export type Holder = 'requests' | 'streams'

/**
 * Rates of keys and holds on balances. Fast and allowed to forget: the store decides on every charge. Drivers differ in
 * where they keep the counters: in the process, or in Redis for all instances.
 */
export interface Meter {
  /** Whether other instances read the balances that are set here. */
  readonly isShared: boolean
  /**
   * Counts a request against the rate of the key and, if the rate allows it, holds the cost, in one atomic step.
   * `isHeld` is false if the balance known here does not cover the cost.
   */
  admit(ask: MeterAsk): MeterAnswer | Promise<MeterAnswer>
  /** Returns the verdict on the rate of a request without counting it. */
  peek(ask: RateAsk): RateVerdict | Promise<RateVerdict>
  hold(accountId: string, cost: number, holder: Holder): boolean
  /** Returns whether `hold` would succeed. */
  covers(accountId: string, cost: number): boolean
  /** Returns whether requests in progress are all that keeps `hold` from succeeding: they may yet release their holds. */
  isContended(accountId: string, cost: number): boolean
  /** Holds the cost of a request whatever the balance is; the store decides. */
  holdAnyway(accountId: string, cost: number): void
  release(accountId: string, cost: number, holder: Holder): void
  /** Releases a hold that was charged, or none, and sets the new balance unless that of a later transfer is known. */
  settle(accountId: string, cost: number, balance: Balance): void
  /** Sets the balance to that of the store. A promise resolves once the holds of other instances are known. */
  setBalance(accountId: string, balance: Balance): void | Promise<void>
  /** Returns the id of the latest transfer in the known balance; undefined for an unknown account, and with Redis. */
  lastTransfer(accountId: string): number | undefined
  /** Returns the balance minus all holds, or undefined for an account that is not loaded yet. */
  available(accountId: string): number | undefined
  /** Returns the credits that this instance holds. */
  held(accountId: string): number

  knowsKey(keyId: string): boolean
  restoreKey(ask: RateAsk, used: readonly SlotUse[]): void | Promise<void>
  limits(ask: RateAsk): LimitState[] | Promise<LimitState[]>
}

export interface RateAsk {
  keyId: string
  accountId: string
  limits: RateLimits
}

export interface MeterAsk extends RateAsk {
  cost: number
  /** Version of the account by which the caller was cached. Undefined if the caller has just been read from the store. */
  version?: string | undefined
}

/** `stale`: the account has changed since the caller was cached. `unknown`: `restoreKey` has to come first. Neither counts. */
export type MeterAnswer = MeterVerdict | 'stale' | 'unknown'

export interface MeterVerdict {
  rate: RateVerdict
  isHeld: boolean
}
