import type { Db, Queryable } from '../db.ts'

export type ReadOrder = ReturnType<typeof readOrderStore>

/**
 * Numbers the reads of an object at the payment processor. A later read returns at least as recent a state, so the
 * result of a read is applied only if no later read has been applied. Neither another instance nor a slow connection
 * can then bring an old state back.
 */
export function readOrderStore(db: Db) {
  return {
    /** Returns the number of a read; call it before sending the request. */
    next(objectId: string): Promise<number> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<{ asked: number }>(
          `insert into processor_reads (object_id, asked, applied) values ($1, 1, 0)
           on conflict (object_id) do update set asked = processor_reads.asked + 1 returning asked`,
          [objectId],
        )
        if (row === undefined) throw new Error(`failed to number a read of ${objectId}`)
        return row.asked
      })
    },
  }
}

/** Marks the read as applied, in the transaction that applies it. Returns false if a later read was applied before. */
export async function markReadApplied(tx: Queryable, objectId: string, read: number): Promise<boolean> {
  const rows = await tx.query(
    'update processor_reads set applied = $2 where object_id = $1 and applied < $3 returning applied',
    [objectId, read, read],
  )
  return rows.length > 0
}
