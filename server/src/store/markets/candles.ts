import { LRUCache } from 'lru-cache'
import { Json } from '../../model/json.ts'
import type {
  Candle,
  CandleInterval,
  CandleMeta,
  Chart,
  ChartRange,
  NewCandle,
  StoredInterval,
} from '../../model/markets.ts'
import type { EmptyBefore } from '../../model/paging.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { Db, Transaction } from '../db.ts'
import { markChanged } from '../lists/catalogue-changes.ts'
import type { Feed } from '../lists/feeds.ts'
import { readBlocksAt, writeCandles } from './candle-blocks.ts'
import { CandleColumns } from './candle-columns.ts'
import { candleTime, closesAt, levelOf } from './candle-intervals.ts'
import { type CandleRange, type FoundCandles, readCandles, readHistoryStarts } from './candle-read.ts'
import { rollUp } from './candle-rollup.ts'
import { fromUnits, toUnits } from './candle-units.ts'
import { readChart } from './chart.ts'
import { type ClosingPrice, findClose, findLastPriceAt, listDailyCloses } from './closing-prices.ts'
import { holdSeries, lockSeries, type Series } from './markets.ts'
import { updateQuote } from './quotes.ts'

/** Candles to convert and write at once; the number limits memory. */
const WRITTEN_AT_ONCE = 10_000

export type Candles = ReturnType<typeof candlesStore>

/** Candles of one market and interval. */
export interface CandleBatch {
  marketId: string
  interval: StoredInterval
  candles: readonly NewCandle[]
}

/** The most bytes of answers to keep. */
const CACHED_BYTES = 16_000_000

/** An answer, which is valid for a version of the market's candles and from one time until another. */
interface CachedAnswer {
  answer: Json<never> | CandlePage
  from: number
  until: number
}

/** Markets whose starts of history are kept. */
const CACHED_STARTS = 5_000

/** Candles with the meta of the list. */
export interface CandlePage {
  data: Json<Candle[]>
  meta: CandleMeta
  emptyBefore: EmptyBefore | undefined
}

export function candlesStore(db: Db, catalogues: Feed) {
  const answers = new LRUCache<string, CachedAnswer>({ maxSize: CACHED_BYTES })

  const starts = new LRUCache<number, { version: number; meta: CandleMeta['historyStartAt'] }>({ max: CACHED_STARTS })

  /** Returns a cached answer, or the one that `read` returns with the times between which it stays the same. */
  const cached = async <T extends Json<unknown> | CandlePage>(
    key: string,
    now: number,
    read: () => Promise<{ answer: T; from?: number; until?: number }>,
  ): Promise<T> => {
    const known = answers.get(key)
    if (known !== undefined && known.from <= now && now < known.until) return known.answer as T
    const { answer, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = await read()
    const { size } = answer instanceof Json ? answer : answer.data
    answers.set(key, { answer: answer as CachedAnswer['answer'], from, until }, { size: size + key.length })
    return answer
  }

  const historyStartsOf = async ({ ref, candlesVersion: version }: Series): Promise<CandleMeta['historyStartAt']> => {
    const known = starts.get(ref)
    if (known?.version === version) return known.meta
    const times = Object.entries(await readHistoryStarts(db, ref))
    const meta = Object.fromEntries(times.map(([interval, time]) => [interval, isoTimeOrNull(time)]))
    starts.set(ref, { version, meta: meta as CandleMeta['historyStartAt'] })
    return meta as CandleMeta['historyStartAt']
  }

  const insertAll = (batches: Iterable<CandleBatch> | AsyncIterable<CandleBatch>, now: number): Promise<void> => {
    const written = db.transaction(async (tx) => {
      const refs = new Set<number>()
      for await (const { marketId, interval, candles } of batches) {
        if (candles.length > 0) refs.add(await insertCandles(tx, marketId, interval, candles, now))
      }
      await markChanged(tx, { markets: [...refs] })
    })
    return written.finally(() => catalogues.changed())
  }

  const inSort = (found: FoundCandles, series: Series, range: CandleRange, now: number): Candle[] => {
    const candles = toCandles(found.candles, series, range.interval, now)
    return range.sort === 'openedAt:asc' ? candles : candles.reverse()
  }

  return {
    /**
     * Adds candles of one interval, in any order. A candle replaces an earlier one of the same time, and is ignored if its
     * time is known at a finer interval. Coarser levels and the market's quote are updated.
     */
    insert(marketId: string, interval: StoredInterval, candles: readonly NewCandle[], now: number): Promise<void> {
      return insertAll([{ marketId, interval, candles }], now)
    },

    /** Adds candles of several markets in one transaction; `batches` may be a generator. */
    insertAll,

    /** Adds candles as `insert` does, but replaces existing ones only with `update`. */
    upsert({ marketId, interval, candles }: CandleBatch, now: number, options: { update: boolean }) {
      const written = db.transaction((tx) => upsertCandles(tx, { marketId, interval, candles }, now, options))
      return written.finally(() => catalogues.changed())
    },

    /** Lists candles; `now` decides which ones are closed. */
    list: async (series: Series, range: CandleRange, now: number): Promise<Candle[]> =>
      inSort(await readCandles(db, series.ref, range), series, range, now),

    /** Lists candles as JSON, with the meta of the list. Returns the same object while the answer is the same. */
    page: (series: Series, range: CandleRange, now: number): Promise<CandlePage> =>
      cached(JSON.stringify([series.ref, series.candlesVersion, range]), now, async () => {
        const found = await readCandles(db, series.ref, range)
        const candles = inSort(found, series, range, now)
        const ends = candles.map(({ closedAt }) => Date.parse(closedAt))
        const historyStartAt = await historyStartsOf(series)
        const answer = {
          data: Json.text<Candle[]>(JSON.stringify(candles)),
          meta: { ...continuationOf(found, range), historyStartAt },
          emptyBefore: emptyBeforeOf(range, historyStartAt[range.interval]),
        }
        return { answer, from: now, until: Math.min(...ends.filter((end) => end > now)) }
      }),

    /** Returns the last price of an asset known at a time. */
    findClose: (assetKey: string, time: number): Promise<ClosingPrice | undefined> => findClose(db, assetKey, time),

    /** Lists the closes of the last `count` days that had ended by then, oldest first. */
    listDailyCloses: (assetKey: string, time: number, count: number): Promise<ClosingPrice[]> =>
      listDailyCloses(db, assetKey, time, count),

    /** Returns the time of the last known price of an asset. */
    findLastPriceAt: (assetKey: string): Promise<number | undefined> => findLastPriceAt(db, assetKey),

    chart: (series: Series, range: ChartRange): Promise<Chart> => readChart(db, series, range),

    /** Returns a chart as JSON. */
    chartJson: (series: Series, range: ChartRange): Promise<Json<Chart>> =>
      cached(JSON.stringify([series.ref, series.candlesVersion, range]), 0, async () => ({
        answer: Json.text<Chart>(JSON.stringify(await readChart(db, series, range))),
      })),
  }
}

function emptyBeforeOf({ openedBefore }: CandleRange, historyStart: string | null): EmptyBefore | undefined {
  const startsAt = historyStart === null ? undefined : Date.parse(historyStart)
  if (startsAt === undefined || openedBefore === undefined || openedBefore >= startsAt) return undefined
  return { filter: 'openedBefore', startsAt }
}

/** Returns the part of the meta that says where the list goes on: candles before or after those found. */
function continuationOf({ candles, hasMore, end }: FoundCandles, { interval, maxPoints }: CandleRange) {
  const first = candles.openedAt[0] ?? 0
  const last = candles.openedAt.at(-1) ?? 0
  return {
    count: candles.length,
    limit: maxPoints,
    hasMore,
    nextOpenedAfter: hasMore && end === 'first' ? isoTime(closesAt(interval, last)) : null,
    nextOpenedBefore: hasMore && end === 'last' ? isoTime(first - 1) : null,
  }
}

async function insertCandles(
  tx: Transaction,
  marketId: string,
  interval: StoredInterval,
  candles: readonly NewCandle[],
  now: number,
): Promise<number> {
  // One writer per market at a time: roll-ups read rows that others may be writing.
  const series = await lockSeries(tx, marketId, now)
  const ordered = inOrder(candles)
  const level = levelOf(interval)
  for (let start = 0; start < ordered.length; start += WRITTEN_AT_ONCE) {
    const part = toColumns(ordered.slice(start, start + WRITTEN_AT_ONCE), interval, series)
    await writeCandles(tx, series.ref, level, part)
    await rollUp(tx, series.ref, level, part.openedAt)
  }
  await updateQuote(tx, series, { level, times: new Set(ordered.map(({ openedAt }) => openedAt)), now })
  return series.ref
}

/** Writes the candles that are new and, with `update`, those that differ from the stored ones. */
async function upsertCandles(
  tx: Transaction,
  { marketId, interval, candles }: CandleBatch,
  now: number,
  { update }: { update: boolean },
): Promise<{ added: number; changed: number; known: number }> {
  const series = await holdSeries(tx, marketId)
  // Without an update, the first of several candles of a time stays.
  const ordered = inOrder(update ? candles : candles.toReversed())
  const given = toColumns(ordered, interval, series)
  const stored = await readBlocksAt(tx, series.ref, levelOf(interval), given.openedAt)
  const places = new Map<number, number>()
  for (const [place, time] of stored.openedAt.entries()) places.set(time, place)
  const counts = { added: 0, changed: 0, known: candles.length - ordered.length }
  const written = ordered.filter(({ openedAt }, place) => {
    const storedAt = places.get(openedAt)
    const outcome =
      storedAt === undefined ? 'added' : update && given.differsAt(place, stored, storedAt) ? 'changed' : 'known'
    counts[outcome] += 1
    return outcome !== 'known'
  })
  if (written.length > 0)
    await markChanged(tx, { markets: [await insertCandles(tx, marketId, interval, written, now)] })
  return counts
}

/** Sorts by time; the last candle of a time wins. */
function inOrder(candles: readonly NewCandle[]): readonly NewCandle[] {
  const isInOrder = candles.every(
    ({ openedAt }, index) => index === 0 || (candles[index - 1]?.openedAt ?? 0) < openedAt,
  )
  if (isInOrder) return candles
  return [...new Map(candles.map((candle) => [candle.openedAt, candle])).values()].sort(
    (a, b) => a.openedAt - b.openedAt,
  )
}

function toColumns(candles: readonly NewCandle[], interval: StoredInterval, series: Series): CandleColumns {
  const columns = new CandleColumns(candles.length)
  for (const [place, candle] of candles.entries()) {
    const { openedAt, open, high, low, close, volume, quoteVolume, tradeCount } = toUnits(candle, interval, series)
    columns.openedAt[place] = openedAt
    columns.open[place] = open
    columns.high[place] = high
    columns.low[place] = low
    columns.close[place] = close
    columns.volume.set(place, volume)
    columns.quoteVolume.set(place, quoteVolume)
    columns.tradeCount.set(place, tradeCount)
  }
  return columns
}

function toCandles(columns: CandleColumns, series: Series, interval: CandleInterval, now: number): Candle[] {
  const { openedAt, open, high, low, close, volume, quoteVolume, tradeCount } = columns
  const candles: Candle[] = []
  for (let place = 0; place < columns.length; place += 1) {
    const at = openedAt[place] ?? 0
    const closed = closesAt(interval, at)
    const traded = fromUnits(volume.at(place) ?? 0, series.volumeDecimals)
    const quoteUnits = quoteVolume.at(place)
    const quoted = quoteUnits === null ? null : fromUnits(quoteUnits, series.quoteVolumeDecimals)
    candles.push({
      openedAt: candleTime(at),
      closedAt: candleTime(closed),
      open: open[place] ?? 0,
      high: high[place] ?? 0,
      low: low[place] ?? 0,
      close: close[place] ?? 0,
      volume: traded,
      quoteVolume: quoted,
      vwap: quoted && traded ? Math.round((quoted / traded) * 1e8) / 1e8 : null,
      tradeCount: tradeCount.at(place),
      isClosed: closed <= now,
    })
  }
  return candles
}
