import type { Ledger } from '../store/accounts/ledger.ts'
import type { Meter } from './meter.ts'

/** Holds credits. Reloads the balance from the store before refusing, because the meter may have missed a grant. */
export class Credits {
  readonly #ledger: Ledger
  readonly #meter: Meter

  constructor(ledger: Ledger, meter: Meter) {
    this.#ledger = ledger
    this.#meter = meter
  }

  async hold(accountId: string, cost: number): Promise<boolean> {
    if (this.#meter.available(accountId) !== undefined && this.#meter.hold(accountId, cost)) return true
    return this.holdAfterReload(accountId, cost)
  }

  async holdAfterReload(accountId: string, cost: number): Promise<boolean> {
    await this.reload(accountId)
    return this.#meter.hold(accountId, cost)
  }

  /** Returns whether `hold` would succeed. */
  async covers(accountId: string, cost: number): Promise<boolean> {
    if (this.#meter.available(accountId) !== undefined && this.#meter.covers(accountId, cost)) return true
    await this.reload(accountId)
    return this.#meter.covers(accountId, cost)
  }

  async reload(accountId: string): Promise<void> {
    this.#meter.setBalance(accountId, await this.#ledger.balance(accountId))
  }
}
