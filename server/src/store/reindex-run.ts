import type { Db } from './db.ts'
import type { Lease } from './leases.ts'
import { saveProgress } from './progress.ts'

/** The last run that reads all entries again. */
export interface ReindexRun {
  /** Whether it should go on; false once it is complete, paused or failed. */
  isWanted: boolean
  /** The last entry to read. */
  total: number
  /** How many entries had other findings. */
  changed: number
  error: string | null
}

interface RunRow {
  is_wanted: number
  total: number
  changed: number
  error: string | null
}

export type ReindexRuns = ReturnType<typeof reindexRunStore>

export function reindexRunStore(db: Db) {
  return {
    async find(): Promise<ReindexRun | undefined> {
      const [row] = await db.query<RunRow>('select is_wanted, total, changed, error from reindex_run')
      return row && { isWanted: row.is_wanted === 1, total: row.total, changed: row.changed, error: row.error }
    },

    /** Wants a run, which continues the last one if that is not complete. */
    start(total: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(
          `insert into reindex_run (id, is_wanted, total, changed) values (1, 1, $1, 0)
           on conflict (id) do update set is_wanted = 1, total = excluded.total, error = null`,
          [total],
        )
      })
    },

    /** Wants no run any more. */
    end(error: string | null = null): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('update reindex_run set is_wanted = 0, error = $1', [error])
      })
    },

    /** Saves how far the run has come. Returns whether it should go on. Writes nothing if `lease` is lost. */
    save({ task, done, changed }: { task: string; done: number; changed: number }, lease: Lease): Promise<boolean> {
      return db.transaction(async (tx) => {
        await lease.verify(tx)
        await saveProgress(tx, [{ task, low: 0, high: done }])
        const [row] = await tx.query<{ is_wanted: number }>('update reindex_run set changed = $1 returning is_wanted', [
          changed,
        ])
        return row?.is_wanted === 1
      })
    },
  }
}
