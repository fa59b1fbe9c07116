import type { Queryable } from '../db.ts'

/** Gives every asset, topic or publisher that has none its row of counts. */
export async function addCountRows(tx: Queryable, noun: 'asset' | 'topic' | 'publisher'): Promise<void> {
  await tx.query(
    `insert into ${noun}_counts (ref)
     select ref from ${noun}s where ref not in (select ref from ${noun}_counts) on conflict do nothing`,
  )
}

/** Of scores summed in millionths; null when there is none. */
export function meanSentiment(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round(sum / count / 100) / 10_000 + 0
}
