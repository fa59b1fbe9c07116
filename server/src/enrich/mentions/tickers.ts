import type { CatalogueAsset } from './asset.ts'
import { CRYPTO_CONTEXT } from './context-words.ts'
import { ABBREVIATIONS, isOrdinary } from './ordinary-words.ts'
import type { Passage } from './passage.ts'
import { findListings, isVenue, normalizeSymbol, type SymbolIndex } from './symbol-index.ts'
import { normalizedWords } from './tokens.ts'

/** A ticker in a text. Its tokens include the exchange; start and end are those of the symbol. */
export interface Ticker {
  first: number
  last: number
  start: number
  end: number
  assets: readonly CatalogueAsset[]
  /** Marked as a ticker by a $, an exchange or brackets. */
  isMarked: boolean
  /** On another exchange than in the catalogue: counts only if the name is mentioned too. */
  isElsewhere: boolean
}

export function findTickers(passage: Passage, symbols: SymbolIndex): Ticker[] {
  const tickers: Ticker[] = []
  const { text, tokens } = passage
  for (let index = passage.from; index < passage.to; index++) {
    const token = tokens[index]
    if (token === undefined) break
    const venue = token.shape === 'lower' ? null : qualifiedTicker(passage, index, symbols)
    const found =
      venue ??
      (text.charAt(token.start - 1) === '$'
        ? cashtag(passage, index, symbols)
        : token.shape === 'upper' || token.shape === 'other'
          ? bareTicker(passage, index, symbols)
          : null)
    if (found === null) continue
    tickers.push(found)
    index = found.last
  }
  return tickers
}

/** Reads "NASDAQ: AAPL", "NYSE American: IMO", "TSX:SHOP". */
function qualifiedTicker(passage: Passage, index: number, symbols: SymbolIndex): Ticker | null {
  const { text, tokens } = passage
  const venue = tokens[index]?.norm ?? ''
  if (venue.length < 3 || !isVenue(venue)) return null
  let last = index
  while (last < index + 3 && VENUE_WORDS.has(tokens[last + 1]?.norm ?? '')) last++
  const colon = COLON.exec(text.slice(tokens[last]?.end, (tokens[last]?.end ?? 0) + 4))
  if (colon === null) return null
  const start = (tokens[last]?.end ?? 0) + colon[0].length
  return readSymbol(passage, start, index, symbols, venue, true)
}

/** Reads "$TSLA", "$BRK.B", "$btc", but not the amounts "$5" and "$USD5". */
function cashtag(passage: Passage, index: number, symbols: SymbolIndex): Ticker | null {
  const start = passage.tokens[index]?.start ?? 0
  const raw = passage.text.slice(start, start + 12)
  if (!/^[A-Za-z]{1,6}(?:[.-][A-Za-z]{1,2})?(?![\p{L}\p{N}])/u.test(raw)) return null
  return readSymbol(passage, start, index, symbols, null, true)
}

/** Reads "(TSLA)", "TSLA.O", "NVDA shares"; short ones only beside words about stocks. */
function bareTicker(passage: Passage, index: number, symbols: SymbolIndex): Ticker | null {
  const { text, tokens } = passage
  const token = tokens[index]
  if (token === undefined || token.norm.length > 8 || token.end - token.start !== token.norm.length) return null
  const suffixed = SUFFIXED.exec(text.slice(token.start, token.start + 14))
  if (suffixed !== null) {
    const listed = readSymbol(passage, token.start, index, symbols, suffixed[1] ?? '', true)
    if (listed !== null) return listed
  }
  if (token.shape !== 'upper' || token.norm.length < 2) return null
  const ticker = readSymbol(passage, token.start, index, symbols, null, false)
  if (ticker === null) return null
  const isBracketed = /[(<[]/.test(text.charAt(ticker.start - 1)) && /[)>\]]/.test(text.charAt(ticker.end))
  const isWord = ABBREVIATIONS.has(token.norm) || isOrdinary(token.norm)
  if (isBracketed && !isWord) return { ...ticker, isMarked: true }
  if (passage.style === 'capitals' || isWord || !fitsAssetType(ticker, passage)) return null
  const isNearStockWord =
    STOCK_WORDS.has(tokens[index + 1]?.norm ?? '') || STOCK_WORDS_BEFORE.has(tokens[index - 1]?.norm ?? '')
  if (token.norm.length < 3 && !STOCK_WORDS.has(tokens[index + 1]?.norm ?? '')) return null
  // "SPX Flow" is another company's name.
  const next = tokens[index + 1]
  if (next?.shape === 'capital' && next.glue === 'space' && passage.style === 'sentence' && !isNearStockWord)
    return null
  return token.norm.length >= 4 || isNearStockWord || !/[aeiou]/.test(token.norm) ? ticker : null
}

const MAX_DISTANCE = 30

/** Symbols of coins are often words or initials, so they need other words about crypto nearby. */
function fitsAssetType(ticker: Ticker, passage: Passage): boolean {
  if (ticker.assets.some((asset) => asset.type !== 'crypto')) return true
  for (
    let index = Math.max(passage.from, ticker.first - MAX_DISTANCE);
    index < Math.min(passage.to, ticker.last + MAX_DISTANCE);
    index++
  ) {
    if (index >= ticker.first && index <= ticker.last) continue
    if (CRYPTO_CONTEXT.has(passage.tokens[index]?.norm ?? '')) return true
  }
  return ticker.assets.some((asset) => asset.symbol === 'BTC' || asset.symbol === 'ETH' || asset.symbol === 'XRP')
}

function readSymbol(
  passage: Passage,
  start: number,
  first: number,
  symbols: SymbolIndex,
  venue: string | null,
  isMarked: boolean,
): Ticker | null {
  const raw = SYMBOL.exec(passage.text.slice(start, start + 14))?.[0] ?? ''
  // "BRK.B" is a symbol, "AAPL." ends a sentence, "BARC.L" is a symbol and its exchange. The longer reading comes
  // first.
  for (const reading of raw === '' ? [] : [raw, raw.split(/[.-]/)[0] ?? '']) {
    const known = symbols.byKey.get(normalizeSymbol(reading))
    const isKey = known !== undefined && known.key.length > known.symbol.length
    const suffix = /[.]([A-Za-z]{1,3})$/.exec(reading)?.[1] ?? null
    const { assets, isElsewhere } = isKey
      ? { assets: [known], isElsewhere: false }
      : venue === null && suffix !== null && reading.length > 4 && isVenue(suffix.toLowerCase())
        ? findListings(symbols, reading.slice(0, -suffix.length - 1), suffix)
        : findListings(symbols, reading, venue)
    if (assets.length === 0) continue
    const end = start + reading.length
    let last = first
    while (last + 1 < passage.to && (passage.tokens[last + 1]?.start ?? end) < end) last++
    return { first, last, start, end, assets, isMarked, isElsewhere }
  }
  return null
}

const SYMBOL = /^[A-Za-z\d]{1,8}(?:[.-][A-Za-z]{1,3})?(?![\p{L}\p{N}])/u
const SUFFIXED = /^[A-Z\d]{2,8}\.([A-Z]{1,2})(?![\p{L}\p{N}])/u
const COLON = /^\s?:\s?/
const VENUE_WORDS = normalizedWords('american arca gs gm cm global select market exchange amex nyse nasdaq tsx and')
const STOCK_WORDS = normalizedWords(
  'stock stocks shares share calls puts earnings options price short bulls bears longs dividend chart q1 q2 q3 q4 eps reports beats misses',
)
const STOCK_WORDS_BEFORE = normalizedWords('long short buy sell buying selling bought sold ticker')
