import type { MentionedAsset } from './asset.ts'
import {
  AMOUNT,
  COMMODITY_CONTEXT,
  COMPANY_BEFORE,
  COMPANY_DOES,
  COMPANY_HAS,
  CRYPTO_CONTEXT,
  CURRENCY_CONTEXT,
  INDEX_CONTEXT,
  MOVES,
  OTHER_MEANINGS,
} from './context-words.ts'
import { isDescriptor } from './legal-names.ts'
import type { Passage } from './passage.ts'

/** A run of words that may name an asset: `first` and `last` are tokens of the passage. */
export interface Span {
  passage: Passage
  first: number
  last: number
}

/** Whether the words around an ordinary word say that the asset is meant. At least `ENOUGH`, else it stays a word. */
export function contextFor(asset: MentionedAsset, span: Span): number {
  if (hasOtherMeaning(span)) return 0
  if (asset.type === 'equity' || asset.type === 'etf' || asset.type === 'other') return companyContext(span)
  return marketContext(asset.type, span)
}

export const ENOUGH = 1

/** "price target", "visa fees", "meta-analysis", "Times Square". */
export function hasOtherMeaning(span: Span): boolean {
  const { passage, first, last } = span
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  if (first === last) {
    const meanings = OTHER_MEANINGS[passage.tokens[first]?.norm ?? '']
    // A stop between the two makes them strangers: "Visa, fees in focus".
    if (meanings?.before?.has(before) && !isBreak(passage, first)) return true
    if (meanings?.after?.has(after) && !isBreak(passage, last + 1) && !isPossessive(span)) return true
  }
  return false
}

/** A hyphen ties it to another word: "gold-backed", "block-buster". */
export function isCompound({ passage, first, last }: Span): boolean {
  return (
    passage.tokens[last + 1]?.glue === 'hyphen' || (first > passage.from && passage.tokens[first]?.glue === 'hyphen')
  )
}

/** A shortened name that goes on with another firm's words: "Tata | Steel" in a catalogue that knows Tata Motors only. */
export function continuesName({ passage, last }: Span): boolean {
  const next = passage.tokens[last + 1]
  if (next === undefined || last + 1 >= passage.to || next.glue === 'break') return false
  if (passage.tokens[last]?.possessive !== null || next.shape !== 'capital') return false
  if (ENTITY_TAILS.has(next.norm)) return true
  return passage.style === 'sentence' && isDescriptor(next.norm) && !COMPANY_HAS.has(next.norm)
}

/** After a name these make another name, in any style of capitals. */
const ENTITY_TAILS = new Set(
  'foundation university stadium arena field hospitality reit bancorp bancshares mutual theatre theater county island islands beach park street avenue bay'.split(
    ' ',
  ),
)

function companyContext(span: Span): number {
  const { passage, first, last } = span
  if (isCompound(span)) return 0
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  const follows = !isBreak(passage, last + 1)
  let score = 0
  if (isPossessive(span)) score += 0.6
  if (follows && COMPANY_HAS.has(after)) score += 1
  if (follows && COMPANY_DOES.has(after)) score += first === passage.from ? 1 : 0.6
  if (COMPANY_BEFORE.has(before)) score += 0.8
  if (before === 'of' && /^(?:shares|stock|owner|maker|ceo|parent|stake)$/.test(wordAt(passage, first - 2))) score += 1
  if (first === passage.from || isAfterColon(passage, first)) score += 0.2
  if (ARTICLES.has(before)) score -= 1
  if (passage.style === 'sentence') {
    const isInside = first > passage.from && !isBreak(passage, first)
    // A capital inside a sentence is a name; beside another capital it may be a part of a longer one.
    if (isCapital(passage, first) && isInside) score += hasCapitalNeighbour(span) ? 0 : 1
    if (!isCapital(passage, first)) score -= 2
  } else if (passage.style === 'small') score -= 0.5
  return score
}

function marketContext(type: MentionedAsset['type'], span: Span): number {
  const { passage, first, last } = span
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  if (type === 'currency' && (AMOUNT.has(before) || /^\d/.test(before))) return 0
  if (isCompound(span) && type !== 'index') return 0
  let score = 0
  if (MOVES.has(after) && !isBreak(passage, last + 1)) score += 1
  if (before === 'spot' || before === 'of' || before === 'in' || before === 'the' || before === 'for') score += 0.3
  const words = CONTEXT_OF_TYPE[type]
  for (let index = Math.max(passage.from, first - REACH); index < Math.min(passage.to, last + REACH + 1); index++) {
    if ((index < first || index > last) && words?.has(passage.tokens[index]?.norm ?? '')) score += 0.6
  }
  const isName = isCapital(passage, first) && passage.style === 'sentence' && first > passage.from
  // Inside a sentence metals and crops are written small; with a capital they belong to a company's name.
  if (type === 'commodity' && isName && !isBreak(passage, first)) score -= 0.8
  if (type === 'crypto' && passage.style === 'sentence' && !isCapital(passage, first)) score -= 0.4
  return score
}

const REACH = 10
const CONTEXT_OF_TYPE: Partial<Record<MentionedAsset['type'], ReadonlySet<string>>> = {
  commodity: COMMODITY_CONTEXT,
  crypto: CRYPTO_CONTEXT,
  currency: CURRENCY_CONTEXT,
  index: INDEX_CONTEXT,
}
const ARTICLES = new Set([
  'the',
  'a',
  'an',
  'this',
  'that',
  'its',
  'their',
  'his',
  'her',
  'your',
  'our',
  'no',
  'every',
  'each',
])

export function wordAt(passage: Passage, index: number): string {
  if (index < passage.from || index >= passage.to) return ''
  return passage.tokens[index]?.norm ?? ''
}

export function isBreak(passage: Passage, index: number): boolean {
  return index <= passage.from || index >= passage.to || passage.tokens[index]?.glue === 'break'
}

function isPossessive({ passage, last }: Span): boolean {
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

function hasCapitalNeighbour({ passage, first, last }: Span): boolean {
  const isBefore = first - 1 > passage.from && passage.tokens[first]?.glue !== 'break' && isCapital(passage, first - 1)
  const next = passage.tokens[last + 1]
  return isBefore || (last + 1 < passage.to && next?.glue !== 'break' && next?.shape === 'capital')
}
