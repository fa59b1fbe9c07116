import { DAY } from '../../model/time.ts'
import type { Db, Queryable } from '../db.ts'
import { Params } from '../sql.ts'
import { removeInPortions } from './sessions.ts'

/** Failed attempts of a subject: an address, a user or a browser. */
export interface Failures {
  subject: string
  failures: number
  lastAt: number
}

/** Failures count for a day after the last one. */
export const REMEMBERED_MS = DAY

/** The lock of transactions that count. */
const LOCK = 'sign-in failures'

export type SignInFailures = ReturnType<typeof signInFailuresStore>

export function signInFailuresStore(db: Db) {
  return {
    /**
     * Counts a failure of each subject before its outcome is known, so that concurrent attempts cannot pass together.
     * If `waitOf` returns a time for any of them, counts nothing and returns the longest one.
     */
    async begin(
      subjects: readonly string[],
      now: number,
      waitOf: (failures: Failures) => number,
    ): Promise<{ waitMs: number } | { before: Failures[] }> {
      const longestOf = (known: readonly Failures[]) => Math.max(0, ...known.map(waitOf))
      // Without a transaction first: attempts during a pause must not hold up charges.
      const pause = longestOf(await readFailures(db, subjects, now))
      if (pause > 0) return { waitMs: pause }
      return db.transaction(async (tx) => {
        const before = await readFailures(tx, subjects, now)
        const waitMs = longestOf(before)
        if (waitMs > 0) return { waitMs }
        for (const { subject, failures } of before) {
          await tx.query(
            `insert into sign_in_failures (subject, failures, last_at) values ($1, $2, $3)
             on conflict (subject) do update set failures = excluded.failures, last_at = excluded.last_at`,
            [subject, failures + 1, now],
          )
        }
        return { before }
      }, LOCK)
    },

    /** Takes failures back that were none, or forgets all of a subject. `at` is the time when they began. */
    takeBack(before: readonly Failures[], at: number, isForgotten: (failures: Failures) => boolean): Promise<void> {
      return db.transaction(async (tx) => {
        for (const known of before) {
          if (isForgotten(known)) await tx.query('delete from sign_in_failures where subject = $1', [known.subject])
          else {
            await tx.query(
              `update sign_in_failures
               set failures = failures - 1, last_at = case when last_at = $2 then $3 else last_at end
               where subject = $1 and failures > 0`,
              [known.subject, at, known.lastAt],
            )
          }
        }
      }, LOCK)
    },

    /** Removes failures that no longer count. */
    removeOld: (now: number) =>
      removeInPortions(db, 'sign_in_failures', 'subject', 'last_at <= $1', now - REMEMBERED_MS),
  }
}

/** Returns the failures of each subject that still count. */
async function readFailures(db: Queryable, subjects: readonly string[], now: number): Promise<Failures[]> {
  const params = new Params()
  const rows = await db.query<Failures>(
    `select subject, failures, last_at as "lastAt" from sign_in_failures where subject in (${params.list(subjects)})`,
    params.values,
  )
  const known = new Map(rows.filter(({ lastAt }) => now - lastAt < REMEMBERED_MS).map((row) => [row.subject, row]))
  return subjects.map((subject) => known.get(subject) ?? { subject, failures: 0, lastAt: 0 })
}
