import { LRUCache } from 'lru-cache'
import { type Db, SHORT_WALK } from '../db.ts'
import { conditionOf, type Given } from '../lists/filters.ts'
import { Params } from '../sql.ts'
import { type LogBlock, LogBlocks, type LogHead } from './log-blocks.ts'

/** The times from `fromAt` up to, but not including, `toAt`. */
interface TimeRange {
  fromAt: number
  toAt: number
}

/** The rows of an account in a time range that match filters on other columns. */
export interface LogRange extends TimeRange {
  accountId: string
  filters: readonly Given[]
  /** Only rows with credits. */
  isCharged?: boolean
}

/** A time range whose rows, newest first and after the first `offset`, are on the page. */
export interface LogRun extends TimeRange {
  limit: number
  offset: number
}

/** Blocks per query when a filter is counted for the first time, so that other queries have their turn in between. */
const BLOCKS_PER_COUNT = 200
/** The size of the cache: its numbers, and its keys, of which eight characters count as a number. */
export const CACHED_COUNTS = 1_000_000

/** The numbers of matching rows in the closed blocks of an account, for one set of filters. */
interface BlockCounts {
  /** The number of matching rows before each block, and at the end the sum of all. */
  before: number[]
  /** The number of all rows in each block when it was counted: the count is valid while the block has as many. */
  countedRows: number[]
  /** The counts of blocks from `first` until `end` are valid while the head has this number of late rows. */
  valid: { first: number; end: number; lateRows: number }
  /** The number of removed rows when the blocks were counted: places are valid while the head has as many. */
  removedRows: number
  /** Ends when the last started count has ended. */
  counting: Promise<void>
}

/** The rows of a part of the log, in blocks that are all within the asked range. */
interface WholeBlocks {
  blocks: readonly LogBlock[]
  before: readonly number[]
  first: number
  end: number
}

/** Finds pages of the log by the numbers of matching rows per block, so that neither totals nor offsets cost a scan. */
export class LogWalk {
  readonly #db: Db
  readonly #blocks: LogBlocks
  readonly #counts = new LRUCache<string, BlockCounts>({
    maxSize: CACHED_COUNTS,
    sizeCalculation: ({ before }, key) => before.length + Math.ceil(key.length / 8),
  })

  constructor(db: Db) {
    this.#db = db
    this.#blocks = new LogBlocks(db)
  }

  head(accountId: string): Promise<LogHead> {
    return this.#blocks.head(accountId)
  }

  /** Returns the total and the time ranges to read a page from. */
  async find(
    head: LogHead,
    range: LogRange,
    limit: number,
    offset: number,
  ): Promise<{ runs: LogRun[]; totalCount: number }> {
    const { accountId, filters } = range
    const isWhole = filters.length === 0 && range.fromAt <= 0 && range.toAt === Infinity
    const [openRows, closedRows] = range.isCharged ? [head.charged, head.closedCharged] : [head.rows, head.closedRows]
    if (isWhole && offset + limit <= openRows) {
      return { runs: [{ fromAt: head.fromAt, toAt: Infinity, limit, offset }], totalCount: closedRows + openRows }
    }
    const blocks = await this.#blocks.closed(accountId, head)
    // The range may cut the first and the last of its blocks; the rows of these parts are counted each time.
    const first = firstPlace(blocks.length, (place) => (blocks[place]?.fromAt ?? 0) >= range.fromAt)
    const end = Math.max(
      first,
      firstPlace(blocks.length, (place) => (blocks[place]?.toAt ?? 0) > range.toAt),
    )
    const [older, newer] = [blocks[first - 1], blocks[end]]
    const open = { ...head, toAt: Infinity }
    const before = await this.#countBlocks(range, blocks, first, end, head)
    const page = new PageRuns(limit, offset)
    page.addPart(clip(open, range), isWhole ? openRows : await this.#countRows(range, open))
    if (newer !== undefined) page.addPart(clip(newer, range), await this.#countRows(range, newer))
    page.addBlocks({ blocks, before, first, end })
    if (older !== undefined) page.addPart(clip(older, range), await this.#countRows(range, older))
    return { runs: page.runs, totalCount: page.total }
  }

  async #countRows(range: LogRange, block: TimeRange & { rows: number }): Promise<number> {
    const part = clip(block, range)
    if (part.fromAt >= part.toAt || block.rows === 0) return 0
    const params = new Params()
    const conditions = conditionsOf(params, range, part)
    const db = range.filters.length === 0 && block.rows <= SHORT_WALK ? this.#db : this.#db.heavy
    const [row] = await db.query<{ count: number }>(
      `select count(*) as count from request_log l where ${conditions}`,
      params.values,
    )
    return row?.count ?? 0
  }

  /** Returns the number of matching rows before each block; valid from `first` until `end`. */
  async #countBlocks(
    range: LogRange,
    blocks: readonly LogBlock[],
    first: number,
    end: number,
    { lateRows, removedRows }: LogHead,
  ): Promise<readonly number[]> {
    const asked = range.filters.map(({ filter, values }) => [filter, values])
    const key = JSON.stringify([range.accountId, range.isCharged, asked])
    const cached = this.#counts.get(key)
    const counts =
      cached?.removedRows === removedRows
        ? cached
        : {
            before: [0],
            countedRows: [],
            valid: { first: 0, end: 0, lateRows: 0 },
            removedRows,
            counting: Promise.resolve(),
          }
    const isValid = () => counts.valid.lateRows === lateRows && counts.valid.first <= first && counts.valid.end >= end
    if (isValid()) return counts.before
    // One at a time, so that concurrent requests do not count the same blocks.
    const counting = counts.counting.then(async () => {
      if (isValid()) return
      Object.assign(counts, await this.#countMissing(range, blocks, counts, first, end))
      counts.valid = { first, end, lateRows }
    })
    counts.counting = counting.catch(() => {})
    this.#counts.set(key, counts)
    await counting
    this.#counts.set(key, counts)
    return counts.before
  }

  async #countMissing(
    range: LogRange,
    blocks: readonly LogBlock[],
    { before, ...known }: BlockCounts,
    first: number,
    end: number,
  ): Promise<Pick<BlockCounts, 'before' | 'countedRows'>> {
    const countedRows = [...known.countedRows]
    const matching = before.slice(1).map((sum, place) => sum - (before[place] ?? 0))
    const isMissing = (place: number) => place < end && countedRows[place] !== blocks[place]?.rows
    for (let place = first; place < end; place += 1) {
      if (!isMissing(place)) continue
      const from = place
      while (isMissing(place + 1) && place + 1 - from < BLOCKS_PER_COUNT) place += 1
      const missing = blocks.slice(from, place + 1)
      const found = await this.#countMatching(range, missing)
      for (const [index, block] of missing.entries()) {
        matching[from + index] = found.get(block.fromAt) ?? 0
        countedRows[from + index] = block.rows
      }
    }
    const sums = [0]
    for (let place = 0; place < matching.length; place += 1) sums.push((sums[place] ?? 0) + (matching[place] ?? 0))
    return { before: sums, countedRows }
  }

  async #countMatching(
    { accountId, filters, isCharged = false }: LogRange,
    blocks: readonly LogBlock[],
  ): Promise<Map<number, number>> {
    if (filters.length === 0) {
      return new Map(blocks.map(({ fromAt, rows, charged }) => [fromAt, isCharged ? charged : rows]))
    }
    const params = new Params()
    const account = params.add(accountId)
    const [from, to] = [params.add(blocks[0]?.fromAt ?? 0), params.add(blocks.at(-1)?.toAt ?? 0)]
    const conditions = filters.map((one) => ` and ${conditionOf(params, `l.${one.filter.column}`, one)}`)
    const rows = await this.#db.heavy.query<{ fromAt: number; count: number }>(
      `select b.from_at as "fromAt", count(*) as count from request_log_blocks b cross join request_log l
       where b.account_id = ${account} and b.from_at >= ${from} and b.from_at < ${to}
         and l.account_id = ${account} and l.created_at >= b.from_at and l.created_at < b.to_at${conditions.join('')}
       group by b.from_at`,
      params.values,
    )
    return new Map(rows.map(({ fromAt, count }) => [fromAt, count]))
  }
}

/** Returns the SQL condition on the table `l` for the rows of `range` in a part of its time. */
export function conditionsOf(params: Params, range: LogRange, { fromAt, toAt }: TimeRange): string {
  return [
    `l.account_id = ${params.add(range.accountId)}`,
    `l.created_at >= ${params.add(fromAt)}`,
    `l.created_at < ${params.add(Math.min(toAt, Number.MAX_SAFE_INTEGER))}`,
    ...(range.isCharged ? ['l.credits > 0'] : []),
    ...range.filters.map((one) => conditionOf(params, `l.${one.filter.column}`, one)),
  ].join(' and ')
}

/** Collects the parts of the log that hold the rows of a page. Parts are added newest first. */
class PageRuns {
  readonly runs: LogRun[] = []
  total = 0
  #missing: number
  #skipped: number

  constructor(limit: number, offset: number) {
    this.#missing = limit
    this.#skipped = offset
  }

  addPart(part: TimeRange, count: number): void {
    this.total += count
    const offset = Math.min(this.#skipped, count)
    this.#skipped -= offset
    this.#take(part, count - offset, offset)
  }

  addBlocks({ blocks, before, first, end }: WholeBlocks): void {
    const [start = 0, stop = 0] = [before[first], before[end]]
    const count = stop - start
    this.total += count
    const offset = Math.min(this.#skipped, count)
    this.#skipped -= offset
    // Blocks without matching rows are not visited.
    for (let rest = stop - offset; rest > start && this.#missing > 0; ) {
      const place = firstPlace(before.length, (index) => (before[index] ?? 0) >= rest) - 1
      const [block, older = 0, newer = 0] = [blocks[place], before[place], before[place + 1]]
      if (block === undefined) throw new Error('the counts of the request log exceed its blocks')
      this.#take(block, rest - older, newer - rest)
      rest = older
    }
  }

  #take({ fromAt, toAt }: TimeRange, count: number, offset: number): void {
    const limit = Math.min(count, this.#missing)
    if (limit === 0) return
    this.#missing -= limit
    const last = this.runs.at(-1)
    if (last?.fromAt === toAt) {
      last.fromAt = fromAt
      last.limit += limit
    } else {
      this.runs.push({ fromAt, toAt, limit, offset })
    }
  }
}

const clip = (block: TimeRange, range: TimeRange): TimeRange => ({
  fromAt: Math.max(block.fromAt, range.fromAt),
  toAt: Math.min(block.toAt, range.toAt),
})

/** Returns the first of `count` places that satisfies `test`, which all later places do too. */
function firstPlace(count: number, test: (place: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
