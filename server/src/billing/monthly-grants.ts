import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { DueAccount, GrantRule } from '../store/accounts/grants.ts'
import type { Store } from '../store/store.ts'
import { grantRule } from './grant-rule.ts'

/** Accounts per transaction, which then takes about 4 ms. */
const PORTION = 8

/**
 * Begins the months of accounts when they are due, with or without requests. Several instances may run it at once: each
 * account is locked, and its `next_period_at` tells whether the month has begun already.
 */
export class MonthlyGrants {
  readonly #store: Store
  readonly #clock: Clock
  readonly #onGranted: (accountId: string) => Promise<void>
  readonly #onError: (error: unknown) => void
  #isStopped = false

  constructor(deps: {
    store: Store
    clock: Clock
    /** Called after the balance of an account has changed. */
    onGranted: (accountId: string) => Promise<void>
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#onGranted = deps.onGranted
    this.#onError = deps.onError
  }

  /** Begins every due month. A round begins one month of each account. */
  async run(): Promise<void> {
    while (await this.#round(this.#clock.now())) await nextTurn()
  }

  /** Stops after the current batch. */
  stop(): void {
    this.#isStopped = true
  }

  /** Returns false if nothing was done. Skips accounts that fail, so that they do not block the others. */
  async #round(now: number): Promise<boolean> {
    const rule = grantRule(now)
    let isBegun = false
    let last: DueAccount | undefined
    while (!this.#isStopped) {
      const due = await this.#store.grants.listDue(now, last, PORTION)
      if (due.length === 0) return isBegun
      const ids = due.map(({ id }) => id)
      isBegun = (await this.#begin(ids, rule)) || isBegun
      last = due.at(-1)
      await nextTurn()
    }
    return false
  }

  async #begin(ids: readonly string[], rule: GrantRule): Promise<boolean> {
    try {
      const begun = await this.#store.grants.begin(ids, rule)
      for (const [id, { isBalanceChanged }] of begun) if (isBalanceChanged) await this.#onGranted(id)
      return begun.size > 0
    } catch (error) {
      if (ids.length > 1) return this.#beginEach(ids, rule)
      this.#onError(error)
      return false
    }
  }

  async #beginEach(ids: readonly string[], rule: GrantRule): Promise<boolean> {
    let isBegun = false
    for (const id of ids) isBegun = (await this.#begin([id], rule)) || isBegun
    return isBegun
  }
}
