import { requestUrl } from '../request-url.ts'

export const MANIFOLD_URL = 'https://api.manifold.markets/v0'

/** Returns the address of a page of markets, last changed first, without their answers. */
export function manifoldMarketsUrl(base: string, cursor: string | null): string {
  return requestUrl(base, '/markets', { sort: 'updated-time', limit: 1_000, before: cursor })
}

/** Returns the address of a market with its answers. */
export const manifoldMarketUrl = (base: string, id: string): string =>
  requestUrl(base, `/market/${encodeURIComponent(id)}`, {})

/** Returns the address of a page of bets on a market, newest first. */
export function manifoldBetsUrl(base: string, marketId: string, cursor: string | null): string {
  return requestUrl(base, '/bets', { contractId: marketId, limit: 1_000, before: cursor })
}
