import { parseWords } from '../word-lists.ts'

/** A word of a text. */
export interface Token {
  start: number
  /** Excludes a possessive "'s". */
  end: number
  /** The word in lower case without accents, for comparison with names. */
  norm: string
  /** The norm with the possessive ending: "mcdonalds" for "McDonald's"; null without one. */
  possessive: string | null
  shape: 'upper' | 'capital' | 'lower' | 'other'
  /** The separator before the token; `break` for punctuation. */
  glue: 'none' | 'space' | 'hyphen' | 'break'
}

/** Splits a text into words without addresses and handles. Each Chinese, Japanese or Korean character is a word. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let previousEnd = 0
  let previousLength = 0
  WORDS.lastIndex = 0
  for (let match = WORDS.exec(text); match !== null; match = WORDS.exec(text)) {
    const [whole, address, dotted, cjk, word, possessive] = match
    if (address !== undefined) continue
    const raw = word ?? cjk ?? dotted ?? whole
    const letters = raw === '&' ? 'and' : dotted !== undefined ? raw.replaceAll('.', '') : raw
    // A kana loses no mark: ハ and バ are different letters.
    const norm = cjk ?? (letters.length > MAX_WORD_LENGTH ? '' : normalizeWord(letters))
    tokens.push({
      start: match.index,
      end: match.index + raw.length,
      norm,
      possessive: possessive === undefined ? null : `${norm}s`,
      shape: word === undefined && dotted === undefined ? 'other' : shapeOf(letters),
      glue: tokens.length === 0 ? 'break' : glueOf(text, previousEnd, match.index, previousLength),
    })
    previousEnd = match.index + whole.length
    previousLength = letters.length
  }
  return tokens
}

/** Returns the word in lower case without accents. */
function normalizeWord(word: string): string {
  const lower = word.toLowerCase()
  if (ASCII.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłßæœ]/g, (letter) => PLAIN[letter] ?? letter)
}

/** Parses a list of words separated by white space into a set of norms. */
export function normalizedWords(list: string): ReadonlySet<string> {
  return new Set(parseWords(list).map(normalizeWord))
}

const ASCII = /^[a-z\d]*$/
const PLAIN: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe' }
/** Longer words name no asset. */
const MAX_WORD_LENGTH = 40

/** An address or handle; initials with full stops; a CJK character; a word and its possessive ending; an ampersand. */
const WORDS = new RegExp(
  [
    String.raw`((?:https?:\/\/|www\.)\S+|@[\w.]+)`,
    String.raw`((?<![\p{L}\p{N}.])(?:\p{Lu}\.){2,6}(?:\p{Lu}(?!\p{L}))?)(?!\p{L})`,
    String.raw`([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])`,
    String.raw`([\p{Script=Latin}\p{N}\p{M}]+|\p{L}+?(?=[\p{Script=Latin}\p{N}]|\P{L}|$))(['’][sS](?![\p{L}\p{N}]))?`,
    '&',
  ].join('|'),
  'gu',
)

function shapeOf(word: string): Token['shape'] {
  const lower = word.toLowerCase()
  if (word === lower) return word === word.toUpperCase() ? 'other' : CAMEL.test(word) ? 'capital' : 'lower'
  if (word === word.toUpperCase()) return 'upper'
  return word.charAt(0) !== lower.charAt(0) || CAMEL.test(word) ? 'capital' : 'lower'
}

/** "eBay", "iShares", "i3", "3Com". */
const CAMEL = /^(?:\p{Ll}{1,2}[\p{Lu}\d]|\d+\p{Lu})/u

function glueOf(text: string, from: number, to: number, previousLength: number): Token['glue'] {
  if (from === to) return 'none'
  const between = text.slice(from, Math.min(to, from + 4))
  if (between === ' ') return 'space'
  if (between === '-' || between === '‑' || between === '–') return 'hyphen'
  if (between === '.' || between === "'" || between === '’' || between === '/' || between === '+ ') return 'none'
  // A full stop after an initial or "St." ends no sentence.
  return between === '. ' && previousLength <= 2 ? 'space' : 'break'
}
