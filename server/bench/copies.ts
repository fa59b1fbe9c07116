import { DAY } from '../src/model/time.ts'
import { createRandom, createSeriesId } from '../src/sample/world/random.ts'

const BATCH = 2_000
const ROWS_PER_DAY = 2_000

/** Values in which a copy differs from its sample row. */
export interface Copy {
  /** The number of complete copies of the sample before this one. */
  round: number
  /** Returns the id that a sample row has in this round. */
  id(of: string): string
  at: number
  /** Returns a random number close to `value`. */
  near(value: number, decimals?: number): number
}

/**
 * Inserts `count` copies of the sample rows in batches, cycling through the sample, so that every value keeps its
 * share. Times are spread evenly with up to a day of disorder, and reach further back the more rows there are.
 */
export async function insertCopies<Row, New>(
  rows: readonly Row[],
  { count, now, idOf }: { count: number; now: number; idOf(row: Row): string },
  make: (row: Row, copy: Copy) => New,
  insert: (batch: readonly New[]) => Promise<unknown>,
): Promise<void> {
  const places = new Map(rows.map((row, place) => [idOf(row), place]))
  const seriesId = createSeriesId('bench')
  const random = createRandom('bench')
  const near = (value: number, decimals = 2) => Number((value * random.between(0.5, 1)).toFixed(decimals))
  let batch: New[] = []
  for (let round = 0; round * rows.length < count; round += 1) {
    const first = round * rows.length
    const id = (of: string) => seriesId(first + (places.get(of) ?? Number.NaN))
    for (const [place, row] of rows.slice(0, count - first).entries()) {
      const daysAgo = (count - first - place) / ROWS_PER_DAY + random.next()
      batch.push(make(row, { round, id, at: Math.floor(now - daysAgo * DAY), near }))
      if (batch.length < BATCH) continue
      await insert(batch)
      batch = []
    }
  }
  if (batch.length > 0) await insert(batch)
}

/** Returns the distinct values, most common first. */
export function byFrequency(values: readonly (string | null)[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
}

/** Returns the most common value, URL-encoded. */
export const mostCommon = <T>(rows: readonly T[], value: (row: T) => string | null): string =>
  encodeURIComponent(byFrequency(rows.map(value))[0] ?? '')
