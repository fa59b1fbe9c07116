import { createHash } from 'node:crypto'
import type { Db, Queryable, Transaction } from './db.ts'
import type { Lease } from './leases.ts'
import { forEachChunk } from './lists/refs.ts'
import { type IndexedRange, saveProgress } from './progress.ts'
import { together } from './sql.ts'

/** Version 0.8 is the first whose searches go on until they have found as many neighbours as were asked for. */
const OLDEST_MINOR = 8
/** The longest vectors that an HNSW index takes; longer ones are compared one by one. */
const MAX_INDEXED_LENGTH = 4_000
/** The number of candidates that a search collects at a time: more find the nearest more reliably. */
const CANDIDATES = 512
const MAX_CANDIDATES = 1_000

const RANGE_TASK = 'pgvector:'
const CHANGES_TASK = 'pgvector-changes:'

/** An index of vectors in the database. */
export interface PgvectorIndex extends IndexedRange {
  /** The length of its vectors; null if it has none yet. */
  length: number | null
}

export type Pgvector = ReturnType<typeof pgvectorStore>

/**
 * Indexes of vectors in PostgreSQL, if it has the extension pgvector: a table per model, which exists from the first
 * vector on. Its progress is saved with the vectors, under a lease of its writer.
 */
export function pgvectorStore(db: Db) {
  return {
    /** Creates the extension if the server has it. `problem` says why an extension cannot be used, and what to do. */
    async prepare(): Promise<{ isReady: boolean; problem?: string }> {
      if (db.engine === 'sqlite') return { isReady: false }
      const [extension] = await db.query<{ installed: string | null; available: string }>(
        `select installed_version as installed, default_version as available
         from pg_available_extensions where name = 'vector'`,
      )
      if (extension === undefined) return { isReady: false }
      const problem = (await problemOf(db, extension)) ?? (await problemOfSchema(db))
      return problem === undefined ? { isReady: true } : { isReady: false, problem }
    },

    /** Lists the models that have an index. */
    async listModels(): Promise<string[]> {
      const rows = await db.query<{ task: string }>('select task from feed_progress where task like $1', [
        `${RANGE_TASK}%`,
      ])
      return rows.map(({ task }) => task.slice(RANGE_TASK.length))
    },

    async find(model: string): Promise<PgvectorIndex | undefined> {
      const [row] = await db.query<PgvectorIndex>(
        `select r.low, r.high, c.high as changes, (${LENGTH}) as length
         from feed_progress r join feed_progress c on c.task = $3 where r.task = $2`,
        [tableOf(model), RANGE_TASK + model, CHANGES_TASK + model],
      )
      return row
    },

    /** Removes the index of a model. */
    drop(model: string): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(`drop table if exists ${tableOf(model)}`)
        await tx.query('delete from feed_progress where task in ($1, $2)', [RANGE_TASK + model, CHANGES_TASK + model])
      })
    },

    /** Removes all vectors. */
    reset(model: string, to: IndexedRange, lease: Lease): Promise<void> {
      return db.transaction(async (tx) => {
        await lease.verify(tx)
        await tx.query(`drop table if exists ${tableOf(model)}`)
        await save(tx, model, to)
      })
    },

    /** Removes vectors. */
    remove(model: string, seqs: readonly number[], lease: Lease): Promise<void> {
      return db.transaction(async (tx) => {
        await lease.verify(tx)
        if ((await lengthOf(tx, model)) === null) return
        await forEachChunk(seqs, async (params, list) => {
          await tx.query(`delete from ${tableOf(model)} where seq in (${list})`, params.values)
        })
      })
    },

    /** Adds vectors and saves what the index covers then. Skips vectors of another length than the first. */
    add(
      model: string,
      vectors: readonly { seq: number; vector: Float32Array }[],
      done: IndexedRange,
      lease: Lease,
    ): Promise<void> {
      const work = async (tx: Transaction) => {
        await lease.verify(tx)
        const [first] = vectors
        if (first !== undefined) {
          const length = (await lengthOf(tx, model)) ?? (await createTable(tx, model, first.vector.length))
          const rows = vectors.filter(({ vector }) => vector.length === length)
          await tx.insert(
            tableOf(model),
            ['seq', 'vector'],
            rows.map(({ seq, vector }) => [seq, halfvecOf(vector)]),
            'on conflict (seq) do nothing',
          )
        }
        await save(tx, model, done)
      }
      return db.transaction(work, undefined, true)
    },

    /** Returns the nearest vectors of the index, whose vectors must have the same length. */
    async nearest(
      model: string,
      vector: Float32Array,
      count: number,
    ): Promise<readonly { seq: number; similarity: number }[]> {
      // A literal, by which the planner knows that few rows are read, and one of few, so that few statements are prepared.
      const limit = 2 ** Math.ceil(Math.log2(Math.max(1, count)))
      const candidates = Math.min(MAX_CANDIDATES, Math.max(CANDIDATES, limit))
      const [, rows] = await db.transaction((tx) =>
        together([
          tx.query(
            `select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'strict_order', true)`,
            [String(candidates)],
          ),
          tx.query<{ seq: number; similarity: number }>(
            `select seq, 1 - (vector <=> $1::halfvec) as similarity from ${tableOf(model)}
             order by vector <=> $1::halfvec limit ${limit}`,
            [halfvecOf(vector)],
          ),
        ]),
      )
      // A vector of zeros, which stands for a text without meaning, has no cosine.
      return rows.slice(0, count).map(({ seq, similarity }) => ({ seq, similarity: similarity || 0 }))
    },
  }
}

/** Creates the extension; returns the reason if that fails or the extension is too old. */
async function problemOf(
  db: Db,
  { installed, available }: { installed: string | null; available: string },
): Promise<string | undefined> {
  if (!isRecent(installed ?? available)) {
    const update = installed === null ? '' : ', then run "alter extension vector update" in this database'
    return `pgvector ${installed ?? available} is too old; install 0.${OLDEST_MINOR} or newer${update}`
  }
  if (installed !== null) return undefined
  try {
    // Locked, because of two instances that create it at the same time one would fail.
    await db.transaction((tx) => tx.query('create extension if not exists vector'), 'pgvector')
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `${reason}; run "create extension vector" in this database as a superuser, then restart`
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return major > 0 || minor >= OLDEST_MINOR
}

async function problemOfSchema(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ isVisible: boolean }>(`select to_regtype('halfvec') is not null as "isVisible"`)
  return row?.isVisible ? undefined : 'the schema of the extension vector is not in the search_path of this role'
}

/** A name that is short enough and needs no quotes, whatever the name of the model. */
const tableOf = (model: string) => `vector_index_${createHash('sha256').update(model).digest('hex').slice(0, 16)}`

/** SQL for the declared length of the vectors in the table $1, or null if there is no such table. */
const LENGTH = `select atttypmod from pg_attribute
  where attrelid = to_regclass($1) and attname = 'vector' and not attisdropped`

async function lengthOf(tx: Queryable, model: string): Promise<number | null> {
  const [row] = await tx.query<{ atttypmod: number }>(LENGTH, [tableOf(model)])
  return row?.atttypmod ?? null
}

async function createTable(tx: Transaction, model: string, length: number): Promise<number> {
  const table = tableOf(model)
  await tx.query(`create table ${table} (seq bigint primary key, vector halfvec(${length}) not null)`)
  if (length <= MAX_INDEXED_LENGTH) {
    // Out of line, vectors would look cheaper to scan than they are.
    await tx.query(`alter table ${table} alter column vector set storage plain`)
    await tx.query(`create index on ${table} using hnsw (vector halfvec_cosine_ops)`)
  }
  return length
}

function save(tx: Transaction, model: string, { low, high, changes }: IndexedRange): Promise<void> {
  return saveProgress(tx, [
    { task: RANGE_TASK + model, low, high },
    { task: CHANGES_TASK + model, low: 0, high: changes },
  ])
}

/** Returns a vector in the binary format of the type: its length, two unused bytes, and the numbers, big-endian. */
function halfvecOf(vector: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(4 + 2 * vector.length)
  bytes.writeUInt16BE(vector.length)
  Buffer.from(new Float16Array(vector).buffer).swap16().copy(bytes, 4)
  return bytes
}
