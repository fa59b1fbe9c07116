import type { StoredInterval } from '../../model/markets.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../model/time.ts'
import { requestUrl } from '../request-url.ts'

export const COINBASE_URL = 'https://api.exchange.coinbase.com'

/** Candles of one answer, at most. */
const MAX_CANDLES = 300
const LENGTHS: Readonly<Record<StoredInterval, number>> = { '1m': MINUTE, '1h': HOUR, '1d': DAY }

/** Returns the address of the candles from a time on, as many as one answer may have. */
export function coinbaseCandlesUrl(base: string, product: string, interval: StoredInterval, from: number): string {
  const length = LENGTHS[interval]
  return requestUrl(base, `/products/${encodeURIComponent(product)}/candles`, {
    granularity: length / 1_000,
    start: isoTime(from),
    // The candle that opens at the end is included.
    end: isoTime(from + (MAX_CANDLES - 1) * length),
  })
}
