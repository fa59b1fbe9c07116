import { requestUrl, unixSeconds } from '../request-url.ts'

export const KALSHI_URL = 'https://external-api.kalshi.com/trade-api/v2'

/** Returns the address of a page of events with their markets. */
export function kalshiEventsUrl(base: string, status: 'open' | 'closed' | 'settled', cursor: string | null): string {
  return requestUrl(base, '/events', { with_nested_markets: 'true', status, limit: 200, cursor })
}

/** Returns the address of the hourly candlesticks of a market (epoch milliseconds). */
export function kalshiCandlesticksUrl(base: string, series: string, ticker: string, from: number, to: number): string {
  const path = `/series/${encodeURIComponent(series)}/markets/${encodeURIComponent(ticker)}/candlesticks`
  return requestUrl(base, path, { start_ts: unixSeconds(from), end_ts: unixSeconds(to), period_interval: 60 })
}
