import type { StoredInterval } from '../../model/markets.ts'
import { requestUrl, unixSeconds } from '../request-url.ts'

export const KRAKEN_URL = 'https://api.kraken.com'

const MINUTES: Readonly<Record<StoredInterval, number>> = { '1m': 1, '1h': 60, '1d': 1_440 }

/**
 * Returns the address of the candles after `since` (epoch milliseconds), such as `lastClosedAt` of the last answer.
 * Kraken has only the newest 720 candles of each interval.
 */
export function krakenOhlcUrl(base: string, pair: string, interval: StoredInterval, since: number | null): string {
  return requestUrl(base, '/0/public/OHLC', {
    pair,
    interval: MINUTES[interval],
    since: since === null ? null : unixSeconds(since),
  })
}
