import { DAY } from '../../model/time.ts'
import type { Db } from '../db.ts'
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

export type SignInFailures = ReturnType<typeof signInFailuresStore>

export function signInFailuresStore(db: Db) {
  return {
    /**
     * Counts a failure of each subject before its outcome is known, so that concurrent attempts cannot pass together.
     * If `waitOf` returns a time for any of them, counts nothing and returns the longest one.
     */
    begin(
      subjects: readonly string[],
      now: number,
      waitOf: (failures: Failures) => number,
    ): Promise<{ waitMs: number } | { before: Failures[] }> {
      return db.transaction(async (tx) => {
        const params = new Params()
        const rows = await tx.query<Failures>(
          `select subject, failures, last_at as "lastAt" from sign_in_failures where subject in (${params.list(subjects)})`,
          params.values,
        )
        const known = new Map(
          rows.filter(({ lastAt }) => now - lastAt < REMEMBERED_MS).map((row) => [row.subject, row]),
        )
        const before = subjects.map((subject) => known.get(subject) ?? { subject, failures: 0, lastAt: 0 })
        const waitMs = Math.max(0, ...before.map(waitOf))
        if (waitMs > 0) return { waitMs }
        for (const { subject, failures } of before) {
          await tx.query(
            `insert into sign_in_failures (subject, failures, last_at) values ($1, $2, $3)
             on conflict (subject) do update set failures = excluded.failures, last_at = excluded.last_at`,
            [subject, failures + 1, now],
          )
        }
        return { before }
      }, 'sign-in failures')
    },

    /** Takes a failure back that was none. */
    undo({ subject, lastAt }: Failures, at: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(
          `update sign_in_failures set failures = failures - 1, last_at = case when last_at = $2 then $3 else last_at end
           where subject = $1 and failures > 0`,
          [subject, at, lastAt],
        )
      }, 'sign-in failures')
    },

    async forget(subject: string): Promise<void> {
      await db.transaction((tx) => tx.query('delete from sign_in_failures where subject = $1', [subject]))
    },

    /** Removes failures that no longer count. */
    removeOld: (now: number) =>
      removeInPortions(db, 'sign_in_failures', 'subject', 'last_at <= $1', now - REMEMBERED_MS),
  }
}
