import type { StoredInterval } from '../../model/markets.ts'
import { requestUrl } from '../request-url.ts'

/** The host for market data; api.binance.com refuses some countries. */
export const BINANCE_URL = 'https://data-api.binance.vision'

/** Returns the address of the candles from a time on (epoch milliseconds), at most 1,000. */
export function binanceKlinesUrl(base: string, symbol: string, interval: StoredInterval, from: number): string {
  return requestUrl(base, '/api/v3/klines', { symbol, interval, startTime: from, limit: 1_000 })
}
