import type { Db, Queryable } from './db.ts'
import { LAST_CHANGE } from './entries/entry-changes.ts'
import type { Feed } from './lists/feeds.ts'
import { forEachChunk } from './lists/refs.ts'

interface EntryVector {
  seq: number
  vector: Float32Array
}

export type Vectors = ReturnType<typeof vectorsStore>

/** A vector of the text that an entry had after its change `lastChange`. */
interface NewVector extends EntryVector {
  lastChange: number
}

/** Embeddings of entries, one vector per entry. `entries` is their feed. */
export function vectorsStore(db: Db, entries: Feed) {
  return {
    /** Writes vectors, which replace those of other models, except of entries that were changed or removed meanwhile. */
    upsert(model: string, vectors: readonly NewVector[]): Promise<void> {
      return db.transaction(async (tx) => {
        await entries.lock(tx)
        const current = await listLastChanges(tx, vectors)
        await tx.insert(
          'entry_vectors',
          ['seq', 'model', 'vector'],
          vectors
            .filter(({ seq, lastChange }) => current.get(seq) === lastChange)
            .map(({ seq, vector }) => [seq, model, bytesOf(vector)]),
          'on conflict (seq) do update set model = excluded.model, vector = excluded.vector',
        )
      })
    },

    /** Lists vectors with from < seq <= to. */
    async list(
      model: string,
      range: { from: number; to: number; limit: number; order: 'asc' | 'desc' },
    ): Promise<EntryVector[]> {
      const rows = await db.query<VectorRow>(
        `select seq, vector from entry_vectors where seq > $1 and seq <= $2 and model = $3
         order by seq ${range.order} limit ${Math.trunc(range.limit)}`,
        [range.from, range.to, model],
      )
      return rows.map(vectorOf)
    },

    listBySeq: (model: string, seqs: readonly number[]): Promise<EntryVector[]> => listBySeq(db, model, seqs),
  }
}

async function listLastChanges(tx: Queryable, vectors: readonly NewVector[]): Promise<Map<number, number>> {
  const changes = new Map<number, number>()
  const seqs = vectors.map(({ seq }) => seq)
  await forEachChunk(seqs, async (params, list) => {
    const rows = await tx.query<{ seq: number; change: number }>(
      `select e.seq, ${LAST_CHANGE} as change from entries e where e.seq in (${list})`,
      params.values,
    )
    for (const { seq, change } of rows) changes.set(seq, change)
  })
  return changes
}

async function listBySeq(db: Db, model: string, seqs: readonly number[]): Promise<EntryVector[]> {
  const found: EntryVector[] = []
  await forEachChunk(seqs, async (params, list) => {
    const rows = await db.query<VectorRow>(
      `select seq, vector from entry_vectors where seq in (${list}) and model = ${params.add(model)}`,
      params.values,
    )
    for (const row of rows) found.push(vectorOf(row))
  })
  return found
}

interface VectorRow {
  seq: number
  vector: Uint8Array
}

// Constructors, not `from`, which converts number by number and takes many times as long.
const bytesOf = (vector: Float32Array) => new Uint8Array(new Float16Array(vector).buffer)

function vectorOf({ seq, vector }: VectorRow): EntryVector {
  // Copied, because the bytes may not be aligned for a Float16Array.
  return { seq, vector: new Float32Array(new Float16Array(new Uint8Array(vector).buffer)) }
}
