import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger } from '../store/accounts/ledger.ts'
import type { Holder, Meter } from './meter.ts'

/** How long a request waits for requests of other instances to release their holds, or to be charged. */
const CONTENDED_MS = [10, 30, 100, 200]

/** Holds credits. Reloads the balance from the store before refusing, because the meter may have missed a grant. */
export class Credits {
  readonly #ledger: Ledger
  readonly #meter: Meter
  readonly #holder: Holder

  constructor(ledger: Ledger, meter: Meter, holder: Holder) {
    this.#ledger = ledger
    this.#meter = meter
    this.#holder = holder
  }

  async hold(accountId: string, cost: number): Promise<boolean> {
    if (this.#meter.available(accountId) !== undefined && this.#meter.hold(accountId, cost, this.#holder)) return true
    return this.holdAfterReload(accountId, cost)
  }

  async holdAfterReload(accountId: string, cost: number): Promise<boolean> {
    await this.reload(accountId)
    return this.#meter.hold(accountId, cost, this.#holder) || this.#holdContended(accountId, cost)
  }

  /**
   * Holds credits that requests in progress hold too. A charge of another instance may be in the balance already while its
   * hold is not yet released, so a refusal could be wrong; the store will decide.
   */
  async #holdContended(accountId: string, cost: number): Promise<boolean> {
    for (const waitMs of CONTENDED_MS) {
      if (!this.#meter.isContended(accountId, cost)) return false
      await delay(waitMs)
      await this.reload(accountId)
      if (this.#meter.hold(accountId, cost, this.#holder)) return true
    }
    if (this.#holder === 'streams' || !this.#meter.isContended(accountId, cost)) return false
    this.#meter.holdAnyway(accountId, cost)
    return true
  }

  /** Returns whether `hold` would succeed. */
  async covers(accountId: string, cost: number): Promise<boolean> {
    if (this.#meter.available(accountId) !== undefined && this.#meter.covers(accountId, cost)) return true
    await this.reload(accountId)
    return this.#meter.covers(accountId, cost)
  }

  reload(accountId: string): Promise<void> {
    return reloadBalance(accountId, this.#ledger, this.#meter)
  }
}

/** Sets the balance of the meter to that of the store, unless a charge that was answered meanwhile is newer. */
export async function reloadBalance(accountId: string, ledger: Ledger, meter: Meter): Promise<void> {
  const before = meter.lastTransfer(accountId)
  const balance = await ledger.lastBalance(accountId)
  const known = meter.lastTransfer(accountId)
  // A charge that was answered during the read may be missing from it.
  const isOlder = known !== undefined && known !== before && known > balance.transferId
  if (!isOlder) await meter.setBalance(accountId, balance)
}
