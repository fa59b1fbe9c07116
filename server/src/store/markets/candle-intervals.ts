import type { CandleInterval, StoredInterval } from '../../model/markets.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../model/time.ts'

/** The intervals at which candles are stored, finest first; the column `level` is an index into this list. */
export const LEVELS = ['1m', '15m', '1h', '1d', '1mo'] as const
export const [MINUTES, QUARTERS, HOURS, DAYS, MONTHS] = [0, 1, 2, 3, 4]

/** The levels at which candles arrive, finest first. */
export const RECEIVED_LEVELS = [MINUTES, HOURS, DAYS]

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

/** The level that an interval is read from; up to `parts` candles of the level make one candle. */
export const READ_FROM: Record<CandleInterval, { level: number; parts: number }> = {
  '1m': { level: MINUTES, parts: 1 },
  '5m': { level: MINUTES, parts: 5 },
  '15m': { level: QUARTERS, parts: 1 },
  '30m': { level: QUARTERS, parts: 2 },
  '1h': { level: HOURS, parts: 1 },
  '4h': { level: HOURS, parts: 4 },
  '1d': { level: DAYS, parts: 1 },
  '1w': { level: DAYS, parts: 7 },
  '1mo': { level: MONTHS, parts: 1 },
}

export const levelOf = (interval: StoredInterval): number => LEVELS.indexOf(interval)

export const intervalOf = (level: number): (typeof LEVELS)[number] => LEVELS[level] ?? '1mo'

/** Returns the length of the candles of a level; for months, of the longest. */
export const lengthOf = (level: number): number => closesAt(intervalOf(level), 0)

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

function startOfMonth(time: number, later: number): number {
  const date = new Date(time)
  date.setUTCHours(0, 0, 0, 0)
  return date.setUTCMonth(date.getUTCMonth() + later, 1)
}

const CACHED_TIMES = 20_000
const times = new Map<number, string>()

/**
 * Formats the opening or closing time of a candle. Caches the texts: all markets have the same times, and formatting
 * them would cost more than the rest of a list.
 */
export function candleTime(time: number): string {
  const known = times.get(time)
  if (known !== undefined) return known
  if (times.size >= CACHED_TIMES) times.clear()
  const text = isoTime(time)
  times.set(time, text)
  return text
}
