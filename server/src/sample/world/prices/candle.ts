import type { NewCandle } from '../../../model/markets.ts'
import type { Random } from '../random.ts'
import { roundPrice, roundTo, type Traits } from './traits.ts'

export interface CandleDraft {
  openedAt: number
  /** Already rounded, since the next one opens where this one closes. */
  open: number
  close: number
  /** How far it may reach beyond open and close, as a share of the price. */
  reach: number
  /** The share of an ordinary day's volume to expect. */
  volumeShare: number
}

export function makeCandle(traits: Traits, random: Random, draft: CandleDraft): NewCandle {
  const { openedAt, open, close, reach, volumeShare } = draft
  const high = roundPrice(traits, Math.max(open, close) * (1 + reach * random.next()))
  const low = roundPrice(traits, Math.min(open, close) * (1 - reach * random.next()))
  const prices = { openedAt, open, high, low, close }
  if (traits.volume === null) return { ...prices, volume: 0, quoteVolume: null, tradeCount: null }
  const { units, trades, decimals, quoteDecimals } = traits.volume
  const share = volumeShare * Math.exp(0.35 * random.normal())
  const volume = Math.max(roundTo(units * share, decimals), 10 ** -decimals)
  return {
    ...prices,
    volume,
    quoteVolume: roundTo((volume * (open + high + low + close)) / 4, quoteDecimals),
    tradeCount: Math.max(1, Math.round(trades * share * random.between(0.8, 1.2))),
  }
}
