import type { BulkLoad, Db, Queryable } from '../db.ts'
import { together } from '../sql.ts'

/** Held by a transaction of the loading process, so that it is released when the process dies. */
const LOCK = 'bulk load'
/** For each of the indexes that are built at the same time. */
const BUILD_MEMORY = '256MB'
/** The index of words takes as long as all others together, and PostgreSQL builds it in one process. */
const BUILDS_AT_ONCE = 2

type BulkDb = Pick<Db, 'query' | 'transaction'>

/**
 * Runs `work` without the secondary indexes of its tables and builds them at the end, which is several times faster than
 * extending them. During a load the table `bulk_indexes` lists the dropped indexes; if the process is killed, the next one
 * to open the store builds them. Other instances may read and write meanwhile, only more slowly.
 */
export async function bulkLoad<T>(db: BulkDb, load: BulkLoad, work: () => Promise<T>): Promise<T> {
  // Settled, because a transaction that fails may be repeated.
  const [outcome] = await holdingLock(db, (isHeld) =>
    Promise.allSettled([isHeld ? withoutIndexes(db, load, work) : work()]),
  )
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

async function withoutIndexes<T>(
  db: BulkDb,
  { tables, searchTable, onStep }: BulkLoad,
  work: () => Promise<T>,
): Promise<T> {
  await buildIndexes(db)
  await dropIndexes(db, [...tables, searchTable])
  try {
    return await work()
  } finally {
    await buildIndexes(db, onStep)
  }
}

/** Builds the indexes that a killed process has left undone. */
export async function repairBulkLoad(db: BulkDb): Promise<void> {
  if (await isLoading(db)) await holdingLock(db, (isHeld) => (isHeld ? buildIndexes(db) : Promise.resolve()))
}

/** Runs `work` in a transaction that keeps other processes from bulk loads, unless another process is loading. */
function holdingLock<T>(db: BulkDb, work: (isHeld: boolean) => Promise<T>): Promise<T> {
  return db.transaction(
    async (holder) => {
      const [row] = await holder.query<{ held: boolean }>('select pg_try_advisory_xact_lock(hashtext($1)) as held', [
        LOCK,
      ])
      return work(row?.held ?? false)
    },
    undefined,
    true,
  )
}

async function isLoading(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ name: string | null }>("select to_regclass('bulk_indexes') as name")
  return row?.name != null
}

/** Partial and unique indexes stay: inserts and queries during the load use them. */
async function dropIndexes(db: BulkDb, tables: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('create table bulk_indexes (name text primary key, sql text not null)')
    for (const table of tables) {
      await tx.query(
        `insert into bulk_indexes (name, sql)
         select indexrelid::regclass, pg_get_indexdef(indexrelid) from pg_index
         where indrelid = to_regclass($1) and not indisunique and indpred is null`,
        [table],
      )
    }
    const dropped = await tx.query<{ name: string }>('select name from bulk_indexes')
    for (const { name } of dropped) await tx.query(`drop index ${name}`)
  })
}

async function buildIndexes(db: BulkDb, onStep?: (step: string) => void): Promise<void> {
  if (!(await isLoading(db))) return
  const missing = await db.query<{ name: string; sql: string }>(
    "select name, sql from bulk_indexes order by sql like '% USING gin %' desc, name",
  )
  const left = missing.entries()
  const build = async () => {
    for (const [index, { name, sql }] of left) {
      onStep?.(`index ${index + 1} of ${missing.length}`)
      await buildIndex(db, name, sql)
    }
  }
  await together(Array.from({ length: BUILDS_AT_ONCE }, build))
  await db.transaction((tx) => tx.query('drop table bulk_indexes'))
}

/** Builds an index in a transaction of its own, so that another crash does not repeat it. */
async function buildIndex(db: BulkDb, name: string, sql: string): Promise<void> {
  await db.transaction(
    async (tx) => {
      await tx.query(`set local maintenance_work_mem = '${BUILD_MEMORY}'`)
      await tx.query(sql)
      await tx.query('delete from bulk_indexes where name = $1', [name])
    },
    undefined,
    true,
  )
}
