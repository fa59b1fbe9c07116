import { LRUCache } from 'lru-cache'
import { type Db, SHORT_WALK } from '../db.ts'
import { conditionOf, type Given } from '../lists/filters.ts'
import { Params } from '../sql.ts'
import { type LogBlock, LogBlocks, type LogHead } from './log-blocks.ts'

/** The rows of an account to list: those in a time range that match filters on other columns. */
export interface LogRange {
  accountId: string
  /** Inclusive. */
  fromAt: number
  /** Exclusive. */
  toAt: number
  filters: readonly Given[]
}

/** A time range whose rows, newest first and after the first `offset`, are on the page. */
export interface LogRun {
  fromAt: number
  toAt: number
  limit: number
  offset: number
}

/** Blocks per query when a filter is counted for the first time, so that other queries have their turn in between. */
const BLOCKS_PER_COUNT = 100
const CACHED_COUNTS = 1_000_000

/** Matching rows per closed block. A count is valid while its block has as many rows as when it was counted. */
interface FilterCounts {
  matching: number[]
  countedRows: number[]
  /** Ends when the last started count has ended. */
  counting: Promise<void>
}

/** Finds pages of the log by the numbers of matching rows per block, so that neither totals nor offsets cost a scan. */
export class LogWalk {
  readonly #db: Db
  readonly #blocks: LogBlocks
  readonly #counts = new LRUCache<string, FilterCounts>({
    maxSize: CACHED_COUNTS,
    sizeCalculation: ({ matching }) => matching.length + 1,
  })

  constructor(db: Db) {
    this.#db = db
    this.#blocks = new LogBlocks(db)
  }

  /** Returns the total and the time ranges to read a page from. */
  async find(range: LogRange, limit: number, offset: number): Promise<{ runs: LogRun[]; totalCount: number }> {
    const head = await this.#blocks.head(range.accountId)
    const isWhole = range.filters.length === 0 && range.fromAt <= 0 && range.toAt === Infinity
    if (isWhole && offset + limit <= head.rows) {
      const run = { fromAt: head.fromAt, toAt: Infinity, limit, offset }
      return { runs: [run], totalCount: head.closedRows + head.rows }
    }
    const { blocks, counts } = await this.#countBlocks(range, head)
    return {
      runs: runsOf(range, blocks, counts, limit, offset),
      totalCount: counts.reduce((sum, count) => sum + count, 0),
    }
  }

  /** Returns the blocks that overlap the range, oldest first, and the number of matching rows in each. */
  async #countBlocks(range: LogRange, head: LogHead): Promise<{ blocks: LogBlock[]; counts: number[] }> {
    const closed = await this.#blocks.closed(range.accountId, head)
    const first = firstPlace(closed, ({ toAt }) => toAt > range.fromAt)
    const end = Math.max(
      first,
      firstPlace(closed, ({ fromAt }) => fromAt >= range.toAt),
    )
    const blocks = closed.slice(first, end)
    const counts =
      range.filters.length === 0
        ? blocks.map(({ rows }) => rows)
        : (await this.#countClosed(range, closed, first, end)).slice(first, end)
    blocks.push({ fromAt: head.fromAt, toAt: Infinity, rows: head.rows, charged: head.charged })
    counts.push(head.rows)
    // The open block changes, and the range may cut the first and the last block.
    for (const place of new Set([0, blocks.length - 2, blocks.length - 1])) {
      const block = blocks[place]
      if (block === undefined) continue
      const isCut = block.fromAt < range.fromAt || block.toAt > range.toAt
      if (isCut || (block.toAt === Infinity && range.filters.length > 0)) {
        counts[place] = await this.#countRows(range, clip(block, range), block.rows)
      }
    }
    return { blocks, counts }
  }

  async #countRows(range: LogRange, part: { fromAt: number; toAt: number }, rows: number): Promise<number> {
    if (part.fromAt >= part.toAt || rows === 0) return 0
    const params = new Params()
    const conditions = conditionsOf(params, range.accountId, part, range.filters)
    const db = range.filters.length === 0 && rows <= SHORT_WALK ? this.#db : this.#db.heavy
    const [row] = await db.query<{ count: number }>(
      `select count(*) as count from request_log l where ${conditions}`,
      params.values,
    )
    return row?.count ?? 0
  }

  /** Returns the numbers of matching rows by the place of the block; those from `first` until `end` are valid. */
  async #countClosed(
    { accountId, filters }: LogRange,
    closed: readonly LogBlock[],
    first: number,
    end: number,
  ): Promise<number[]> {
    const key = `${accountId} ${JSON.stringify(filters.map(({ filter, values }) => [filter.column, values]))}`
    const counts = this.#counts.get(key) ?? { matching: [], countedRows: [], counting: Promise.resolve() }
    const isMissing = (place: number) => counts.countedRows[place] !== closed[place]?.rows
    const countMissing = async () => {
      for (let place = first; place < end; place += 1) {
        if (!isMissing(place)) continue
        const from = place
        while (place < end && place - from < BLOCKS_PER_COUNT && isMissing(place)) place += 1
        const counted = closed.slice(from, place)
        const matching = await this.#countMatching(accountId, filters, counted)
        for (const [index, block] of counted.entries()) {
          counts.matching[from + index] = matching.get(block.fromAt) ?? 0
          counts.countedRows[from + index] = block.rows
        }
        place -= 1
      }
    }
    // One at a time, so that concurrent requests do not count the same blocks.
    const counting = counts.counting.then(countMissing)
    counts.counting = counting.catch(() => {})
    this.#counts.set(key, counts)
    await counting
    this.#counts.set(key, counts)
    return counts.matching
  }

  async #countMatching(
    accountId: string,
    filters: readonly Given[],
    blocks: readonly LogBlock[],
  ): Promise<Map<number, number>> {
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

/** Returns the SQL condition on the table `l` for a time range of an account and filters. */
export function conditionsOf(
  params: Params,
  accountId: string,
  { fromAt, toAt }: { fromAt: number; toAt: number },
  filters: readonly Given[],
): string {
  return [
    `l.account_id = ${params.add(accountId)}`,
    `l.created_at >= ${params.add(fromAt)}`,
    `l.created_at < ${params.add(Math.min(toAt, Number.MAX_SAFE_INTEGER))}`,
    ...filters.map((one) => conditionOf(params, `l.${one.filter.column}`, one)),
  ].join(' and ')
}

/** Returns the parts of the blocks that hold the rows of a page. Blocks without matching rows separate them. */
function runsOf(
  range: LogRange,
  blocks: readonly LogBlock[],
  counts: readonly number[],
  limit: number,
  offset: number,
): LogRun[] {
  const runs: LogRun[] = []
  let skipped = offset
  let missing = limit
  for (let place = blocks.length - 1; place >= 0 && missing > 0; place -= 1) {
    const [block, count = 0] = [blocks[place], counts[place]]
    if (block === undefined || count === 0) continue
    if (skipped >= count) {
      skipped -= count
      continue
    }
    const found = Math.min(count - skipped, missing)
    const { fromAt, toAt } = clip(block, range)
    const last = runs.at(-1)
    if (last?.fromAt === toAt) {
      last.fromAt = fromAt
      last.limit += found
    } else {
      runs.push({ fromAt, toAt, limit: found, offset: skipped })
    }
    missing -= found
    skipped = 0
  }
  return runs
}

const clip = (block: LogBlock, range: LogRange) => ({
  fromAt: Math.max(block.fromAt, range.fromAt),
  toAt: Math.min(block.toAt, range.toAt),
})

/** Returns the first place whose block satisfies `test`, which all later blocks do too. */
function firstPlace(blocks: readonly LogBlock[], test: (block: LogBlock) => boolean): number {
  let [low, high] = [0, blocks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const block = blocks[middle]
    if (block !== undefined && test(block)) high = middle
    else low = middle + 1
  }
  return low
}
