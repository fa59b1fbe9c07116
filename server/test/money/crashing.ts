import type { Db } from '../../src/store/db.ts'

/** Called before and after everything that is awaited; throws where it is to break. */
export type Step = () => void

/** A process that dies at its n-th await: from then on nothing answers. */
export function crashAt(at: number): Step {
  let awaits = 0
  return () => {
    awaits += 1
    if (awaits >= at) throw new Error('the process is gone')
  }
}

/** A process that lives on when its n-th await fails. */
export function failAt(at: number): Step {
  let awaits = 0
  return () => {
    awaits += 1
    if (awaits === at) throw new Error('the connection broke')
  }
}

/** The engine as such a process sees it. */
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
