import type { Queryable } from '../db.ts'

/** Adds the missing count rows of assets, topics or publishers. */
export async function addCountRows(tx: Queryable, noun: 'asset' | 'topic' | 'publisher'): Promise<void> {
  await tx.query(
    `insert into ${noun}_counts (ref)
     select ref from ${noun}s where ref not in (select ref from ${noun}_counts) on conflict do nothing`,
  )
}

/** Returns the mean of scores summed in millionths; null without scores. */
export function meanSentiment(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round(sum / count / 100) / 10_000 + 0
}
