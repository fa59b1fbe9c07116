import type { Db, Queryable } from '../db.ts'

export type ReadOrder = ReturnType<typeof readOrderStore>

/**
 * Numbers the questions that are put to the payment processor about an object. Whoever asks later learns at least as
 * much, so an answer is applied only if no answer to a later question was: two instances, or a slow connection, cannot
 * bring an old state back.
 */
export function readOrderStore(db: Db) {
  return {
    /** To be called before asking; the number goes with the answer. */
    next(objectId: string): Promise<number> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<{ asked: number }>(
          `insert into processor_reads (object_id, asked, applied) values ($1, 1, 0)
           on conflict (object_id) do update set asked = processor_reads.asked + 1 returning asked`,
          [objectId],
        )
        if (row === undefined) throw new Error('a question was not numbered')
        return row.asked
      })
    },
  }
}

/** In the transaction that applies an answer. */
export async function isLatestRead(tx: Queryable, objectId: string, read: number): Promise<boolean> {
  const rows = await tx.query(
    'update processor_reads set applied = $2 where object_id = $1 and applied < $3 returning applied',
    [objectId, read, read],
  )
  return rows.length > 0
}
