import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { DueAccount, GrantRule } from '../store/accounts/grants.ts'
import type { Store } from '../store/store.ts'
import { grantRule } from './grant-rule.ts'

/** As many accounts as one transaction serves in about four milliseconds. */
const PORTION = 8

/**
 * Begins the months of accounts when they are due, whether or not anybody calls. Any number of instances may do so: the
 * account's lock and what stands under it decide.
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
    /** The balance of the account has changed. */
    onGranted: (accountId: string) => Promise<void>
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#onGranted = deps.onGranted
    this.#onError = deps.onError
  }

  /** Resolves when every month that can be begun is. A round begins one month of each account. */
  async run(): Promise<void> {
    while (await this.#round(this.#clock.now())) await nextTurn()
  }

  /** The portion at hand is finished. */
  stop(): void {
    this.#isStopped = true
  }

  /** False when nothing was done. What cannot be done is passed over, so that it does not stand in the way of others. */
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
