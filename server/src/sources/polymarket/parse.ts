import { isoTimeOrNull } from '../../model/time.ts'
import { parseJson, readJson, readRows, unexpected } from '../answer.ts'
import {
  amountField,
  changeField,
  type Fields,
  isFields,
  listField,
  required,
  shareField,
  textField,
  timeField,
  urlField,
} from '../fields.ts'
import {
  askOrNull,
  bidOrNull,
  checkCount,
  type MarketOfEvent,
  NO_QUOTE,
  type OddsPoint,
  type Outcome,
  oppositeQuote,
  type Quote,
  type VenueAnswer,
  type VenueMarket,
  venueSlug,
} from '../venue-market.ts'

/**
 * Parses lists and single records of the Gamma API (markets, or events with their markets), and prices-history of the
 * CLOB API, whose points belong to the token of the request. Ids of outcomes are token ids.
 */
export function parsePolymarket(bytes: Uint8Array): VenueAnswer {
  const document = readJson(bytes)
  if (isFields(document) && Array.isArray(document.history)) {
    const { records, rejected } = readRows(document.history, toPoint)
    return { markets: [], history: records.sort((a, b) => a.at - b.at), cursor: null, rejected }
  }
  const { records, rejected } = readRows(marketsOf(recordsOf(document)), toMarket)
  const cursor = isFields(document) ? textField(document.next_cursor) : null
  return { markets: records, history: [], cursor, rejected }
}

function recordsOf(document: unknown): unknown[] {
  if (Array.isArray(document)) return document
  if (isFields(document)) {
    // A page of the keyset lists, or of a search.
    const list = [document.data, document.events, document.markets].find(Array.isArray)
    if (document.question !== undefined || document.title !== undefined) return [document]
    if (list !== undefined) return list
  }
  throw unexpected(document, 'markets, events or price history')
}

function* marketsOf(records: Iterable<unknown>): Generator<MarketOfEvent> {
  for (const record of records) {
    if (!isFields(record)) yield { market: record, event: {} }
    else if (!Array.isArray(record.markets))
      yield { market: record, event: listField(record.events).find(isFields) ?? {} }
    else for (const market of record.markets) yield { market, event: record }
  }
}

function toPoint(row: unknown): OddsPoint {
  const { t, p } = isFields(row) ? row : {}
  const at = required('t', timeField(t), t)
  return { venueMarketId: null, outcomeId: null, at, probability: required('p', shareField(p), p) }
}

function toMarket({ market: given, event }: MarketOfEvent): VenueMarket {
  const market = isFields(given) ? given : {}
  const id = required('id', textField(market.id), market.id)
  const slug = textField(market.slug)
  const eventSlug = textField(event.slug)
  const prices = pricesOf(market)
  const status = statusOf(market, prices)
  const outcomes = outcomesOf(market, prices, status)
  const resolvedAt = timeField(market.closedTime) ?? timeField(market.umaEndDate)
  return {
    slug: venueSlug('polymarket', slug ?? id),
    venue: 'polymarket',
    venueMarketId: id,
    eventTitle: textField(event.title),
    url:
      eventSlug === null
        ? `https://polymarket.com/market/${encodeURIComponent(slug ?? id)}`
        : `https://polymarket.com/event/${encodeURIComponent(eventSlug)}/${encodeURIComponent(slug ?? id)}`,
    imageUrl: urlField(market.image) ?? urlField(market.icon) ?? urlField(event.image),
    question: required('question', textField(market.question), market.question),
    description: textField(market.description),
    category: textField(market.category) ?? textField(event.category) ?? firstTag(event) ?? firstTag(market),
    type: typeOf(market, outcomes),
    status,
    isRealMoney: true,
    currency: 'USD',
    probability: outcomes[0]?.probability ?? null,
    outcomes,
    volume: amountField(market.volumeNum) ?? amountField(market.volume) ?? 0,
    volume24h: amountField(market.volume24hr),
    liquidity: amountField(market.liquidityNum) ?? amountField(market.liquidity),
    openInterest: amountField(market.openInterest),
    priceChange24h: changeField(market.oneDayPriceChange),
    priceChange7d: changeField(market.oneWeekPriceChange),
    openAt: isoTimeOrNull(timeField(market.startDate) ?? timeField(market.createdAt)),
    closeAt: isoTimeOrNull(timeField(market.endDate) ?? timeField(market.endDateIso)),
    resolvedAt: status === 'resolved' ? isoTimeOrNull(resolvedAt) : null,
    resolution: status === 'resolved' ? (outcomes.find(({ isWinner }) => isWinner)?.label ?? SPLIT) : null,
    rules: null,
    resolutionSource: textField(market.resolutionSource) ?? textField(event.resolutionSource),
  }
}

/** The resolution of a market that has no winner: every outcome pays the same. */
const SPLIT = '50-50'

/** Returns the items of a list that Gamma writes as JSON in a text. */
function embeddedList(value: unknown): unknown[] {
  if (typeof value !== 'string') return listField(value)
  try {
    return value.length > MAX_EMBEDDED_LENGTH ? [] : listField(parseJson(value))
  } catch {
    return []
  }
}

const MAX_EMBEDDED_LENGTH = 100_000

/** All prices are 0 before there is one. */
function pricesOf(market: Fields): (number | null)[] {
  const prices = embeddedList(market.outcomePrices).map(shareField)
  return prices.some((price) => price !== 0) ? prices : []
}

/** A price of a closed market above this one is the result. Old markets did not end at 1 exactly. */
const WINNING_PRICE = 0.999
const isWinning = (price: number | null | undefined) => (price ?? 0) > WINNING_PRICE

/** Older markets have no resolution status; their last prices are the result. */
function statusOf({ closed, umaResolutionStatus }: Fields, prices: readonly (number | null)[]): VenueMarket['status'] {
  if (closed !== true) return 'open'
  const isSettled = umaResolutionStatus === 'resolved' || (!umaResolutionStatus && prices.some(isWinning))
  return isSettled ? 'resolved' : 'closed'
}

function outcomesOf(
  market: Fields,
  prices: readonly (number | null)[],
  status: VenueMarket['status'],
): VenueMarket['outcomes'] {
  const tokens = embeddedList(market.clobTokenIds)
  const labels = checkCount(embeddedList(market.outcomes))
  // The order book that a market quotes is that of its first outcome.
  const first: Quote = {
    probability: prices[0] ?? null,
    bestBid: bidOrNull(shareField(market.bestBid)),
    bestAsk: askOrNull(shareField(market.bestAsk)),
    lastPrice: shareField(market.lastTradePrice) || null,
    priceChange24h: changeField(market.oneDayPriceChange),
  }
  const quotes = labels.length === 2 ? [first, oppositeQuote(first)] : [first]
  return labels.map((label, index): Outcome => {
    const text = textField(label) ?? `Outcome ${index + 1}`
    return {
      id: textField(tokens[index]) ?? text.toLowerCase(),
      label: text,
      ...(quotes[index] ?? NO_QUOTE),
      probability: prices[index] ?? null,
      isWinner: status === 'resolved' ? isWinning(prices[index]) : null,
    }
  })
}

function typeOf(market: Fields, outcomes: readonly Outcome[]): VenueMarket['type'] {
  if (market.marketType === 'scalar') return 'scalar'
  return outcomes.length > 2 ? 'categorical' : 'binary'
}

function firstTag({ tags }: Fields): string | null {
  const labels = listField(tags).map((tag) => (isFields(tag) ? textField(tag.label) : null))
  return labels.find((label) => label !== null && label !== 'All') ?? null
}
