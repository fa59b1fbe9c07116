import type { Transaction } from '../db.ts'
import { readAllCandles, writeCandles } from './candle-blocks.ts'
import { closesAt, intervalOf, type LEVELS, MONTHS, opensAt } from './candle-intervals.ts'

/** Unchanged buckets that a roll-up may include: reading them again costs less than another statement. */
const MAX_GAP_BUCKETS = 100

/** Updates the levels above `level` after its candles at these ascending times have changed. */
export async function rollUp(
  tx: Transaction,
  marketRef: number,
  level: number,
  times: Iterable<number>,
): Promise<void> {
  for (let above = level + 1; above <= MONTHS; above += 1) {
    const interval = intervalOf(above)
    for (const { from, to } of stretchesOf(interval, times)) {
      const parts = await readAllCandles(tx, marketRef, { level: above - 1, from, to })
      await writeCandles(tx, marketRef, above, parts.rollUp(interval))
    }
  }
}

/** Returns the ranges of buckets that contain the times, merging neighbouring ones. */
function stretchesOf(interval: (typeof LEVELS)[number], times: Iterable<number>): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = []
  let last: { from: number; to: number } | undefined
  for (const time of times) {
    if (last !== undefined && time < last.to) continue
    const from = opensAt(interval, time)
    const to = closesAt(interval, from)
    if (last !== undefined && from - last.to <= MAX_GAP_BUCKETS * (to - from)) {
      last.to = to
    } else {
      last = { from, to }
      stretches.push(last)
    }
  }
  return stretches
}
