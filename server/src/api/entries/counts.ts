import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { DEMO_LIST_CAP } from '../../admission/demo.ts'
import { filtersOf } from '../../http/params.ts'
import type { COUNT_INTERVALS, EntryCount } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import { DAY, HOUR, isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { EntryCountList } from '../../store/entries/entry-counts.ts'
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
  const filters: EntryParams = filtersOf(query)
  const intervalMs = INTERVAL_MS[interval]
  const { next, ...range } = countedRange(
    filters,
    intervalMs,
    account.isDemo ? DEMO_LIST_CAP : MAX_INTERVALS,
    filters.asOf ?? clock.now(),
  )
  const list = await store.entries.countOverTime({ ...filters, ...range }, intervalMs)
  const known = answers.get(list)
  if (known?.meta.nextPublishedAfter === isoTimeOrNull(next)) return known
  const answer = answerOf(list, { interval, next, ...range })
  answers.set(list, answer)
  return answer
}

/** The answers of lists in the cache of the store: the same object each time, so that its bytes are cached too. */
const answers = new WeakMap<EntryCountList, ReturnType<typeof answerOf>>()

function answerOf(
  { counts, emptyBefore }: EntryCountList,
  { interval, next, ...range }: CountedRange & Pick<Static<typeof EntryCountQuery>, 'interval'>,
) {
  const meta = {
    count: counts.length,
    interval,
    publishedAfter: isoTime(range.publishedAfter),
    publishedBefore: isoTime(range.publishedBefore),
    hasMore: next !== null,
    nextPublishedAfter: isoTimeOrNull(next),
  }
  const data = counts.map((one) => ({ ...one, at: isoTime(one.at) }))
  return { data: Json.text<Static<typeof EntryCount>[]>(JSON.stringify(data)), meta, emptyBefore }
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
    : { publishedAfter: from, publishedBefore: Math.max(from, end), next: null }
}
