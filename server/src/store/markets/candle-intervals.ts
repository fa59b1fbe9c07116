import type { CandleInterval, StoredInterval } from '../../model/markets.ts'
import { DAY, HOUR, MINUTE } from '../../model/time.ts'

/** The intervals at which candles are stored, finest first; the column `level` is an index into this list. */
export const LEVELS = ['1m', '1h', '1d', '1mo'] as const
export const [MINUTES, HOURS, DAYS, MONTHS] = [0, 1, 2, 3]

type FixedInterval = Exclude<CandleInterval, '1mo'>

const LENGTHS: Record<FixedInterval, number> = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '4h': 4 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
}

/** The epoch began on a Thursday. */
const FIRST_MONDAY = -3 * DAY
const originOf = (interval: FixedInterval) => (interval === '1w' ? FIRST_MONDAY : 0)

/** The level that an interval is read from; up to `rows` rows make one candle. */
export const READ_FROM: Record<CandleInterval, { level: number; rows: number }> = {
  '1m': { level: MINUTES, rows: 1 },
  '5m': { level: MINUTES, rows: 5 },
  '15m': { level: MINUTES, rows: 15 },
  '30m': { level: MINUTES, rows: 30 },
  '1h': { level: HOURS, rows: 1 },
  '4h': { level: HOURS, rows: 4 },
  '1d': { level: DAYS, rows: 1 },
  '1w': { level: DAYS, rows: 7 },
  '1mo': { level: MONTHS, rows: 1 },
}

export const levelOf = (interval: StoredInterval): number => LEVELS.indexOf(interval)

/** Returns the opening time of the candle that covers a time. */
export function opensAt(interval: CandleInterval, time: number): number {
  if (interval === '1mo') return startOfMonth(time, 0)
  const beyond = (time - originOf(interval)) % LENGTHS[interval]
  return time - (beyond < 0 ? beyond + LENGTHS[interval] : beyond)
}

/** Returns the end of the candle that opens at this time. */
export function closesAt(interval: CandleInterval, openedAt: number): number {
  return interval === '1mo' ? startOfMonth(openedAt, 1) : openedAt + LENGTHS[interval]
}

/** Returns `opensAt` in SQL. Remainders of times before 1970 are negative on both engines. */
export function opensAtSql(interval: FixedInterval, column: string): string {
  const length = LENGTHS[interval]
  return `${column} - ((${column} - ${originOf(interval)}) % ${length} + ${length}) % ${length}`
}

function startOfMonth(time: number, later: number): number {
  const date = new Date(time)
  date.setUTCHours(0, 0, 0, 0)
  return date.setUTCMonth(date.getUTCMonth() + later, 1)
}
