import type { Ledger } from '../store/accounts/ledger.ts'
import type { Meter } from './meter.ts'

/** Holds on balances. The meter may not have seen a grant: before refusing, the store is asked. */
export class Credits {
  readonly #ledger: Ledger
  readonly #meter: Meter

  constructor(ledger: Ledger, meter: Meter) {
    this.#ledger = ledger
    this.#meter = meter
  }

  async hold(accountId: string, cost: number): Promise<boolean> {
    if (this.#meter.available(accountId) !== undefined && this.#meter.hold(accountId, cost)) return true
    return this.holdAfterLook(accountId, cost)
  }

  async holdAfterLook(accountId: string, cost: number): Promise<boolean> {
    await this.look(accountId)
    return this.#meter.hold(accountId, cost)
  }

  async look(accountId: string): Promise<void> {
    this.#meter.setBalance(accountId, await this.#ledger.balance(accountId))
  }
}
