import type { Db, Transaction } from './db.ts'
import type { Lease } from './leases.ts'

/** A task that follows the feed of entries is done with those with low < seq <= high. */
export interface Done {
  low: number
  high: number
}

export interface TaskProgress extends Done {
  task: string
}

const SEEDED = 'seeded:'

export type FeedProgress = ReturnType<typeof progressStore>

/** How far tasks that follow the feed of entries have come. */
export function progressStore(db: Db) {
  return {
    async find(task: string): Promise<Done | undefined> {
      const [row] = await db.query<Done>('select low, high from feed_progress where task = $1', [task])
      return row
    },

    /** The tasks whose names begin so. */
    list: (start: string): Promise<TaskProgress[]> =>
      db.query('select task, low, high from feed_progress where task like $1', [`${start}%`]),

    /** Writes nothing if `lease` is lost. */
    save(task: string, done: Done, lease?: Lease): Promise<void> {
      return db.transaction(async (tx) => {
        await lease?.verify(tx)
        await saveProgress(tx, [{ task, ...done }])
      })
    },

    /** Saves the progress of tasks that have none yet. */
    saveNew: (progress: readonly TaskProgress[]): Promise<void> =>
      db.transaction((tx) => insertProgress(tx, progress, 'on conflict do nothing')),

    /** Says that the entries from `first` to `last` were made for load tests: no task need look at them. */
    addSeeded(first: number, last: number): Promise<void> {
      return this.save(`${SEEDED}${first}`, { low: first - 1, high: last })
    },

    /** In the order of the feed. */
    listSeeded: () => db.query<Done>(`select low, high from feed_progress where task like '${SEEDED}%' order by low`),

    /** From now on they are entries like others. */
    forgetSeeded: () => removeAll(db, SEEDED),

    /** Forgets the tasks whose names begin so. */
    removeAll: (start: string) => removeAll(db, start),

    remove(task: string): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('delete from feed_progress where task = $1', [task])
      })
    },
  }
}

export function saveProgress(tx: Transaction, progress: readonly TaskProgress[]): Promise<void> {
  return insertProgress(tx, progress, 'on conflict (task) do update set low = excluded.low, high = excluded.high')
}

function insertProgress(tx: Transaction, progress: readonly TaskProgress[], onConflict: string): Promise<void> {
  const rows = progress.map(({ task, low, high }) => [task, low, high])
  return tx.insert('feed_progress', ['task', 'low', 'high'], rows, onConflict)
}

function removeAll(db: Db, start: string): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('delete from feed_progress where task like $1', [`${start}%`])
  })
}
