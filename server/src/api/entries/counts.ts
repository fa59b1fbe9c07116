import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { DEMO_LIST_CAP } from '../../admission/demo.ts'
import { filtersOf } from '../../http/params.ts'
import type { COUNT_INTERVALS, EntryCount } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import { DAY, HOUR, isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { EntryCount as StoredCount } from '../../store/entries/entry-counts.ts'
import type { EntryParams } from '../../store/entries/entry-filters.ts'
import type { Services } from '../services.ts'
import type { EntryCountQuery } from './schema.ts'

/** The number of intervals that one response covers. */
export const MAX_INTERVALS = 1_000

const INTERVAL_MS: Record<(typeof COUNT_INTERVALS)[number], number> = { '1h': HOUR, '1d': DAY }

/** Counts the entries of a range of time per interval. */
export async function countEntries(
  { interval, ...query }: Static<typeof EntryCountQuery>,
  { account }: Caller,
  { store, clock }: Services,
) {
  const filters: Omit<EntryParams, 'asOf'> = filtersOf(query)
  const intervalMs = INTERVAL_MS[interval]
  const { next, ...range } = countedRange(
    filters,
    intervalMs,
    account.isDemo ? DEMO_LIST_CAP : MAX_INTERVALS,
    clock.now(),
  )
  const { counts, emptyBefore } = await store.entries.countOverTime({ ...filters, ...range }, intervalMs)
  const meta = {
    count: counts.length,
    interval,
    publishedAfter: isoTime(range.publishedAfter),
    publishedBefore: isoTime(range.publishedBefore),
    hasMore: next !== null,
    nextPublishedAfter: isoTimeOrNull(next),
  }
  return { data: writeCounts(counts), meta, emptyBefore }
}

// The store caches the counts.
const written = new WeakMap<readonly StoredCount[], Json<Static<typeof EntryCount>[]>>()

function writeCounts(counts: readonly StoredCount[]): Json<Static<typeof EntryCount>[]> {
  const text = () => JSON.stringify(counts.map((one) => ({ ...one, at: isoTime(one.at) })))
  const data = written.get(counts) ?? Json.text(text())
  written.set(counts, data)
  return data
}

interface CountedRange {
  publishedAfter: number
  publishedBefore: number
  /** Where the requested range goes on after this one. */
  next: number | null
}

/** Returns the part of the requested range that one response covers. */
function countedRange(
  { publishedAfter: from, publishedBefore: to }: EntryParams,
  intervalMs: number,
  maxIntervals: number,
  now: number,
): CountedRange {
  const startOf = (time: number) => Math.floor(time / intervalMs) * intervalMs
  const end = to ?? startOf(now) + intervalMs - 1
  if (from === undefined) {
    return { publishedAfter: startOf(end) - (maxIntervals - 1) * intervalMs, publishedBefore: end, next: null }
  }
  const next = startOf(from) + maxIntervals * intervalMs
  return next <= end
    ? { publishedAfter: from, publishedBefore: next - 1, next }
    : { publishedAfter: from, publishedBefore: to ?? next - 1, next: null }
}
