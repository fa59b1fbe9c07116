import type { NewPredictionMarket, PredictionMarket } from '../model/prediction-markets.ts'
import { Refused } from '../model/refused.ts'
import type { Rejected } from './answer.ts'
import type { Fields } from './fields.ts'

/**
 * A market as its venue describes it. Its id, assets and topics are added when it is stored; its history is in other
 * answers of the venue.
 */
export type VenueMarket = Omit<NewPredictionMarket, 'id' | 'assetKeys' | 'topicSlugs' | 'history'>

export type Outcome = PredictionMarket['outcomes'][number]

/** A probability at a time in the past. The market or outcome is null if only the request names it. */
export interface OddsPoint {
  venueMarketId: string | null
  outcomeId: string | null
  /** Epoch milliseconds. */
  at: number
  probability: number
}

export interface VenueAnswer {
  markets: VenueMarket[]
  /** Oldest first. */
  history: OddsPoint[]
  /** Where the next page starts; null if there is none. The last page of Manifold is followed by an empty one. */
  cursor: string | null
  rejected: Rejected[]
}

/** A record of a market with the event that it belongs to, empty if it is unknown. */
export interface MarketOfEvent {
  market: unknown
  event: Fields
}

/** Returns the slug of a market by its slug or id at the venue. Lower case, since slugs are looked up in lower case. */
export function venueSlug(venue: PredictionMarket['venue'], name: string): string {
  return `${venue}-${name.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')}`
}

/** Far above the number of outcomes of any market. */
const MAX_OUTCOMES = 1_000

/** Returns the outcomes; refuses a market that has too many for one record. */
export function checkCount<Item>(outcomes: Item[]): Item[] {
  if (outcomes.length > MAX_OUTCOMES) throw new Refused(`it has more than ${MAX_OUTCOMES} outcomes`)
  return outcomes
}

/** Prices of one side of a market with two outcomes. */
export type Quote = Pick<Outcome, 'probability' | 'bestBid' | 'bestAsk' | 'lastPrice' | 'priceChange24h'>

export const NO_QUOTE: Quote = {
  probability: null,
  bestBid: null,
  bestAsk: null,
  lastPrice: null,
  priceChange24h: null,
}

/** Returns the quote of the other side: buying no at 0.3 is selling yes at 0.7. */
export function oppositeQuote({ probability, bestBid, bestAsk, lastPrice, priceChange24h }: Quote): Quote {
  return {
    probability: complement(probability),
    bestBid: complement(bestAsk),
    bestAsk: complement(bestBid),
    lastPrice: complement(lastPrice),
    priceChange24h: priceChange24h === null ? null : 0 - priceChange24h,
  }
}

const complement = (share: number | null): number | null => (share === null ? null : roundShare(1 - share))

/** Removes the noise of floating point: 1 - 0.93 is 0.06999999999999995. */
export const roundShare = (share: number): number => Math.round(share * 1e6) / 1e6

/** A bid of 0 is no bid. */
export const bidOrNull = (price: number | null): number | null => price || null

/** An ask of 0 or 1 is no ask. */
export const askOrNull = (price: number | null): number | null => (price === 1 ? null : price || null)
