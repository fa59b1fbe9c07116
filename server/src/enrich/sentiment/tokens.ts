import { wordSet } from '../word-lists.ts'

/** A word, a number or a punctuation mark; `stop` ends a sentence. `text` is in lower case. */
export interface SentimentToken {
  kind: 'word' | 'number' | 'mark' | 'stop'
  text: string
  start: number
  end: number
  /** The value of a number with its unit: 7,400,000 for "7.4 mn", 0.2 for "20 cents". */
  amount: number
  measure: Measure
  /** The currency of an amount; '' if none is given. */
  currency: string
  /** The sign of a number: "+4%", "-2%". */
  sign: 1 | -1 | 0
}

/** The kind of a number; only numbers of one kind can be compared. A bare number may be anything. */
type Measure = 'money' | 'percent' | 'bare' | 'year'

/**
 * Splits a text into tokens. Words are split at hyphens, "doesn't" becomes "does not"; possessive endings, links and
 * user names are dropped. A full stop ends a sentence whatever the case of the next letter, so that a headline in
 * capitals reads the same.
 */
export function sentimentTokens(text: string): SentimentToken[] {
  const tokens: SentimentToken[] = []
  for (const match of text.matchAll(PIECE)) {
    const piece = match[0]
    const start = match.index
    const end = start + piece.length
    const first = piece.charCodeAt(0)
    if (isDigit(first) || (piece.length > 1 && isDigit(piece.charCodeAt(1)) && SIGNS.includes(piece.charAt(0)))) {
      addNumber(tokens, piece, start, text)
    } else if (piece.includes('://') || first === AT) {
      // links and user names
    } else if (piece.length === 1 && MARKS.includes(piece)) {
      addMark(tokens, piece, start, text)
    } else {
      addWord(tokens, piece.toLowerCase(), start, end)
    }
  }
  return tokens
}

const PIECE =
  /https?:\/\/\S+|@\w+|(?<![\p{L}\d.,])[+\-−–]?\d[\d.,]*|\d[\d.,]*|[$#]?\p{L}+(?:['’]\p{L}+)*|[$€£¥%.!?;:,()…|—]/gu
const MARKS = '$€£¥%.!?;:,()…|—'
const SIGNS = '+-−–'
const AT = 64

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function addWord(tokens: SentimentToken[], word: string, start: number, end: number): void {
  const last = tokens.at(-1)
  if (last?.kind === 'number' && last.measure !== 'percent' && applyUnit(last, word, start)) {
    last.end = end
    return
  }
  const beforeLast = tokens.at(-2)
  if (word === 'cent' && last?.text === 'per' && beforeLast?.kind === 'number') {
    tokens.pop()
    beforeLast.measure = 'percent'
    return
  }
  const apostrophe = word.search(/['’]/)
  if (apostrophe < 0) {
    tokens.push(createToken('word', word, start, end))
    return
  }
  const stem = word.slice(0, apostrophe)
  const tail = word.slice(apostrophe + 1)
  if (tail !== 't') {
    tokens.push(createToken('word', tail === 's' || tail.length > 2 ? stem : word.replace('’', "'"), start, end))
    return
  }
  tokens.push(createToken('word', stem === 'won' ? 'will' : stem.endsWith('n') ? stem.slice(0, -1) : stem, start, end))
  tokens.push(createToken('word', 'not', start, end))
}

function addMark(tokens: SentimentToken[], mark: string, start: number, text: string): void {
  const last = tokens.at(-1)
  if (mark === '%') {
    if (last?.kind === 'number') last.measure = 'percent'
    return
  }
  if (!'.!?…'.includes(mark)) {
    tokens.push(createToken('mark', mark, start, start + 1))
    return
  }
  const next = text.charAt(start + 1)
  const ends = next === '' || next === ' ' || '"\'”’)'.includes(next)
  const abbreviated = mark === '.' && last?.kind === 'word' && (last.text.length === 1 || ABBREVIATIONS.has(last.text))
  if (ends && !abbreviated) tokens.push(createToken('stop', mark, start, start + 1))
}

const ABBREVIATIONS = wordSet(`
  inc corp co ltd plc llc cos bros mr mrs ms dr prof st jr sr vs no nos approx est adj sept jan feb mar apr jun jul
  aug sep oct nov dec mn bn mln bln pct cons rtg fy yr`)

function addNumber(tokens: SentimentToken[], piece: string, start: number, text: string): void {
  const signed = SIGNS.includes(piece.charAt(0))
  const digits = piece.slice(signed ? 1 : 0).replace(/[.,]+$/, '')
  const end = start + (signed ? 1 : 0) + digits.length
  const amount = Number(digits.replaceAll(',', ''))
  const before = tokens.at(-1)
  const currency = CURRENCIES.get(before?.text ?? '')
  if (currency !== undefined && before?.kind === 'mark') tokens.pop()
  tokens.push({
    kind: 'number',
    text: digits,
    start,
    end,
    amount: Number.isFinite(amount) ? amount : 0,
    currency: currency ?? '',
    measure: currency !== undefined ? 'money' : YEAR.test(digits) ? 'year' : 'bare',
    sign: !signed ? 0 : piece.startsWith('+') ? 1 : -1,
  })
  const tail = start + piece.length
  if (/[.,]$/.test(piece)) addMark(tokens, piece.charAt(piece.length - 1), tail - 1, text)
}

const YEAR = /^(?:19|20)\d\d$/

/** Currencies by their names. Dollars of all countries count as one: compared amounts have the same currency. */
const CURRENCIES = new Map<string, string>([
  ...['$', 'usd', 'dollar', 'dollars', 'aud', 'cad', 'hkd'].map((name) => [name, 'usd'] as const),
  ...['€', 'eur', 'euro', 'euros'].map((name) => [name, 'eur'] as const),
  ...['£', 'gbp'].map((name) => [name, 'gbp'] as const),
  ...['¥', 'jpy', 'yen'].map((name) => [name, 'jpy'] as const),
  ...['rs', 'inr'].map((name) => [name, 'inr'] as const),
  ...['cny', 'rmb', 'yuan'].map((name) => [name, 'cny'] as const),
  ...['sek', 'nok', 'dkk', 'chf', 'pln', 'rub', 'eek', 'lvl', 'ltl', 'huf', 'czk'].map((code) => [code, code] as const),
])

/** Applies the unit after a number: "7.4 mn", "20 cents", "5 pct". Returns false if the word is no unit. */
function applyUnit(number: SentimentToken, word: string, start: number): boolean {
  if (start - number.end > 1) return false
  if (PERCENT.has(word)) {
    number.measure = 'percent'
    return true
  }
  const currency = CURRENCIES.get(word)
  const factor = currency === undefined ? UNITS.get(word) : 1
  if (factor === undefined) return false
  number.amount *= factor
  number.measure = 'money'
  number.currency ||= currency ?? ''
  return true
}

const PERCENT = new Set(['pct', 'percent', 'pc', 'percentage', 'bps'])

const UNITS = new Map<string, number>([
  ...['k', 'thousand', 'tsd'].map((unit) => [unit, 1e3] as const),
  ...['m', 'mn', 'mln', 'mm', 'million', 'millions', 'mio', 'meur'].map((unit) => [unit, 1e6] as const),
  ...['b', 'bn', 'bln', 'billion', 'billions'].map((unit) => [unit, 1e9] as const),
  ...['t', 'tn', 'trn', 'trillion'].map((unit) => [unit, 1e12] as const),
  ...['cent', 'cents', 'c', 'p', 'pence'].map((unit) => [unit, 0.01] as const),
  ['lakh', 1e5],
  ['crore', 1e7],
  ['cr', 1e7],
])

function createToken(kind: SentimentToken['kind'], text: string, start: number, end: number): SentimentToken {
  return { kind, text, start, end, amount: 0, measure: 'bare', currency: '', sign: 0 }
}

/** Splits tokens at full stops, and at a maximum length, which bounds the time that a text without full stops takes. */
export function splitSentences(tokens: readonly SentimentToken[]): SentimentToken[][] {
  const sentences: SentimentToken[][] = []
  let sentence: SentimentToken[] = []
  for (const token of tokens) {
    sentence.push(token)
    if (token.kind === 'stop' || sentence.length >= MAX_SENTENCE_TOKENS) {
      sentences.push(sentence)
      sentence = []
    }
  }
  if (sentence.length > 0) sentences.push(sentence)
  return sentences
}

const MAX_SENTENCE_TOKENS = 100
