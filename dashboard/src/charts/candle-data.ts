import type { MarketCandle } from 'mintick-client'

/** Something that happened, marked at its candle. */
export interface Happening {
  at: string
  kind: 'news' | 'signal'
  tone: 'good' | 'bad' | 'plain'
  title: string
}

export interface CandleData {
  candles: readonly MarketCandle[]
  happenings: readonly Happening[]
  isDaily: boolean
  /** Start of the visible part; all of it by default. */
  from: string | undefined
}

/** Returns the position of the candle in which a time lies; -1 if none. */
export function candleAt(candles: readonly MarketCandle[], at: string): number {
  return candles.findLastIndex(({ openedAt }) => openedAt <= at)
}
