/** A word of a text with what the matcher asks of it. */
export interface Token {
  start: number
  /** Without a possessive "'s". */
  end: number
  /** Lower case, without accents: how names are compared. */
  norm: string
  /** "McDonald's" is also compared as "mcdonalds"; null where no possessive follows. */
  possessive: string | null
  shape: 'upper' | 'capital' | 'lower' | 'other'
  /** What stands before it: nothing between the two, a space, a hyphen, or a sign that separates. */
  glue: 'none' | 'space' | 'hyphen' | 'break'
}

/** The words of a text; addresses and handles are left out, each sign of Chinese, Japanese and Korean is a word. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let previousEnd = 0
  let previousLength = 0
  WORDS.lastIndex = 0
  for (let match = WORDS.exec(text); match !== null; match = WORDS.exec(text)) {
    const [whole, address, dotted, dense, word, possessive] = match
    if (address !== undefined) continue
    const raw = word ?? dense ?? dotted ?? whole
    const letters = raw === '&' ? 'and' : dotted !== undefined ? raw.replaceAll('.', '') : raw
    const norm = letters.length > LONGEST_WORD ? '' : normalizeWord(letters)
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

/** Lower case and without accents. */
export function normalizeWord(word: string): string {
  const lower = word.toLowerCase()
  if (ASCII.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłßæœ]/g, (letter) => PLAIN[letter] ?? letter)
}

const ASCII = /^[a-z\d]*$/
const PLAIN: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe' }
/** Longer words name no asset. */
const LONGEST_WORD = 40

/** An address or handle; initials with full stops; a dense sign; a word and its possessive; an ampersand. */
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

/** "eBay", "iShares", "i3": a small letter first, then a capital or a figure; "3Com". */
const CAMEL = /^(?:\p{Ll}{1,2}[\p{Lu}\d]|\d+\p{Lu})/u

function glueOf(text: string, from: number, to: number, previousLength: number): Token['glue'] {
  if (from === to) return 'none'
  const between = text.slice(from, Math.min(to, from + 4))
  if (between === ' ') return 'space'
  if (between === '-' || between === '‑' || between === '–') return 'hyphen'
  if (between === '.' || between === "'" || between === '’' || between === '/' || between === '+ ') return 'none'
  // The full stop of an initial or of "St. Jude"; after a longer word it ends a sentence.
  return between === '. ' && previousLength <= 2 ? 'space' : 'break'
}
