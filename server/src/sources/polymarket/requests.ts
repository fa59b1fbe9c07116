import { requestUrl, unixSeconds } from '../request-url.ts'

export const GAMMA_URL = 'https://gamma-api.polymarket.com'
export const CLOB_URL = 'https://clob.polymarket.com'

/** Returns the address of a page of events with their markets. Gamma sends at most 100 per page. */
export function polymarketEventsUrl(base: string, isClosed: boolean, cursor: string | null): string {
  return requestUrl(base, '/events/keyset', { limit: 100, closed: String(isClosed), after_cursor: cursor })
}

/** Returns the address of the hourly prices of a token from a time on (epoch milliseconds). */
export function polymarketHistoryUrl(base: string, token: string, from: number, to: number): string {
  return requestUrl(base, '/prices-history', {
    market: token,
    startTs: unixSeconds(from),
    endTs: unixSeconds(to),
    fidelity: 60,
  })
}
