import type { Candle, CandleInterval, Chart, ChartRange, NewCandle, StoredInterval } from '../../model/markets.ts'
import { isoTime } from '../../model/time.ts'
import type { Db, Transaction, Value } from '../db.ts'
import { markChanged } from '../lists/catalogue-changes.ts'
import type { Feed } from '../lists/feeds.ts'
import { closesAt, levelOf } from './candle-intervals.ts'
import { type CandleRange, type CandleRow, readCandles } from './candle-read.ts'
import { rollUp } from './candle-rollup.ts'
import { fromUnits, toUnits } from './candle-units.ts'
import { readChart } from './chart.ts'
import { type ClosingPrice, findClose, findLastPriceAt, listDailyCloses } from './closing-prices.ts'
import { lockSeries, type Series } from './markets.ts'
import { updateQuote } from './quotes.ts'

export type Candles = ReturnType<typeof candlesStore>

/** Candles of one market and interval. */
export interface CandleBatch {
  marketId: string
  interval: StoredInterval
  candles: readonly NewCandle[]
}

export function candlesStore(db: Db, catalogues: Feed) {
  const insertAll = (batches: Iterable<CandleBatch>, now: number): Promise<void> => {
    const written = db.transaction(async (tx) => {
      const refs = new Set<number>()
      for (const { marketId, interval, candles } of batches) {
        if (candles.length > 0) refs.add(await insertCandles(tx, marketId, interval, candles, now))
      }
      await markChanged(tx, { markets: [...refs] })
    })
    return written.finally(() => catalogues.changed())
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

    /** Lists candles; `now` decides which ones are closed. */
    async list(series: Series, range: CandleRange, now: number): Promise<Candle[]> {
      const rows = await readCandles(db, series.ref, range)
      const iso = cachedIsoTime()
      return rows.map((row) => toCandle(row, series, range.interval, now, iso))
    },

    /** Returns the last price of an asset known at a time. */
    findClose: (assetKey: string, time: number): Promise<ClosingPrice | undefined> => findClose(db, assetKey, time),

    /** Lists the closes of the last `count` days that had ended by then, oldest first. */
    listDailyCloses: (assetKey: string, time: number, count: number): Promise<ClosingPrice[]> =>
      listDailyCloses(db, assetKey, time, count),

    /** Returns the time of the last known price of an asset. */
    findLastPriceAt: (assetKey: string): Promise<number | undefined> => findLastPriceAt(db, assetKey),

    chart: (series: Series, range: ChartRange): Promise<Chart> => readChart(db, series, range),
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
  await tx.insert('candles', COLUMNS, rowsOf(ordered, interval, series), ON_CONFLICT)
  const times = ordered.map(({ openedAt }) => openedAt)
  await rollUp(tx, series.ref, level, times)
  await updateQuote(tx, series, { level, times: new Set(times), now })
  return series.ref
}

/** Sorts by time, which appends to the index; the last candle of a time wins. */
function inOrder(candles: readonly NewCandle[]): readonly NewCandle[] {
  const isInOrder = candles.every(
    ({ openedAt }, index) => index === 0 || (candles[index - 1]?.openedAt ?? 0) < openedAt,
  )
  if (isInOrder) return candles
  return [...new Map(candles.map((candle) => [candle.openedAt, candle])).values()].sort(
    (a, b) => a.openedAt - b.openedAt,
  )
}

const COLUMNS = [
  'market_ref',
  'level',
  'opened_at',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'quote_volume',
  'trade_count',
  'is_rolled',
]

/** Rows that were rolled up from a finer level stay. */
const ON_CONFLICT = `on conflict (market_ref, level, opened_at) do update set open = excluded.open,
  high = excluded.high, low = excluded.low, close = excluded.close, volume = excluded.volume,
  quote_volume = excluded.quote_volume, trade_count = excluded.trade_count where candles.is_rolled = 0`

/** Yields rows one by one while they are written, which saves memory. */
function* rowsOf(candles: readonly NewCandle[], interval: StoredInterval, series: Series): Generator<Value[]> {
  const level = levelOf(interval)
  for (const candle of candles) {
    const { openedAt, open, high, low, close, volume, quoteVolume, tradeCount } = toUnits(candle, interval, series)
    yield [series.ref, level, openedAt, open, high, low, close, volume, quoteVolume, tradeCount, 0]
  }
}

/** Caches formatted times: most candles open when their neighbour closes, and formatting dominates a list's cost. */
function cachedIsoTime(): (time: number) => string {
  const known = new Map<number, string>()
  return (time) => {
    const text = known.get(time) ?? isoTime(time)
    known.set(time, text)
    return text
  }
}

function toCandle(
  row: CandleRow,
  series: Series,
  interval: CandleInterval,
  now: number,
  iso: (time: number) => string,
): Candle {
  const closedAt = closesAt(interval, row.opened_at)
  const volume = fromUnits(row.volume, series.volumeDecimals)
  const quoteVolume = row.quote_volume === null ? null : fromUnits(row.quote_volume, series.quoteVolumeDecimals)
  return {
    openedAt: iso(row.opened_at),
    closedAt: iso(closedAt),
    open: row.open,
    high: row.high,
    low: row.low,
    close: row.close,
    volume,
    quoteVolume,
    vwap: quoteVolume && volume ? Math.round((quoteVolume / volume) * 1e8) / 1e8 : null,
    tradeCount: row.trade_count,
    isClosed: closedAt <= now,
  }
}
