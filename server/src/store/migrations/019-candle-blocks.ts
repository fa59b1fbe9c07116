import type { Transaction } from '../db.ts'
import { writeCandles } from '../markets/candle-blocks.ts'
import { CandleColumns } from '../markets/candle-columns.ts'
import { DAYS, HOURS, MINUTES, MONTHS, opensAt, QUARTERS } from '../markets/candle-intervals.ts'

const LEVELS = [MINUTES, HOURS, DAYS, MONTHS]
const ROWS_AT_ONCE = 20_000
const BEFORE_ALL = -9e15

/** Moves the candles from the table `candles`, with a row for each, into blocks, and adds quarters of an hour. */
export async function migrate(tx: Transaction): Promise<void> {
  const markets = await tx.query<{ ref: number }>('select ref from markets order by ref')
  for (const { ref } of markets) {
    for (const [oldLevel, level] of LEVELS.entries()) {
      for (let last = BEFORE_ALL; ; ) {
        const { candles, isEnd } = await readOld(tx, ref, oldLevel, last)
        await writeCandles(tx, ref, level, candles)
        if (level === MINUTES) await writeCandles(tx, ref, QUARTERS, candles.rollUp('15m'))
        if (isEnd) break
        last = candles.openedAt.at(-1) ?? last
      }
    }
  }
  await tx.query('update markets set finest_level = finest_level + 1 where finest_level > 0')
  await tx.query('drop table candles')
}

/** Reads candles that open after a time, up to the end of a quarter of an hour. */
async function readOld(tx: Transaction, ref: number, oldLevel: number, after: number) {
  // Sums of volumes may exceed the safe integers, minutes do not.
  const exact = (column: string) => (oldLevel === 0 ? column : `cast(${column} as text) as ${column}`)
  const rows = await tx.query<OldRow>(
    `select opened_at, open, high, low, close, is_rolled, ${['volume', 'quote_volume', 'trade_count'].map(exact)}
     from candles where market_ref = $1 and level = $2 and opened_at > $3 and opened_at <= 8640000000000000
     order by opened_at limit ${ROWS_AT_ONCE}`,
    [ref, oldLevel, after],
  )
  const candles = new CandleColumns(rows.length)
  for (const [place, row] of rows.entries()) {
    candles.openedAt[place] = row.opened_at
    candles.open[place] = row.open
    candles.high[place] = row.high
    candles.low[place] = row.low
    candles.close[place] = row.close
    candles.volume.set(place, BigInt(row.volume))
    candles.quoteVolume.set(place, row.quote_volume === null ? null : BigInt(row.quote_volume))
    candles.tradeCount.set(place, row.trade_count === null ? null : BigInt(row.trade_count))
    candles.isRolled[place] = row.is_rolled
  }
  if (rows.length < ROWS_AT_ONCE) return { candles, isEnd: true }
  const lastQuarter = opensAt('15m', candles.openedAt.at(-1) ?? 0)
  return { candles: candles.between(BEFORE_ALL, lastQuarter - 1), isEnd: false }
}

interface OldRow {
  opened_at: number
  open: number
  high: number
  low: number
  close: number
  volume: number | string
  quote_volume: number | string | null
  trade_count: number | string | null
  is_rolled: number
}
