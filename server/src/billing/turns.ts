import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { SECOND } from '../model/time.ts'
import type { Store } from '../store/store.ts'

/** Longer than anything takes that is done in a turn: an instance that died in one must not keep it. */
const TURN_MS = 90 * SECOND
const LOOK_EVERY_MS = 100
const MAX_LOOKS = 200

/**
 * Lets what an account does at the processor happen one after the other, among all instances: it is several steps there,
 * and those of two must not mix. No connection to the store is held meanwhile.
 */
export class Turns {
  readonly #store: Store
  readonly #clock: Clock
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(deps: { store: Store; clock: Clock }) {
    this.#store = deps.store
    this.#clock = deps.clock
  }

  async take<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(accountId) ?? Promise.resolve()).then(() => this.#among(accountId, work))
    const over = turn.catch(() => {})
    this.#last.set(accountId, over)
    try {
      return await turn
    } finally {
      if (this.#last.get(accountId) === over) this.#last.delete(accountId)
    }
  }

  async #among<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    // No other process, no other turns.
    if (this.#store.exclusive) return work()
    const { billingTurns } = this.#store
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const now = this.#clock.now()
      const turn = await billingTurns.begin(accountId, now, now + TURN_MS)
      if (turn !== undefined) return work().finally(() => billingTurns.end(turn))
      await wait(LOOK_EVERY_MS)
    }
    throw new ApiError('BAD_REQUEST', 'Something else of this account is being changed; try again')
  }
}
