import type { Queryable } from '../db.ts'
import { MAX_SEQ, type SeqRange, type Spans } from '../lists/feed-list.ts'
import type { PlacedEntry } from './entry-sides.ts'

/** The number of entries per row of entry_spans. */
const SPAN = 1_024

/** Finds spans by their range of publication times, so that a filter on it skips the other parts of the feed. */
export const ENTRY_SPANS: Spans = {
  column: 'published_at',
  async find(db, { least, most }): Promise<SeqRange> {
    const spanWith = async (condition: string, direction: 'asc' | 'desc', time: unknown) => {
      const [row] = await db.query<{ span: number }>(
        `select span from entry_spans where ${condition} $1 order by span ${direction} limit 1`,
        [Number(time)],
      )
      return row?.span
    }
    const first = least === undefined ? 0 : await spanWith('published_max >=', 'asc', least)
    const last = most === undefined ? MAX_SEQ : await spanWith('published_min <=', 'desc', most)
    // No span reaches the bound: nothing matches.
    if (first === undefined || last === undefined) return { low: MAX_SEQ, high: -1 }
    return { low: first * SPAN - 1, high: last * SPAN + SPAN - 1 }
  },
}

export async function extendSpans(tx: Queryable, entries: readonly PlacedEntry[]): Promise<void> {
  const spans = new Map<number, { min: number; max: number }>()
  for (const { seq, publishedAt } of entries) {
    const number = Math.floor(seq / SPAN)
    const span = spans.get(number)
    spans.set(number, {
      min: Math.min(span?.min ?? publishedAt, publishedAt),
      max: Math.max(span?.max ?? publishedAt, publishedAt),
    })
  }
  for (const [span, { min, max }] of spans) {
    await tx.query(
      `insert into entry_spans (span, published_min, published_max) values ($1, $2, $3)
       on conflict (span) do update set
         published_min = case when excluded.published_min < entry_spans.published_min
           then excluded.published_min else entry_spans.published_min end,
         published_max = case when excluded.published_max > entry_spans.published_max
           then excluded.published_max else entry_spans.published_max end`,
      [span, min, max],
    )
  }
}
