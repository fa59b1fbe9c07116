import type { Db } from '../../src/store/db.ts'

/** Called before and after everything that is awaited; throws where it is to break. */
export type Step = () => void

/** Breaks at the n-th await: that one alone, or the process dies there and from then on nothing answers. */
export class Breakage {
  hasHappened = false
  readonly #at: number
  readonly #isEnd: boolean
  #awaits = 0

  constructor(at: number, isEnd = true) {
    this.#at = at
    this.#isEnd = isEnd
  }

  step: Step = () => {
    this.#awaits += 1
    if (this.#awaits < this.#at || (this.#awaits > this.#at && !this.#isEnd)) return
    this.hasHappened = true
    throw new Error(this.#isEnd ? 'the process is gone' : 'the connection broke')
  }
}

/** The engine as a process sees it that breaks. */
export function crashing(db: Db, step: Step): Db {
  return {
    ...db,
    async query(sql, params) {
      step()
      return db.query(sql, params)
    },
    async transaction(work, lock) {
      step()
      const result = await db.transaction(async (tx) => {
        const done = await work({
          ...tx,
          async query(sql, params) {
            step()
            return tx.query(sql, params)
          },
        })
        step()
        return done
      }, lock)
      // Committed, but nobody hears of it.
      step()
      return result
    },
  }
}
