import { LRUCache } from 'lru-cache'
import type { FeedQuery } from './feed-pages.ts'
import type { Feed } from './feeds.ts'
import type { Block, ListCounts } from './list-counts.ts'

const CACHED_BYTES = 4_000_000
const BYTES_PER_BLOCK = 24

/** Number of blocks into which many matches are divided. */
const MAX_BLOCKS = 10_000

/** The columns with the times from which a row is known, and from which it no longer is. */
export interface KnownColumns {
  from: string
  to?: string | undefined
}

/** The numbers of rows that became known and unknown up to each of some times. */
interface Timeline {
  epoch: number
  seq: number
  arrived: Steps
  left: Steps | undefined
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
   * Returns the number of matches that were known at `time`, which is a seq if `from` is that column. `ever` finds the
   * rows with seq <= headSeq that match at any time, `past` those that match and were known. `key` names the filters of
   * `ever`.
   */
  async countAt(
    time: number,
    key: string,
    { from, to }: KnownColumns,
    { ever, past }: { ever: ListCounts; past: Pick<FeedQuery, 'count'> },
    headSeq: number,
  ): Promise<number> {
    const { arrived, left, seq } = await this.#timelineOf(key, { from, to }, ever, headSeq)
    const parts = [
      { column: from, sign: 1, ...arrived.upTo(time) },
      ...(to === undefined || left === undefined ? [] : [{ column: to, sign: -1, ...left.upTo(time) }]),
    ]
    const begun = parts.flatMap(({ column, sign, rest }) => (rest === undefined ? [] : [{ column, sign, ...rest }]))
    const [counts, tail] = await Promise.all([
      ever.countsWithin(begun, seq),
      seq < headSeq ? past.count(seq, headSeq) : 0,
    ])
    return (
      parts.reduce((total, { sign, sum }) => total + sign * sum, tail) +
      begun.reduce((total, { sign }, index) => total + sign * (counts[index] ?? 0), 0)
    )
  }

  /** Returns about how many rows match at any time. */
  async matchesOf(key: string, columns: KnownColumns, ever: ListCounts, headSeq: number): Promise<number> {
    return (await this.#timelineOf(key, columns, ever, headSeq)).arrived.sum
  }

  async #timelineOf(key: string, columns: KnownColumns, ever: ListCounts, headSeq: number): Promise<Timeline> {
    const { epoch } = await this.#feed.head()
    const name = JSON.stringify([key, columns.to !== undefined])
    const known = await this.#known.get(name)
    if (known?.epoch === epoch && known.seq <= headSeq) return known
    return this.#read(name, columns, ever, { epoch, seq: headSeq })
  }

  #read(
    name: string,
    { from, to }: KnownColumns,
    ever: ListCounts,
    at: { epoch: number; seq: number },
  ): Promise<Timeline> {
    const read = async (): Promise<Timeline> => {
      const arrived = new Steps(await ever.blocks(from, at.seq, this.#most))
      const left = to === undefined ? undefined : new Steps(await ever.blocks(to, at.seq, this.#most))
      this.#known.set(name, timeline, { size: (arrived.length + (left?.length ?? 0)) * BYTES_PER_BLOCK + name.length })
      return { ...at, arrived, left }
    }
    const timeline = read()
    this.#known.set(name, timeline, { size: 1 })
    timeline.catch(() => this.#known.delete(name))
    return timeline
  }
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
