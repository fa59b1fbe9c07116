import { DAY, HOUR } from '../../model/time.ts'
import { type Db, type Queryable, SHORT_WALK, type Transaction, type Value } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import { CandleColumns, countStored } from './candle-columns.ts'
import { LEVELS, lengthOf } from './candle-intervals.ts'

/**
 * The time that a block of each level covers, so that it has about a hundred candles: a list reads few blocks, and an
 * insert of one candle writes few bytes.
 */
const SPANS = [2 * HOUR, DAY, 4 * DAY, 64 * DAY, 1_024 * DAY]

const startOf = (level: number, time: number): number => {
  const span = SPANS[level] ?? DAY
  return Math.floor(time / span) * span
}

export const BEGINNING = -8.64e15
export const END = 8.64e15

/** Numbers of blocks to read at once. Limits are part of the SQL text, so few values keep the statements few. */
const BATCHES = [2, 4, 8, 16, 32, 64, 128]
const MAX_BATCH = 128

/**
 * Reads the first or the last `limit` candles of a level that open between two times, both inclusive. Returns them in the
 * order of time.
 */
export async function readCandlesFrom(
  end: 'first' | 'last',
  db: Db,
  marketRef: number,
  range: { level: number; from: number; to: number; limit: number },
): Promise<CandleColumns> {
  const { level, from, to, limit } = range
  const perBlock = (SPANS[level] ?? DAY) / lengthOf(level)
  const wanted = Math.ceil(Math.min(limit, (to - from) / lengthOf(level)) / perBlock) + 1
  const batch = BATCHES.find((size) => size >= wanted) ?? MAX_BATCH
  const sql = `select starts_at, candles from candle_blocks
    where market_ref = $1 and level = $2 and starts_at >= $3 and starts_at <= $4
    order by starts_at ${end === 'first' ? 'asc' : 'desc'} limit ${batch}`
  const blocks: StoredBlock[] = []
  let [low, high] = [startOf(level, from), to]
  let found = 0
  for (;;) {
    // The first batch usually suffices. Where candles are far apart, more follow.
    const runner = blocks.length > 0 || limit > SHORT_WALK ? db.heavy : db
    const rows = await runner.query<StoredBlock>(sql, [marketRef, level, low, high])
    for (const row of rows) {
      // Part of the first block may lie outside of the range.
      if (blocks.length > 0) found += countStored(row.candles)
      blocks.push(row)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch || found >= limit) break
    if (end === 'first') low = last.starts_at + 1
    else high = last.starts_at - 1
  }
  if (end === 'last') blocks.reverse()
  const candles = CandleColumns.join(blocks.map((block) => block.candles)).between(from, to)
  return end === 'first' ? candles.slice(0, limit) : candles.slice(candles.length - limit, candles.length)
}

/** Reads all candles of a level with from <= openedAt < to. */
export async function readAllCandles(
  tx: Queryable,
  marketRef: number,
  { level, from, to }: { level: number; from: number; to: number },
): Promise<CandleColumns> {
  const rows = await tx.query<StoredBlock>(
    `select candles from candle_blocks
     where market_ref = $1 and level = $2 and starts_at >= $3 and starts_at < $4 order by starts_at`,
    [marketRef, level, startOf(level, from), to],
  )
  return CandleColumns.join(rows.map(({ candles }) => candles)).between(from, to - 1)
}

/** Reads the first and the last candles of levels: of each level that has any, at least the first and the last two. */
export async function readEnds(
  tx: Queryable,
  marketRef: number,
  levels: readonly number[],
): Promise<ReadonlyMap<number, CandleColumns>> {
  const ends = levels.flatMap((level) =>
    ['asc limit 1', 'desc limit 2'].map(
      (order, index) => `select * from (
        select level, starts_at, candles from candle_blocks
        where market_ref = $1 and level = ${level} order by starts_at ${order}
      ) e${level}_${index}`,
    ),
  )
  const rows = await tx.query<StoredBlock & { level: number }>(ends.join(' union all '), [marketRef])
  const blocks = new Map(rows.map((row) => [`${row.level} ${row.starts_at}`, row]))
  const ordered = [...blocks.values()].sort((one, other) => one.starts_at - other.starts_at)
  return new Map(
    Array.from(
      Map.groupBy(ordered, ({ level }) => level),
      ([level, found]) => [level, CandleColumns.join(found.map(({ candles }) => candles))],
    ),
  )
}

/** Reads the opening time of the first candle of each level that has any. */
export async function readFirsts(db: Queryable, marketRef: number): Promise<ReadonlyMap<number, number>> {
  const firsts = LEVELS.map(
    (_, level) => `select * from (
      select level, candles from candle_blocks where market_ref = $1 and level = ${level} order by starts_at limit 1
    ) f${level}`,
  )
  const rows = await db.query<{ level: number; candles: Uint8Array }>(firsts.join(' union all '), [marketRef])
  return new Map(rows.map(({ level, candles }) => [level, CandleColumns.join([candles]).openedAt[0] ?? 0]))
}

/** Adds candles to the blocks of a level. Received candles do not replace rolled-up ones. */
export async function writeCandles(
  tx: Transaction,
  marketRef: number,
  level: number,
  candles: CandleColumns,
): Promise<void> {
  const added = new Map<number, CandleColumns>()
  for (let from = 0; from < candles.length; ) {
    const start = startOf(level, candles.openedAt[from] ?? 0)
    const block = candles.between(start, start + (SPANS[level] ?? DAY) - 1)
    added.set(start, block)
    from += block.length
  }
  for (const { starts_at: start, candles: stored } of await listBlocks(tx, marketRef, level, [...added.keys()])) {
    const block = added.get(start)
    if (block !== undefined) added.set(start, CandleColumns.join([stored]).merge(block))
  }
  await tx.insert(
    'candle_blocks',
    ['market_ref', 'level', 'starts_at', 'candles'],
    Array.from(added, ([start, { bytes }]): Value[] => [marketRef, level, start, bytes]),
    'on conflict (market_ref, level, starts_at) do update set candles = excluded.candles',
  )
}

/** Reads the blocks of a level that contain these ascending times, as a whole. */
export async function readBlocksAt(
  tx: Queryable,
  marketRef: number,
  level: number,
  times: Iterable<number>,
): Promise<CandleColumns> {
  const starts = new Set<number>()
  for (const time of times) starts.add(startOf(level, time))
  const blocks = await listBlocks(tx, marketRef, level, [...starts])
  return CandleColumns.join(blocks.sort((a, b) => a.starts_at - b.starts_at).map(({ candles }) => candles))
}

async function listBlocks(
  tx: Queryable,
  marketRef: number,
  level: number,
  starts: readonly number[],
): Promise<StoredBlock[]> {
  const blocks: StoredBlock[] = []
  await forEachChunk(starts, async (params, list) => {
    const found = await tx.query<StoredBlock>(
      `select starts_at, candles from candle_blocks
       where starts_at in (${list}) and market_ref = ${params.add(marketRef)} and level = ${params.add(level)}`,
      params.values,
    )
    blocks.push(...found)
  })
  return blocks
}

interface StoredBlock {
  starts_at: number
  candles: Uint8Array
}

/** Returns the numbers of candles of each level in whole blocks after a time, up to a maximum. */
export async function countCandlesAfter(
  db: Db,
  marketRef: number,
  time: number,
  levels: readonly { level: number; max: number }[],
): Promise<Map<number, number>> {
  const counts = levels.map(({ level, max }, index) => {
    const blocks = Math.ceil(max / ((SPANS[level] ?? DAY) / lengthOf(level))) + 1
    return `select ${level} as level, sum(bytes) as bytes from (
      select octet_length(candles) as bytes from candle_blocks
      where market_ref = $1 and level = ${level} and starts_at > $${index + 2} and starts_at <= ${END}
      order by starts_at desc limit ${blocks}
    ) b${level}`
  })
  const rows = await db.query<{ level: number; bytes: number | null }>(counts.join(' union all '), [
    marketRef,
    ...levels.map(({ level }) => startOf(level, time)),
  ])
  return new Map(rows.map(({ level, bytes }) => [level, countStored({ length: bytes ?? 0 })]))
}
