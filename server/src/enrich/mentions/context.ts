import type { CatalogueAsset } from './asset.ts'
import {
  AMOUNT,
  COMMODITY_CONTEXT,
  COMPANY_BEFORE,
  COMPANY_DOES,
  COMPANY_HAS,
  CRYPTO_CONTEXT,
  CURRENCY_CONTEXT,
  FOREIGN_MOVES,
  FOREIGN_WORDS,
  INDEX_CONTEXT,
  MARKET_NOUNS,
  OTHER_MEANINGS,
  PRICE_MOVES,
} from './context-words.ts'
import { isEnglishWord, isEverydayWord } from './dictionary.ts'
import { FUNCTION_WORDS, isDescriptor } from './legal-names.ts'
import type { Name } from './name-index.ts'
import { isOrdinary, isPersonName } from './ordinary-words.ts'
import type { Passage } from './passage.ts'
import { normalizedWords } from './tokens.ts'

/** Tokens of a passage that may name an asset, from `first` to `last`. */
export interface TokenSpan {
  passage: Passage
  first: number
  last: number
}

/** Scores how much the words around an ordinary word show that it names the asset. It does from `MIN_CONTEXT` on. */
export function contextScore(asset: CatalogueAsset, span: TokenSpan): number {
  if (hasOtherMeaning(span)) return 0
  if (asset.type === 'equity' || asset.type === 'etf' || asset.type === 'other') return companyContext(span)
  return marketContext(asset.type, span)
}

export const MIN_CONTEXT = 1

/** Recognises "price target", "visa fees", "meta-analysis", "Times Square". */
export function hasOtherMeaning(span: TokenSpan): boolean {
  const { passage, first, last } = span
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  if (last - first < 2) {
    const word = wordAt(passage, first)
    const meanings = OTHER_MEANINGS.get(first === last ? word : `${word} ${wordAt(passage, last)}`)
    // A separator keeps the two apart: "Visa, fees in focus".
    if (meanings?.before?.has(before) && !isBreak(passage, first)) return true
    if (meanings?.after?.has(after) && !isBreak(passage, last + 1) && !isPossessive(span)) return true
  }
  return false
}

/** Reports whether a hyphen joins the name to another word: "gold-backed", "block-buster". */
export function isCompound({ passage, first, last }: TokenSpan): boolean {
  return (
    passage.tokens[last + 1]?.glue === 'hyphen' || (first > passage.from && passage.tokens[first]?.glue === 'hyphen')
  )
}

/** Reports whether a short name is part of another firm's name: "Tata Steel" in a catalogue with only Tata Motors. */
export function continuesName({ passage, first, last }: TokenSpan, name: Name): boolean {
  const next = passage.tokens[last + 1]
  if (next === undefined || last + 1 >= passage.to || next.glue === 'break') return false
  if (passage.tokens[last]?.possessive !== null || next.shape !== 'capital') return false
  if (OTHER_ENTITY_WORDS.has(next.norm)) return true
  if (COMPANY_HAS.has(next.norm) || COMPANY_DOES.has(next.norm)) return false
  // "SPX Flow" is not the index.
  const isIndex = name.assets[0]?.type === 'index' && passage.tokens[last]?.shape === 'upper' && !passage.isForeign
  if (isIndex && first === last && passage.style === 'sentence' && !INDEX_CONTEXT.has(next.norm)) return true
  if (name.isShortened && name.isObscure && isDescriptor(next.norm)) return !isOwnWord(name, next.norm)
  if (passage.style !== 'sentence') return false
  if (name.isGeneric) return true
  if (isOwnWord(name, next.norm)) return false
  // "SPX Flow" is not SPX Technologies.
  if (name.isShortened) return name.needsCapitals || isDescriptor(next.norm)
  return name.isObscure && !isDescriptor(next.norm) && !isEnglishWord(next.norm)
}

/** Reports whether the asset's own name has a word: "Agios Pharma" is Agios Pharmaceuticals itself. */
function isOwnWord(name: Name, word: string): boolean {
  if (WIDE_WORDS.has(word)) return true
  const beginning = word.slice(0, 4)
  return name.assets.some((asset) => asset.name.toLowerCase().includes(beginning))
}

const WIDE_WORDS = normalizedWords('international global worldwide holdings group america usa us')

/** Recognises a fund with the name of its manager: "Wells Fargo Advantage Income Opportunities Fund". */
export function isFundOf({ passage, last }: TokenSpan): boolean {
  for (let index = last + 1; index < Math.min(passage.to, last + 7); index++) {
    const token = passage.tokens[index]
    if (token === undefined || token.glue === 'break' || COMPANY_DOES.has(token.norm)) return false
    if (token.shape === 'lower') return false
    if (token.norm === 'fund' || token.norm === 'trust') return index > last + 1
  }
  return false
}

/** Words that make another name of the name before them, whatever the capitals. */
const OTHER_ENTITY_WORDS = normalizedWords(
  'foundation university stadium arena field hospitality reit bancorp bancshares mutual theatre theater county island islands beach park street avenue bay',
)

/** Recognises initials of institutions in other languages (BCE is the central bank), and amounts: "800円安". */
export function isForeignInitials({ passage, first, last }: TokenSpan, type: CatalogueAsset['type']): boolean {
  const isAmount = passage.tokens[first]?.glue === 'none' && /^\d/.test(wordAt(passage, first - 1))
  if (type === 'currency' && isAmount) return true
  return passage.isForeign && first === last && FOREIGN_INITIALS.has(wordAt(passage, first))
}

const FOREIGN_INITIALS = normalizedWords(
  'bce ezb cvm pib bip pil ipc fmi ue onu otan opep ocde cgt ere epa amf opa ops ipo sec',
)

/** Recognises a prefix of one letter and a hyphen: "E-Commerce", "X-Perfect". */
export function isPrefixed({ passage, first }: TokenSpan): boolean {
  return passage.tokens[first]?.glue === 'hyphen' && wordAt(passage, first - 1).length === 1
}

/** Recognises "Carl Icahn" and "Harrison Ford". */
export function isPerson({ passage, first, last }: TokenSpan): boolean {
  if (first !== last) return false
  const own = passage.tokens[first]
  const next = passage.tokens[last + 1]
  if (own?.possessive === null && isPersonName(own.norm) && next?.shape === 'capital' && next.glue === 'space') {
    const isOfCompany = COMPANY_HAS.has(next.norm) || COMPANY_DOES.has(next.norm) || isDescriptor(next.norm)
    if (last + 1 < passage.to && !isOfCompany && !isEverydayWord(next.norm)) return true
  }
  const before = passage.tokens[first - 1]
  if (before === undefined || first === passage.from) return false
  if (own?.glue !== 'space' || before.possessive !== null) return false
  // "Shawn B. Pearson"
  if (before.shape === 'upper' && before.norm.length === 1 && passage.text.charAt(before.end) === '.') return true
  return before.shape === 'capital' && isPersonName(before.norm)
}

/** Reports whether the word ends another name: "Ria Eaton", "Neil deGrasse Tyson". */
export function endsName({ passage, first, last }: TokenSpan, name: Name): boolean {
  const before = passage.tokens[first - 1]
  if (first !== last || before === undefined || first === passage.from || !(name.isObscure || name.isShortened))
    return false
  if (passage.tokens[first]?.glue === 'space' && (ROLES.has(before.norm) || passage.text.charAt(before.start) === '&'))
    return true
  if (first - 1 === passage.from) return false
  if (passage.style !== 'sentence' || passage.tokens[first]?.glue !== 'space' || before.glue === 'break') return false
  if (before.shape !== 'capital' || before.possessive !== null) return false
  return !isOrdinary(before.norm) && !COMPANY_BEFORE.has(before.norm) && !CLAUSE_STARTERS.has(before.norm)
}

function companyContext(span: TokenSpan): number {
  const { passage, first, last } = span
  if (isCompound(span)) return 0
  if (INDEX_NICKNAMES.has(wordAt(passage, first)) && countNear(span, INDEX_TALK) > 0) return 0
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  const follows = !isBreak(passage, last + 1)
  let score = 0
  if (isPossessive(span)) score += 0.8
  if (follows && COMPANY_HAS.has(after)) score += 1
  if (follows && COMPANY_DOES.has(after)) score += first === passage.from ? 1 : 0.7
  else if (follows && first === passage.from && looksLikeVerb(passage, last + 1)) score += 0.8
  // "Apple in talks to buy", "Snowflake 2025 revenue", but not "Target 2030"
  if (follows && after === 'in' && wordAt(passage, last + 2) === 'talks') score += 1
  if (follows && /^(?:19|20)\d\d$/.test(after)) score += COMPANY_HAS.has(wordAt(passage, last + 2)) ? 1 : -1
  if (COMPANY_BEFORE.has(before) || isOwnedByName(span)) score += 0.8
  if (CLAUSE_STARTERS.has(before)) score += 0.3
  if (before === 'of' && /^(?:shares|stock|owner|maker|ceo|parent|stake)$/.test(wordAt(passage, first - 2))) score += 1
  if (first === passage.from || isAfterColon(passage, first)) score += 0.2
  if (ARTICLES.has(before) && !passage.isForeign) score -= 1
  if (isAmongForeignWords(span) && isCapital(passage, first)) score += 1
  if (passage.style === 'sentence') {
    const isInside = first > passage.from && !isBreak(passage, first)
    // A capitalised word inside a sentence is a name; beside another it may be part of a longer name.
    if (isCapital(passage, first) && isInside) score += hasCapitalNeighbour(span) ? 0 : 1
    if (!isCapital(passage, first)) score -= 2
  } else if (passage.style === 'lower') score -= 0.5
  return score
}

/** Recognises the owner or the country before a company: "Dorsey's Block", "Tim Cook's Apple", "Brazil's Vale". */
function isOwnedByName({ passage, first }: TokenSpan): boolean {
  const before = passage.tokens[first - 1]
  if (first === passage.from || before === undefined || before.possessive === null) return false
  return before.shape === 'capital' && (!isEverydayWord(before.norm) || isPersonName(wordAt(passage, first - 2)))
}

/** Reports whether the text has amounts, percentages or words about companies near the span. */
export function isAboutBusiness(span: TokenSpan): boolean {
  const { text, tokens, from, to } = span.passage
  const passage = text.slice(tokens[from]?.start, Math.min(tokens[to - 1]?.end ?? 0, (tokens[from]?.start ?? 0) + 400))
  return /[$€£¥%]/.test(passage) || countNear(span, BUSINESS_WORDS) > 0
}

/** Guesses a verb by its form, in lower case and ending in s: "Apple forecasts". */
function looksLikeVerb(passage: Passage, index: number): boolean {
  const token = passage.tokens[index]
  return (
    token?.shape === 'lower' &&
    /[^s]s$/.test(token.norm) &&
    token.norm.length > 3 &&
    !isOrdinary(token.norm.slice(0, -1))
  )
}

function marketContext(type: CatalogueAsset['type'], span: TokenSpan): number {
  const { passage, first, last } = span
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  if (type === 'currency' && (AMOUNT.has(before) || /^\d/.test(before))) return 0
  if (isCompound(span) && type !== 'index') return 0
  let score = 0
  const follows = !isBreak(passage, last + 1)
  if (follows && PRICE_MOVES.has(after)) score += 1
  else if (follows && MARKET_NOUNS.has(after)) score += 0.7
  if (hasMoveSoon(passage, last)) score += 0.6
  if (passage.isForeign && countNear(span, FOREIGN_MOVES) > 0) score += 1
  if (first === passage.from) score += 0.2
  const isActing = COMPANY_DOES.has(after) || looksLikeVerb(passage, last + 1)
  if (type === 'crypto' && first === passage.from && isActing) score += 0.4
  if (before === 'spot' || before === 'of' || before === 'in' || before === 'the' || before === 'for') score += 0.3
  score += 0.6 * countNear(span, CONTEXT_OF_TYPE[type] ?? new Set())
  const isName = isCapital(passage, first) && passage.style === 'sentence' && first > passage.from
  // Inside a sentence metals and crops are in lower case; capitalised they belong to a company's name.
  if (type === 'commodity' && isName && !isBreak(passage, first) && !passage.isForeign) score -= 0.8
  if (type === 'crypto' && passage.style === 'sentence' && !isCapital(passage, first)) score -= 0.4
  return score
}

/** Finds a price movement within the next words: "Gold and silver fall", "Gold to hit $4,000". */
function hasMoveSoon(passage: Passage, last: number): boolean {
  for (let index = last + 2; index < last + 5; index++) {
    if (isBreak(passage, index)) return false
    if (PRICE_MOVES.has(wordAt(passage, index))) return true
  }
  return false
}

/** Reports whether other languages surround the span, including Chinese, Japanese and Korean characters. */
function isAmongForeignWords(span: TokenSpan): boolean {
  const { passage, first, last } = span
  if (passage.isForeign) return true
  if (CJK.test(wordAt(passage, last + 1)) || CJK.test(wordAt(passage, first - 1))) return true
  return countNear(span, FOREIGN_WORDS) > 0
}

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

function countNear({ passage, first, last }: TokenSpan, words: ReadonlySet<string>): number {
  let count = 0
  for (
    let index = Math.max(passage.from, first - NEAR_TOKENS);
    index < Math.min(passage.to, last + NEAR_TOKENS + 1);
    index++
  ) {
    if ((index < first || index > last) && words.has(passage.tokens[index]?.norm ?? '')) count++
  }
  return count
}

/** Companies that share their name with an index. */
const INDEX_NICKNAMES = new Set(['dow', 'nasdaq'])
const INDEX_TALK = normalizedWords('points futures s p nasdaq dow wall street index stocks industrials blue session')
/** Words before the subject of a clause: "as Apple moves", "will Target raise". */
const CLAUSE_STARTERS = normalizedWords(
  'as why how when if because after before is will can does should could while that',
)
const BUSINESS_WORDS = normalizedWords(`
  inc corp ltd plc shares share stock stocks earnings results profit profits revenue revenues sales guidance outlook
  dividend dividends buyback eps ebitda quarter quarterly q1 q2 q3 q4 ipo bid takeover merger acquisition acquires ceo cfo
  upgraded downgraded rating estimates valuation shareholders investors analyst analysts billion million bln mln
  contract deal fda trial patent stake offering notes bonds layoffs subsidiary plant factory retailer maker presents
  products platform activist`)
const NEAR_TOKENS = 10
const CONTEXT_OF_TYPE: Partial<Record<CatalogueAsset['type'], ReadonlySet<string>>> = {
  commodity: COMMODITY_CONTEXT,
  crypto: CRYPTO_CONTEXT,
  currency: CURRENCY_CONTEXT,
  index: INDEX_CONTEXT,
}
/** Words before the name of a person, or, if written as "&", before the end of a longer name. */
const ROLES = normalizedWords('ceo cfo coo cto president chairman chairwoman senator governor minister mr mrs ms dr')
const ARTICLES = normalizedWords('the a an this that its their his her your our no every each')

export function wordAt(passage: Passage, index: number): string {
  if (index < passage.from || index >= passage.to) return ''
  return passage.tokens[index]?.norm ?? ''
}

export function isBreak(passage: Passage, index: number): boolean {
  return index <= passage.from || index >= passage.to || passage.tokens[index]?.glue === 'break'
}

function isPossessive({ passage, last }: TokenSpan): boolean {
  return passage.tokens[last]?.possessive !== null
}

function isAfterColon(passage: Passage, index: number): boolean {
  const token = passage.tokens[index]
  return token !== undefined && /[:|–—-]\s*$/.test(passage.text.slice(Math.max(0, token.start - 3), token.start))
}

function isCapital(passage: Passage, index: number): boolean {
  const shape = passage.tokens[index]?.shape
  return shape === 'capital' || shape === 'upper'
}

function hasCapitalNeighbour({ passage, first, last }: TokenSpan): boolean {
  const before = wordAt(passage, first - 1)
  const isConnective = CLAUSE_STARTERS.has(before) || FUNCTION_WORDS.has(before) || COMPANY_BEFORE.has(before)
  const isBefore = first > passage.from && !isConnective && !isBreak(passage, first) && isCapital(passage, first - 1)
  const next = passage.tokens[last + 1]
  return isBefore || (last + 1 < passage.to && next?.glue !== 'break' && next?.shape === 'capital')
}
