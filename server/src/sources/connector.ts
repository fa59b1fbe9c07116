import type { Static, TObject } from 'typebox'
import type { DataKind } from '../model/data-kinds.ts'
import type { NewCandle, NewMarket, StoredInterval } from '../model/markets.ts'
import type { Odds } from '../model/prediction-markets.ts'
import type { FollowedMarket } from '../store/prediction-markets/followed-markets.ts'
import type { ListedCompany } from './edgar/companies.ts'
import type { FilingRows } from './edgar/filing-rows.ts'
import type { FinancialReport } from './edgar/financial-reports.ts'
import type { Feed } from './feed/feed.ts'
import type { Fetched, FetchRequest } from './fetch/fetcher.ts'
import type { Politeness } from './fetch/host-gate.ts'
import type { Parsed, ParseKind, ParseOptions } from './parse-answer.ts'
import type { VenueMarket } from './venue-market.ts'

/** A part of what a source offers, with how far it has been read after it. */
export interface Batch<State> {
  items: Items
  state: State
}

export type Items =
  | { kind: 'nothing' }
  | { kind: 'entries'; feed: Feed; publisher: FeedPublisher }
  | { kind: 'candles'; market: PairMarket; interval: StoredInterval; candles: NewCandle[]; reasons: string[] }
  | { kind: 'odds'; markets: VenueMarket[]; history: MarketHistory[]; reasons: string[] }
  | { kind: 'companies'; companies: ListedCompany[]; isComplete: boolean; reasons: string[] }
  /** `accessionNumbers` are those that need not be read again, also if they have no rows. */
  | { kind: 'filings'; filings: FilingRows[]; accessionNumbers: string[]; reasons: string[] }
  | { kind: 'reports'; reports: NamedReport[]; figures: FinancialReport[] }

/** An annual or quarterly report in a list of filings. */
export interface NamedReport {
  accessionNumber: string
  formType: string
  cik: string
  companyName?: string | null
  filedAt?: string | null
  filingDate?: string | null
}

/** Odds of the past of a stored market. */
export interface MarketHistory {
  id: string
  odds: Odds[]
}

/** Who publishes a feed, as the operator says. */
export interface FeedPublisher {
  name: string | undefined
  domain: string | undefined
  countryCode: string | undefined
  language: string | undefined
  type: string | undefined
}

/** A market to create for candles, and the asset to create if there is none with this key. */
export interface PairMarket extends Omit<NewMarket, 'id'> {
  assetName: string
}

export interface PollEnd {
  /** Whether there was anything new: sources that change often are read often. */
  isChanged: boolean
  /** The source asks not to be read before this time has passed. */
  leastMs?: number | undefined
}

export interface PollContext<Options, State> {
  options: Options
  /** Empty at first, later what the last batch had. */
  state: Partial<State>
  now: number
  fetch(request: FetchRequest): Promise<Fetched>
  /** Parses in a thread, so that a large answer does not block the service. */
  parse<Kind extends ParseKind>(kind: Kind, bytes: Uint8Array, options?: ParseOptions): Promise<Parsed<Kind>>
  /** Returns which of these accession numbers are stored. */
  knownItems(accessionNumbers: readonly string[]): Promise<ReadonlySet<string>>
  /** Lists stored markets of a venue that have closed and have no result yet. */
  unsettled(venue: string, after: number, limit: number): Promise<FollowedMarket[]>
  /** Lists stored open markets of a venue that have no history yet. */
  withoutHistory(venue: string, after: number, limit: number): Promise<FollowedMarket[]>
}

/** A kind of source: what an operator can set, and how it is read. */
export interface Connector<Schema extends TObject = TObject, State = object> {
  kind: string
  /** The data that it brings. */
  brings: DataKind
  /** The options, as in the SOURCES file. */
  options: Schema
  /** What to do about an option that is missing or wrong. */
  hints?: Readonly<Record<string, string>>
  /** Splits options that name several things to read, such as pairs; the default is one source. */
  split?(options: Static<Schema>): Static<Schema>[]
  /** Returns the address under which a source is known; two sources with the same address are one. */
  keyOf(options: Static<Schema>): string
  politeness: Politeness
  /** Time between two runs: at first, at least, at most. */
  every: { first: number; least: number; most: number }
  /** Reads on from `state`. Each batch is stored and its state saved before the next one is asked for. */
  poll(context: PollContext<Static<Schema>, State>): AsyncGenerator<Batch<State>, PollEnd>
}
