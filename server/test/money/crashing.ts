import type { Db } from '../../src/store/db.ts'

/** A hook called before and after every await; throws at the point of failure. */
export type Step = () => void

/** A failure at the n-th await: either of that await alone, or of the process, so that all later awaits fail too. */
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

/** Wraps a database so that every query and transaction can fail. */
export function crashing(db: Db, step: Step): Db {
  const wrapped: Db = {
    ...db,
    get ledger() {
      return db.ledger === db ? wrapped : crashing(db.ledger, step)
    },
    // In this thread, so that its statements can fail as well.
    run: (procedure, argument) => wrapped.transaction((tx) => procedure.work(tx, argument)),
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
      // The transaction has committed, but its caller sees an error.
      step()
      return result
    },
  }
  return wrapped
}
