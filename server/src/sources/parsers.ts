import { isoTime, isoTimeOrNull } from '../model/time.ts'
import type { Rejected } from './answer.ts'
import { parseBinanceKlines } from './binance/parse.ts'
import type { CandleAnswer } from './candles.ts'
import { parseCoinbaseCandles } from './coinbase/parse.ts'
import { parseDailyCsv } from './daily-csv/parse.ts'
import { parseCompanyFacts } from './edgar/company-facts.ts'
import { parseFilingIndex } from './edgar/filing-index.ts'
import { parseBeneficialOwnership } from './edgar/forms/beneficial-ownership.ts'
import { parseEightK } from './edgar/forms/eight-k.ts'
import { parseForm144 } from './edgar/forms/form-144.ts'
import { parseFormD } from './edgar/forms/form-d.ts'
import { parseOwnership } from './edgar/forms/ownership.ts'
import { parseThirteenF } from './edgar/forms/thirteen-f.ts'
import { parseLatestFilings } from './edgar/latest-filings.ts'
import { parseSubmissions } from './edgar/submissions.ts'
import { parseTickers } from './edgar/tickers.ts'
import type { FeedItem } from './feed/feed.ts'
import { parseFeed } from './feed/parse-feed.ts'
import { parseKalshi } from './kalshi/parse.ts'
import { parseKrakenOhlc } from './kraken/parse.ts'
import { parseManifold } from './manifold/parse.ts'
import { parsePolymarket } from './polymarket/parse.ts'
import type { VenueAnswer } from './venue-market.ts'

interface ParsedFile {
  /** Records in the form of the API, without the fields that are derived when they are stored. */
  records: Iterable<object>
  rejected: Rejected[]
}

/** Parses an answer of a vendor; throws ParseError if it cannot be read. `now` is epoch milliseconds. */
export type Parser = (bytes: Uint8Array, now: number) => ParsedFile

/** Parsers by kind, the first argument of `mintick parse`. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  feed: (bytes) => ({ records: parseFeed(bytes).items.map(itemRecord), rejected: [] }),
  'kraken-ohlc': (bytes) => candleRecords(parseKrakenOhlc(bytes)),
  'coinbase-candles': (bytes) => candleRecords(parseCoinbaseCandles(bytes)),
  'binance-klines': (bytes) => candleRecords(parseBinanceKlines(bytes)),
  'daily-csv': (bytes) => candleRecords(parseDailyCsv(bytes)),
  polymarket: (bytes) => oddsRecords(parsePolymarket(bytes)),
  kalshi: (bytes) => oddsRecords(parseKalshi(bytes)),
  manifold: (bytes, now) => oddsRecords(parseManifold(bytes, now)),
  'sec-ownership': (bytes) => ({ records: parseOwnership(bytes), rejected: [] }),
  'sec-13f': (bytes) => {
    const { cover, holdings, rejected } = parseThirteenF(bytes)
    return { records: cover === null ? holdings : [cover, ...holdings], rejected }
  },
  'sec-13dg': (bytes) => ({ records: [parseBeneficialOwnership(bytes)], rejected: [] }),
  'sec-form-d': (bytes) => ({ records: [parseFormD(bytes)], rejected: [] }),
  'sec-144': (bytes) => ({ records: parseForm144(bytes), rejected: [] }),
  'sec-8k': (bytes) => ({ records: [parseEightK(bytes)], rejected: [] }),
  'sec-submissions': (bytes) => {
    const { filings, rejected } = parseSubmissions(bytes)
    return { records: filings, rejected }
  },
  'sec-companyfacts': (bytes) => {
    // The records of a large company need much memory, so they are created one by one, after a check of the whole file.
    for (const _ of parseCompanyFacts(bytes));
    return { records: parseCompanyFacts(bytes), rejected: [] }
  },
  'sec-tickers': (bytes) => {
    const { tickers, rejected } = parseTickers(bytes)
    return { records: tickers, rejected }
  },
  'sec-atom': (bytes) => ({ records: parseLatestFilings(bytes), rejected: [] }),
  'sec-index': (bytes) => {
    const { filings, rejected } = parseFilingIndex(bytes)
    return { records: filings, rejected }
  },
}

/** Items as in the document; only intake rejects some. */
const itemRecord = (item: FeedItem) => ({ ...item, publishedAt: isoTimeOrNull(item.publishedAt) })

function candleRecords({ candles, rejected }: CandleAnswer): ParsedFile {
  const records = candles.map(({ openedAt, open, high, low, close, volume }) => ({
    openedAt: isoTime(openedAt),
    open,
    high,
    low,
    close,
    volume,
  }))
  return { records, rejected }
}

function oddsRecords({ markets, history, rejected }: VenueAnswer): ParsedFile {
  return { records: [...markets, ...history.map((point) => ({ ...point, at: isoTime(point.at) }))], rejected }
}
