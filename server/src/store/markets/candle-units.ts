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
  const problem = candleProblem(candle, interval, decimals)
  if (problem !== undefined) {
    const { openedAt } = candle
    const when = Math.abs(openedAt) <= MAX_TIME ? isoTime(openedAt) : String(openedAt)
    throw new Error(`the ${interval} candle of ${when} is refused: ${problem}`)
  }
  const { volume, quoteVolume } = candle
  return {
    ...candle,
    volume: unitsOf(volume, decimals.volumeDecimals),
    quoteVolume: quoteVolume === null ? null : unitsOf(quoteVolume, decimals.quoteVolumeDecimals),
  }
}

/** Returns the reason why a candle is invalid, which starts with the name of a field; undefined if it is valid. */
export function candleProblem(candle: NewCandle, interval: StoredInterval, decimals: Decimals): string | undefined {
  const { openedAt, open, high, low, close, volume, quoteVolume, tradeCount } = candle
  if (!(Math.abs(openedAt) <= MAX_TIME) || opensAt(interval, openedAt) !== openedAt) {
    return `openedAt is not the start of a ${interval} interval`
  }
  for (const name of PRICES) if (!Number.isFinite(candle[name])) return `${name} is not a number`
  if (high < low) return 'high is below low'
  if (open < low || open > high) return 'open is outside of low to high'
  if (close < low || close > high) return 'close is outside of low to high'
  const isCount = (units: number) => units >= 0 && units <= MAX_UNITS[interval]
  if (!isCount(unitsOf(volume, decimals.volumeDecimals))) {
    return `volume is negative or too large for ${decimals.volumeDecimals} decimals`
  }
  if (quoteVolume !== null && !isCount(unitsOf(quoteVolume, decimals.quoteVolumeDecimals))) {
    return `quoteVolume is negative or too large for ${decimals.quoteVolumeDecimals} decimals`
  }
  const isWhole = tradeCount === null || (Number.isInteger(tradeCount) && isCount(tradeCount))
  return isWhole ? undefined : 'tradeCount is not a count'
}

const PRICES = ['open', 'high', 'low', 'close'] as const

const unitsOf = (value: number, decimals: number) => Math.round(value * 10 ** decimals)

/** Converts units to the value in the API. */
export const fromUnits = (units: number, decimals: number): number => units / 10 ** decimals

/** Returns null for an index, which is not traded; a day without trades has a volume of 0. */
export function tradedVolume(units: number, series: { type: Market['type']; volumeDecimals: number }): number | null {
  return series.type === 'index' ? null : fromUnits(units, series.volumeDecimals)
}
