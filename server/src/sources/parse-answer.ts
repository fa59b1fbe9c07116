import { ParseError } from './answer.ts'
import { parseBinanceKlines } from './binance/parse.ts'
import { parseCoinbaseCandles } from './coinbase/parse.ts'
import { parseDailyCsv } from './daily-csv/parse.ts'
import { parseFilingIndex } from './edgar/filing-index.ts'
import { parseFiling } from './edgar/filing-rows.ts'
import { parseFinancialReports } from './edgar/financial-reports.ts'
import { parseLatestFilings } from './edgar/latest-filings.ts'
import { parseSubmissions } from './edgar/submissions.ts'
import { parseTickers } from './edgar/tickers.ts'
import { discoverFeeds } from './feed/discover.ts'
import { parseFeed } from './feed/parse-feed.ts'
import { parseKalshi } from './kalshi/parse.ts'
import { parseKrakenOhlc } from './kraken/parse.ts'
import { parseManifold } from './manifold/parse.ts'
import { parsePolymarket } from './polymarket/parse.ts'

export interface ParseOptions {
  contentType?: string | undefined
  url?: string
  now?: number
  /** Forms, and the first and last day, of filings to keep of an index. */
  forms?: readonly string[]
  from?: string
  to?: string
}

const PARSERS = {
  feed: (bytes, { contentType, url }) =>
    parseFeed(bytes, { ...(contentType !== undefined && { contentType }), ...(url !== undefined && { url }) }),
  'feed links': (bytes, { url = '' }) => discoverFeeds(new TextDecoder().decode(bytes), url),
  kraken: parseKrakenOhlc,
  coinbase: parseCoinbaseCandles,
  binance: parseBinanceKlines,
  'daily-csv': parseDailyCsv,
  polymarket: parsePolymarket,
  kalshi: parseKalshi,
  manifold: (bytes, { now = 0 }) => parseManifold(bytes, now),
  'edgar filing': parseFiling,
  'edgar financials': parseFinancialReports,
  'edgar submissions': parseSubmissions,
  'edgar tickers': parseTickers,
  'edgar latest': parseLatestFilings,
  'edgar index': (bytes, wanted) => parseFilingIndex(bytes, wanted),
} satisfies Record<string, (bytes: Uint8Array, options: ParseOptions) => unknown>

export type ParseKind = keyof typeof PARSERS
export type Parsed<Kind extends ParseKind> = ReturnType<(typeof PARSERS)[Kind]>

/** Parses an answer of a source. The message of an error is a sentence about the answer. */
export function parseAnswer<Kind extends ParseKind>(
  kind: Kind,
  bytes: Uint8Array,
  options: ParseOptions,
): Parsed<Kind> {
  try {
    return PARSERS[kind](bytes, options) as Parsed<Kind>
  } catch (error) {
    // The message of a ParseError lacks its subject: "is empty".
    throw error instanceof ParseError ? new Error(`the answer ${error.message}`) : error
  }
}
