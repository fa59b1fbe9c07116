import type { Db, Transaction } from './db.ts'
import type { Lease } from './leases.ts'

/** The entries that a task has processed: low < seq <= high. */
export interface DoneRange {
  low: number
  high: number
}

/** The part of the feed that an index covers, and the last change of an entry that it has followed. */
export interface IndexedRange extends DoneRange {
  changes: number
}

export interface TaskProgress extends DoneRange {
  task: string
}

const SEEDED = 'seeded:'

export type FeedProgress = ReturnType<typeof progressStore>

/** Checkpoints of the tasks that follow the feed of entries. */
export function progressStore(db: Db) {
  return {
    async find(task: string): Promise<DoneRange | undefined> {
      const [row] = await db.query<DoneRange>('select low, high from feed_progress where task = $1', [task])
      return row
    },

    /** Lists the tasks whose names start with `start`. */
    list: (start: string): Promise<TaskProgress[]> =>
      db.query('select task, low, high from feed_progress where task like $1', [`${start}%`]),

    /** Writes nothing if `lease` is lost. */
    save(task: string, done: DoneRange, lease?: Lease): Promise<void> {
      return db.transaction(async (tx) => {
        await lease?.verify(tx)
        await saveProgress(tx, [{ task, ...done }])
      })
    },

    /** Saves the progress of tasks that have none yet. */
    saveNew: (progress: readonly TaskProgress[]): Promise<void> =>
      db.transaction((tx) => insertProgress(tx, progress, 'on conflict do nothing')),

    /** Marks the entries from `first` to `last` as load-test entries, which tasks skip. */
    addSeeded(first: number, last: number): Promise<void> {
      return this.save(`${SEEDED}${first}`, { low: first - 1, high: last })
    },

    /** Lists the ranges of load-test entries, in the order of the feed. */
    listSeeded: () =>
      db.query<DoneRange>(`select low, high from feed_progress where task like '${SEEDED}%' order by low`),

    /** Removes the marks of load-test entries. */
    forgetSeeded: () => removeAll(db, SEEDED),

    /** Removes the tasks whose names start with `start`. */
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

async function insertProgress(tx: Transaction, progress: readonly TaskProgress[], onConflict: string): Promise<void> {
  const rows = progress.map(({ task, low, high }) => [task, low, high])
  await tx.insert('feed_progress', ['task', 'low', 'high'], rows, onConflict)
}

function removeAll(db: Db, start: string): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('delete from feed_progress where task like $1', [`${start}%`])
  })
}
