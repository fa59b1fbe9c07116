import type { NewCandle } from '../../../model/markets.ts'
import type { Random } from '../random.ts'
import { type PriceModel, roundPrice, roundTo } from './price-model.ts'

interface CandleDraft {
  openedAt: number
  /** Rounded: the next candle opens at this one's close. */
  open: number
  close: number
  /** Maximum distance of high and low beyond open and close, as a share of the price. */
  reach: number
  /** Expected share of an average day's volume. */
  volumeShare: number
}

export function createCandle(model: PriceModel, random: Random, draft: CandleDraft): NewCandle {
  const { openedAt, open, close, reach, volumeShare } = draft
  const high = roundPrice(model, Math.max(open, close) * (1 + reach * random.next()))
  const low = roundPrice(model, Math.min(open, close) * (1 - reach * random.next()))
  const prices = { openedAt, open, high, low, close }
  if (model.volume === null) return { ...prices, volume: 0, quoteVolume: null, tradeCount: null }
  const { units, trades, decimals, quoteDecimals } = model.volume
  const share = volumeShare * Math.exp(0.35 * random.normal())
  const volume = Math.max(roundTo(units * share, decimals), 10 ** -decimals)
  return {
    ...prices,
    volume,
    quoteVolume: roundTo((volume * (open + high + low + close)) / 4, quoteDecimals),
    tradeCount: Math.max(1, Math.round(trades * share * random.between(0.8, 1.2))),
  }
}
