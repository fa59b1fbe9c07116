import { DAY } from '../src/model/time.ts'
import { createRandom, createSeriesId } from '../src/sample/world/random.ts'

const BATCH = 2_000
const ROWS_PER_DAY = 2_000

/** What makes a row differ from the sample row that it is a copy of. */
export interface Copy {
  /** How often the whole sample was copied before. */
  round: number
  /** The id, in the same round, of the copy of the sample row with this id. */
  id(of: string): string
  at: number
  /** A number not far from this one, with so many decimals. */
  near(value: number, decimals?: number): number
}

/**
 * Makes `count` rows out of those of the sample, over and over, and inserts them in batches. Their times are spread evenly,
 * up to a day out of order, and reach further back the more rows there are; every value keeps its share of the rows.
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

/** Values from the most common to the rarest. */
export function byFrequency(values: readonly (string | null)[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
}

/** The most common value, as part of a URL. */
export const most = <T>(rows: readonly T[], value: (row: T) => string | null): string =>
  encodeURIComponent(byFrequency(rows.map(value))[0] ?? '')
