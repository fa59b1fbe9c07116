import type { Clock } from '../clock.ts'
import { HOUR, isoTime } from '../model/time.ts'
import { DEMO_POOL_CREDITS } from '../plans/plans.ts'
import type { Ledger } from '../store/accounts/ledger.ts'
import { reloadBalance } from './credits.ts'
import type { Meter } from './meter.ts'

/** Spec 5: demo callers get at most this many items of any list. */
export const DEMO_LIST_CAP = 3

/** Replaces the credits of the demo account with a full pool at the top of every UTC hour. */
export class DemoPool {
  readonly #ledger: Ledger
  readonly #meter: Meter
  readonly #clock: Clock
  #filled: { hour: number; done: Promise<void> } | undefined

  constructor(ledger: Ledger, meter: Meter, clock: Clock) {
    this.#ledger = ledger
    this.#meter = meter
    this.#clock = clock
  }

  /** Resolves once the pool of this hour is full. */
  refill(accountId: string): Promise<void> {
    const hour = Math.floor(this.#clock.now() / HOUR)
    if (this.#filled?.hour !== hour) {
      const filled = { hour, done: this.#fill(accountId, hour) }
      this.#filled = filled
      filled.done.catch(() => {
        if (this.#filled === filled) this.#filled = undefined
      })
    }
    return this.#filled.done
  }

  secondsToRefill(): number {
    return Math.ceil((HOUR - (this.#clock.now() % HOUR)) / 1_000)
  }

  async #fill(accountId: string, hour: number): Promise<void> {
    const at = hour * HOUR
    await this.#ledger.replaceLot(
      {
        accountId,
        credits: DEMO_POOL_CREDITS,
        kind: 'grant',
        description: 'Demo pool of the hour',
        idempotencyKey: `demo:${isoTime(at)}`,
        at,
        periodEnd: at + HOUR,
      },
      'demo',
    )
    await reloadBalance(accountId, this.#ledger, this.#meter)
  }
}
