import type { Market, NewCandle, StoredInterval } from '../../model/markets.ts'
import { isoTime } from '../../model/time.ts'
import { opensAt } from './candle-intervals.ts'

/** A candle as stored: volumes are integers in units of the market. */
type CandleUnits = NewCandle

interface Decimals {
  volumeDecimals: number
  quoteVolumeDecimals: number
}

/** Safe integers; the sum of a month of minutes must fit 64 bits. */
const MAX_UNITS: Record<StoredInterval, number> = { '1m': 2 ** 47, '1h': 2 ** 53 - 1, '1d': 2 ** 53 - 1 }
const MAX_TIME = 8.64e15

/** Converts a candle to units; throws if it is invalid. */
export function toUnits(candle: NewCandle, interval: StoredInterval, decimals: Decimals): CandleUnits {
  const { openedAt, open, high, low, close, tradeCount } = candle
  const refuse = (what: string): never => {
    const when = Math.abs(openedAt) <= MAX_TIME ? isoTime(openedAt) : String(openedAt)
    throw new Error(`the ${interval} candle of ${when} is refused: ${what}`)
  }
  if (!(Math.abs(openedAt) <= MAX_TIME) || opensAt(interval, openedAt) !== openedAt) {
    refuse(`it does not open at the start of an interval`)
  }
  if (![open, high, low, close].every(Number.isFinite)) refuse('a price is not a number')
  if (high < low) refuse(`its high ${high} is below its low ${low}`)
  if (open < low || open > high) refuse(`its open ${open} is outside of ${low} to ${high}`)
  if (close < low || close > high) refuse(`its close ${close} is outside of ${low} to ${high}`)

  const count = (name: string, value: number | null, places: number): number | null => {
    if (value === null) return null
    const units = Math.round(value * 10 ** places)
    if (!(units >= 0 && units <= MAX_UNITS[interval])) refuse(`its ${name} is ${value}`)
    return units
  }
  if (tradeCount !== null && !Number.isInteger(tradeCount)) refuse(`its tradeCount is ${tradeCount}`)
  return {
    openedAt,
    open,
    high,
    low,
    close,
    volume: count('volume', candle.volume, decimals.volumeDecimals) ?? refuse('it has no volume'),
    quoteVolume: count('quoteVolume', candle.quoteVolume, decimals.quoteVolumeDecimals),
    tradeCount: count('tradeCount', tradeCount, 0),
  }
}

/** Converts units to the value in the API. */
export const fromUnits = (units: number, decimals: number): number => units / 10 ** decimals

/** Returns null for an index, which is not traded; a day without trades has a volume of 0. */
export function tradedVolume(units: number, series: { type: Market['type']; volumeDecimals: number }): number | null {
  return series.type === 'index' ? null : fromUnits(units, series.volumeDecimals)
}
