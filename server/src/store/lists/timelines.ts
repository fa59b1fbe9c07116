import { LRUCache } from 'lru-cache'
import type { FeedQuery } from './feed-pages.ts'
import type { Feed } from './feeds.ts'
import type { Block, ListCounts } from './list-counts.ts'

const CACHED_BYTES = 4_000_000
const BYTES_PER_BLOCK = 24

/** Number of blocks into which many matches are divided. */
const MAX_BLOCKS = 10_000

/** The columns with the times from which a row matches, and from which it no longer does. */
export interface KnownColumns {
  from: string
  to?: string | undefined
}

/** Rows that match for a time. */
export type TimedMatches = KnownColumns & {
  /** Counts the rows that match at any time. */
  counts: ListCounts
}

/** The numbers of rows of each kind that matched and no longer matched up to each of some times. */
interface Timeline {
  epoch: number
  seq: number
  kinds: readonly { arrived: Steps; left: Steps | undefined }[]
}

/**
 * Counts the matches of filters at any time of the past. The matches are read once and divided into blocks by time, so
 * that a later count reads only a part of one block. Valid until rows are edited or removed; new rows are counted one by
 * one.
 */
export class Timelines {
  readonly #feed: Feed
  readonly #most: number
  readonly #known = new LRUCache<string, Promise<Timeline>>({ maxSize: CACHED_BYTES })

  constructor(feed: Feed, most = MAX_BLOCKS) {
    this.#feed = feed
    this.#most = most
  }

  /**
   * Returns the number of matches at `time`, which is a seq if `from` is that column. No row is of two of the kinds of
   * matches at a time; `past` finds all of them then. `key` names the filters of the kinds.
   */
  async countAt(
    time: number,
    key: string,
    kinds: readonly TimedMatches[],
    past: Pick<FeedQuery, 'count'>,
    headSeq: number,
  ): Promise<number> {
    const timeline = await this.#timelineOf(key, kinds, headSeq)
    const { seq } = timeline
    const counts = kinds.map((kind, place) => countOfKind(time, kind, timeline.kinds[place], seq))
    const tail = seq < headSeq ? past.count(seq, headSeq) : 0
    return (await Promise.all([...counts, tail])).reduce((total, count) => total + count, 0)
  }

  /** Returns about how many rows match at any time. */
  async matchesOf(key: string, kind: TimedMatches, headSeq: number): Promise<number> {
    return (await this.#timelineOf(key, [kind], headSeq)).kinds[0]?.arrived.sum ?? 0
  }

  async #timelineOf(key: string, kinds: readonly TimedMatches[], headSeq: number): Promise<Timeline> {
    const { epoch } = await this.#feed.head()
    const known = await this.#known.get(key)
    if (known?.epoch === epoch && known.seq <= headSeq) return known
    return this.#read(key, kinds, { epoch, seq: headSeq })
  }

  #read(key: string, kinds: readonly TimedMatches[], at: { epoch: number; seq: number }): Promise<Timeline> {
    const stepsOf = async (counts: ListCounts, column: string) =>
      new Steps(await counts.blocks(column, at.seq, this.#most))
    const read = async (): Promise<Timeline> => {
      const steps: { arrived: Steps; left: Steps | undefined }[] = []
      for (const { counts, from, to } of kinds) {
        const arrived = await stepsOf(counts, from)
        steps.push({ arrived, left: to === undefined ? undefined : await stepsOf(counts, to) })
      }
      const blocks = steps.reduce((sum, { arrived, left }) => sum + arrived.length + (left?.length ?? 0), 0)
      this.#known.set(key, timeline, { size: blocks * BYTES_PER_BLOCK + key.length })
      return { ...at, kinds: steps }
    }
    const timeline = read()
    this.#known.set(key, timeline, { size: 1 })
    timeline.catch(() => this.#known.delete(key))
    return timeline
  }
}

/** Returns the number of rows with seq <= `seq` that matched at a time. */
async function countOfKind(
  time: number,
  { counts, from, to }: TimedMatches,
  steps: Timeline['kinds'][number] | undefined,
  seq: number,
): Promise<number> {
  const parts = [
    { column: from, sign: 1, ...steps?.arrived.upTo(time) },
    ...(to === undefined ? [] : [{ column: to, sign: -1, ...steps?.left?.upTo(time) }]),
  ]
  const begun = parts.flatMap(({ column, sign, rest }) => (rest === undefined ? [] : [{ column, sign, ...rest }]))
  const within = await counts.countsWithin(begun, seq)
  return (
    parts.reduce((total, { sign, sum = 0 }) => total + sign * sum, 0) +
    begun.reduce((total, { sign }, index) => total + sign * (within[index] ?? 0), 0)
  )
}

/** Sums of blocks in the order of time. */
class Steps {
  readonly #lows: Float64Array
  readonly #highs: Float64Array
  readonly #sums: Float64Array

  constructor(blocks: readonly Block[]) {
    let sum = 0
    this.#lows = Float64Array.from(blocks, ({ low }) => low)
    this.#highs = Float64Array.from(blocks, ({ high }) => high)
    this.#sums = Float64Array.from(blocks, ({ count }) => {
      sum += count
      return sum
    })
  }

  get length(): number {
    return this.#sums.length
  }

  /** The sum of all blocks. */
  get sum(): number {
    return this.#sums.at(-1) ?? 0
  }

  /** Returns the sum of the blocks up to a time, and the part of the next block up to it, if it has begun. */
  upTo(time: number): { sum: number; rest?: { low: number; high: number } } {
    let [place, end] = [0, this.length]
    while (place < end) {
      const middle = (place + end) >>> 1
      if ((this.#highs[middle] ?? 0) <= time) place = middle + 1
      else end = middle
    }
    const sum = this.#sums[place - 1] ?? 0
    const low = this.#lows[place]
    return low === undefined || low > time ? { sum } : { sum, rest: { low, high: time } }
  }
}
