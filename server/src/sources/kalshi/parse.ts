import { isoTimeOrNull } from '../../model/time.ts'
import { readJson, readRows, unexpected } from '../answer.ts'
import {
  amountField,
  type Fields,
  isFields,
  listField,
  numberField,
  required,
  shareField,
  textField,
  timeField,
} from '../fields.ts'
import {
  askOrNull,
  bidOrNull,
  type MarketOfEvent,
  type OddsPoint,
  oppositeQuote,
  type Quote,
  roundShare,
  type VenueAnswer,
  type VenueMarket,
  venueSlug,
} from '../venue-market.ts'

/** Parses markets, events with their markets, and candlesticks of the API v2. Ids of outcomes are yes and no. */
export function parseKalshi(bytes: Uint8Array): VenueAnswer {
  const document = readJson(bytes)
  const answer = isFields(document) ? document : { markets: document }
  const candlesticks = candlesticksOf(answer)
  const points = readRows(candlesticks ?? [], toPoint)
  const markets = readRows(candlesticks === undefined ? marketsOf(answer) : [], toMarket)
  return {
    markets: markets.records,
    history: points.records.sort((a, b) => a.at - b.at),
    cursor: textField(answer.cursor),
    rejected: [...points.rejected, ...markets.rejected],
  }
}

/** Events that were requested without their markets have none here. */
function* marketsOf(answer: Fields): Generator<MarketOfEvent> {
  const { event, events, market, markets } = answer
  if (Array.isArray(events)) {
    for (const one of events.filter(isFields)) {
      for (const nested of listField(one.markets)) yield { market: nested, event: one }
    }
    return
  }
  const ofEvent = isFields(event) ? event : {}
  const list = [markets, ofEvent.markets, isFields(market) ? [market] : undefined].find(Array.isArray)
  if (list === undefined) throw unexpected(answer, 'markets, events or candlesticks')
  for (const one of list) yield { market: one, event: ofEvent }
}

function toMarket({ market: given, event }: MarketOfEvent): VenueMarket {
  const market = isFields(given) ? given : {}
  const ticker = required('ticker', textField(market.ticker), market.ticker)
  const eventTicker = textField(market.event_ticker) ?? textField(event.event_ticker) ?? ticker
  const series = textField(event.series_ticker) ?? eventTicker.replace(/-.*/, '')
  const status = statusOf(market)
  const isResolved = status === 'resolved'
  const yes = quoteOf(market)
  const winner = isResolved ? textField(market.result) : null
  const outcome = (id: 'yes' | 'no', label: string, quote: Quote) => ({
    id,
    label,
    ...quote,
    isWinner: isResolved ? winner === id : null,
  })
  return {
    slug: venueSlug('kalshi', ticker),
    venue: 'kalshi',
    venueMarketId: ticker,
    eventTitle: textField(event.title),
    url: `https://kalshi.com/markets/${encodeURIComponent(series.toLowerCase())}#${encodeURIComponent(ticker.toLowerCase())}`,
    imageUrl: null,
    question: questionOf(market, event),
    description: textField(market.subtitle) ?? textField(market.yes_sub_title),
    category: textField(event.category) ?? textField(market.category),
    type: market.market_type === 'scalar' ? 'scalar' : 'binary',
    status,
    isRealMoney: true,
    currency: 'USD',
    probability: yes.probability,
    outcomes: [outcome('yes', 'Yes', yes), outcome('no', 'No', oppositeQuote(yes))],
    // Volumes are numbers of contracts, each of which pays one dollar.
    volume: amountField(market.volume_fp) ?? amountField(market.volume) ?? 0,
    volume24h: amountField(market.volume_24h_fp) ?? amountField(market.volume_24h),
    liquidity: dollars(market, 'liquidity', amountField),
    openInterest: amountField(market.open_interest_fp) ?? amountField(market.open_interest),
    priceChange24h: yes.priceChange24h,
    priceChange7d: null,
    openAt: isoTimeOrNull(timeField(market.open_time)),
    closeAt: isoTimeOrNull(timeField(market.close_time)),
    resolvedAt: isResolved ? isoTimeOrNull(timeField(market.settlement_ts)) : null,
    resolution: isResolved ? resolutionOf(market) : null,
    rules: [textField(market.rules_primary), textField(market.rules_secondary)].filter(Boolean).join('\n\n') || null,
    resolutionSource: sourcesOf(event),
  }
}

/** The markets of an event may share its title; then the label of yes, such as a name, tells them apart. */
function questionOf(market: Fields, event: Fields): string {
  const eventTitle = textField(event.title)
  const title = textField(market.title) ?? eventTitle
  const label = textField(market.yes_sub_title)
  const isShared = title === eventTitle && label !== null && !title?.includes(label)
  return isShared ? `${title} – ${label}` : required('title', title, market.title)
}

/** Unopened and paused markets are open, since trading is ahead. A determined result may still be disputed. */
function statusOf({ status, result }: Fields): VenueMarket['status'] {
  if (status === 'finalized' || status === 'settled') return result === 'void' ? 'cancelled' : 'resolved'
  return ['closed', 'determined', 'disputed', 'amended'].includes(String(status)) ? 'closed' : 'open'
}

function resolutionOf(market: Fields): string | null {
  const result = textField(market.result)
  if (result === 'yes' || result === 'no') return result === 'yes' ? 'Yes' : 'No'
  return textField(market.expiration_value) ?? textField(dollars(market, 'settlement_value', numberField)) ?? result
}

function sourcesOf({ settlement_sources }: Fields): string | null {
  const names = listField(settlement_sources).map((source) => (isFields(source) ? textField(source.name) : null))
  return names.filter(Boolean).join(', ') || null
}

/** Reads a price from its text in dollars, or from the integer of cents that older answers have. */
function dollars(fields: unknown, name: string, read: (value: unknown) => number | null = shareField): number | null {
  if (!isFields(fields)) return null
  const cents = numberField(fields[name])
  return read(fields[`${name}_dollars`]) ?? (cents === null ? null : read(cents / 100))
}

/** Prices of traded contracts are above 0 and below 1; a price of 0 is none. */
function quoteOf(market: Fields): Quote {
  const lastPrice = dollars(market, 'last_price') || null
  const previous = dollars(market, 'previous_price') || null
  const bestBid = bidOrNull(dollars(market, 'yes_bid'))
  const bestAsk = askOrNull(dollars(market, 'yes_ask'))
  return {
    probability: dollars(market, 'settlement_value') ?? probabilityOf(lastPrice, bestBid, bestAsk),
    bestBid,
    bestAsk,
    lastPrice,
    priceChange24h: lastPrice === null || previous === null ? null : roundShare(lastPrice - previous),
  }
}

/** A wider spread says too little about the probability. */
const MAX_SPREAD = 0.1

/** Returns the last price, or the nearest price within the spread if the order book has moved since. */
function probabilityOf(lastPrice: number | null, bestBid: number | null, bestAsk: number | null): number | null {
  if (lastPrice !== null) return Math.min(Math.max(lastPrice, bestBid ?? 0), bestAsk ?? 1)
  if (bestBid === null || bestAsk === null || bestAsk - bestBid > MAX_SPREAD) return null
  return roundShare((bestBid + bestAsk) / 2)
}

interface Candlestick {
  ticker: string | null
  row: unknown
}

/** Lists the candlesticks of a market, of several markets, or of an event; undefined if the answer has none. */
function candlesticksOf(document: Fields): Candlestick[] | undefined {
  const of = (ticker: unknown, rows: unknown) => listField(rows).map((row) => ({ ticker: textField(ticker), row }))
  const { ticker, candlesticks, markets, market_tickers, market_candlesticks } = document
  if (Array.isArray(candlesticks)) return of(ticker, candlesticks)
  if (Array.isArray(market_candlesticks)) {
    return market_candlesticks.flatMap((rows, index) => of(listField(market_tickers)[index], rows))
  }
  const batches = listField(markets).filter(isFields)
  if (!batches.some((batch) => Array.isArray(batch.candlesticks))) return undefined
  return batches.flatMap((batch) => of(batch.market_ticker, batch.candlesticks))
}

/** Without a trade in its period, a candlestick has no prices but the previous one. */
function toPoint({ ticker, row }: Candlestick): OddsPoint {
  const { end_period_ts, price, yes_bid, yes_ask } = isFields(row) ? row : {}
  const lastPrice = dollars(price, 'close') ?? dollars(price, 'previous')
  const bestBid = bidOrNull(dollars(yes_bid, 'close'))
  const bestAsk = askOrNull(dollars(yes_ask, 'close'))
  return {
    venueMarketId: ticker,
    outcomeId: 'yes',
    at: required('end_period_ts', timeField(end_period_ts), end_period_ts),
    probability: required('price', probabilityOf(lastPrice, bestBid, bestAsk), null),
  }
}
