import type { SearchTerms } from './db.ts'

// Scripts written without spaces are cut into single characters; a run of them is then searched as a phrase.
const WORD =
  /(?=[\p{L}\p{N}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}]|$)/gu
const ASCII = /^[\x00-\x7f]*$/
const MARKS = /\p{M}+/gu
/** Quotation marks and dashes; without them much of what is written in Latin letters is ASCII by now. */
const SIGNS = /[\u2010-\u2027«»]/g
const MAX_WORD_LENGTH = 64
const HALF_A_CHARACTER = /\p{Surrogate}$/u
export const MAX_QUERY_WORDS = 32

/**
 * Cuts a text into the words that are indexed and searched: lower case, without accents. Both engines are given
 * these words, so that they find the same entries.
 */
export function wordsOf(text: string): string[] {
  return cutWords(fold(text))
}

/** The same words with spaces between: a pass over the bytes where these are characters, many times faster. */
export function joinedWords(text: string): string {
  const plain = fold(text)
  if (!ASCII.test(plain)) return cutWords(plain).join(' ')
  const bytes = Buffer.from(plain, 'latin1')
  let end = 0
  let wordLength = 0
  for (const byte of bytes) {
    const isWord = (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57)
    if (isWord && wordLength === 0 && end > 0) bytes[end++] = 32
    wordLength = isWord ? wordLength + 1 : 0
    if (isWord && wordLength <= MAX_WORD_LENGTH) bytes[end++] = byte
  }
  return bytes.toString('latin1', 0, end)
}

function cutWords(plain: string): string[] {
  return (plain.match(WORD) ?? []).map(cut)
}

function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).replace(HALF_A_CHARACTER, '')
}

function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Greek writes sigma in another way at the end of a word; SQLite takes the two for the same letter.
  return text.toWellFormed().normalize('NFKD').replace(MARKS, '').replace(SIGNS, ' ').toLowerCase().replaceAll('ς', 'σ')
}

/**
 * Reads what a caller typed: words are all wanted, "quoted words" stand together, -word must be absent, and
 * `a or b` wants either; AND is what words do anyway. Nothing is an error; a text without any word gives undefined.
 */
export function parseSearch(text: string): SearchTerms | undefined {
  const groups: string[][][] = []
  const excluded: string[][] = []
  let joinsLast = false
  let budget = MAX_QUERY_WORDS
  for (const [token, minus = '', quoted, bare] of text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    if (token === 'AND') continue
    if (token.toLowerCase() === 'or') {
      joinsLast = groups.length > 0
      continue
    }
    const phrase = wordsOf(quoted ?? bare ?? '').slice(0, budget)
    if (phrase.length === 0) continue
    budget -= phrase.length
    if (minus === '-') excluded.push(phrase)
    else if (joinsLast) groups.at(-1)?.push(phrase)
    else groups.push([phrase])
    joinsLast = false
  }
  return groups.length + excluded.length === 0 ? undefined : { groups, excluded }
}
