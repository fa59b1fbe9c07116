import { isoTime, isoTimeOrNull } from '../model/time.ts'
import type { Rejected } from './answer.ts'
import { parseBinanceKlines } from './binance/parse.ts'
import type { CandleAnswer } from './candles.ts'
import { parseCoinbaseCandles } from './coinbase/parse.ts'
import { parseDailyCsv } from './daily-csv/parse.ts'
import type { FeedItem } from './feed/feed.ts'
import { parseFeed } from './feed/parse-feed.ts'
import { parseKalshi } from './kalshi/parse.ts'
import { parseKrakenOhlc } from './kraken/parse.ts'
import { parseManifold } from './manifold/parse.ts'
import { parsePolymarket } from './polymarket/parse.ts'
import type { VenueAnswer } from './venue-market.ts'

interface ParsedFile {
  /** Records in the form of the API, without the fields that are derived when they are stored. */
  records: object[]
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
