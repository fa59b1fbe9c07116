import type { Db } from './db.ts'

/** A task that follows the feed of entries is done with those with low < seq <= high. */
export interface Done {
  low: number
  high: number
}

export type Progress = ReturnType<typeof progressStore>

/** How far tasks that follow the feed of entries have come. */
export function progressStore(db: Db) {
  return {
    async find(task: string): Promise<Done | undefined> {
      const [row] = await db.query<Done>('select low, high from feed_progress where task = $1', [task])
      return row
    },

    save(task: string, { low, high }: Done): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(
          `insert into feed_progress (task, low, high) values ($1, $2, $3)
           on conflict (task) do update set low = excluded.low, high = excluded.high`,
          [task, low, high],
        )
      })
    },

    /** Says that the entries up to `high` need not be looked at. */
    async skipTo(task: string, high: number): Promise<void> {
      const done = await this.find(task)
      await this.save(task, { low: done?.low ?? 0, high })
    },

    remove(task: string): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('delete from feed_progress where task = $1', [task])
      })
    },
  }
}
