import type { SearchTerms } from '../db.ts'

// Scripts written without spaces are cut into single characters; a run of them is then searched as a phrase.
const WORD =
  /(?=[\p{L}\p{N}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}]|$)/gu
const ASCII = /^[\x00-\x7f]*$/
const MARKS = /\p{M}+/gu
const MAX_WORD_LENGTH = 64
const HALF_A_CHARACTER = /\p{Surrogate}$/u
export const MAX_QUERY_WORDS = 32

/**
 * Cuts a text into the words that are indexed and searched: lower case, without accents. Both engines are given
 * these words, so that they find the same entries.
 */
export function searchWords(text: string): string[] {
  return cutWords(fold(text))
}

/** The same words with spaces between, in one pass over the characters: what is taken in is long and plenty. */
export function joinedWords(text: string): string {
  const plain = foldLetters(text)
  if (plain.length * 2 > joined.length) growScratch(plain.length * 2)
  if (ASCII.test(plain)) return joinedAscii(plain)
  let length = 0
  let wordLength = 0
  let bits = 0
  for (let index = 0; index < plain.length; index += 1) {
    const code = plain.charCodeAt(index)
    const kind = kinds[code] || findKind(code)
    if (kind === PART) {
      bits |= code
      if (wordLength === 0 && length > 0) joined[length++] = SPACE
      wordLength += 1
      if (wordLength <= MAX_WORD_LENGTH) joined[length++] = code
    } else if (kind === GAP) {
      wordLength = 0
    } else if (kind === LONE) {
      if (length > 0) joined[length++] = SPACE
      joined[length++] = code
      wordLength = 0
      bits |= code
    } else if (kind === HALF) {
      // Rare enough to be left to the expressions.
      return searchWords(text).join(' ')
    }
  }
  // As one byte a character where that is enough: such a text is handled faster.
  if (bits > 127) return Buffer.from(joined.buffer, 0, length * 2).toString('utf16le')
  narrow.set(joined.subarray(0, length))
  return narrow.toString('latin1', 0, length)
}

/** The same where each character is a byte, which is twice as fast: most of what is written is such text. */
function joinedAscii(plain: string): string {
  const bytes = narrow
  const end = bytes.write(plain, 0, 'latin1')
  let length = 0
  let wordLength = 0
  for (let index = 0; index < end; index += 1) {
    const byte = bytes[index] ?? 0
    if ((byte >= LOWER_A && byte <= LOWER_Z) || (byte >= DIGIT_0 && byte <= DIGIT_9)) {
      // What is written never overtakes what is read: before every word but the first stands a character that is none.
      if (wordLength === 0 && length > 0) bytes[length++] = SPACE
      wordLength += 1
      if (wordLength <= MAX_WORD_LENGTH) bytes[length++] = byte
    } else {
      wordLength = 0
    }
  }
  return bytes.toString('latin1', 0, length)
}

/** Where words are put together. One can take twice its length: with the space before it. */
let joined = new Uint16Array(0)
let narrow = Buffer.alloc(0)

function growScratch(length: number): void {
  joined = new Uint16Array(length)
  narrow = Buffer.alloc(length)
}

const SPACE = 32
const LOWER_A = 97
const LOWER_Z = 122
const DIGIT_0 = 48
const DIGIT_9 = 57
const GAP = 1
const PART = 2
/** A word of its own. */
const LONE = 3
const MARK = 4
const HALF = 5

/** What each UTF-16 unit is to a word, once it has come up. */
const kinds = new Uint8Array(65_536)

function findKind(code: number): number {
  const character = String.fromCharCode(code)
  const kind = kindOf(character)
  kinds[code] = kind
  return kind
}

function kindOf(character: string): number {
  if (HALF_A_CHARACTER.test(character)) return HALF
  if (character.replace(MARKS, '') === '') return MARK
  if (character.match(WORD) === null) return GAP
  return `a${character}`.match(WORD)?.length === 2 ? LONE : PART
}

function cutWords(plain: string): string[] {
  return (plain.match(WORD) ?? []).map(cut)
}

function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).replace(HALF_A_CHARACTER, '')
}

function fold(text: string): string {
  return foldLetters(text).replace(MARKS, '')
}

/** Lower case in single characters. Greek writes sigma in another way at the end of a word; SQLite takes the two for the same letter. */
function foldLetters(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.toWellFormed().normalize('NFKD').toLowerCase().replaceAll('ς', 'σ')
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
    const phrase = searchWords(quoted ?? bare ?? '').slice(0, budget)
    if (phrase.length === 0) continue
    budget -= phrase.length
    if (minus === '-') excluded.push(phrase)
    else if (joinsLast) groups.at(-1)?.push(phrase)
    else groups.push([phrase])
    joinsLast = false
  }
  return groups.length + excluded.length === 0 ? undefined : { groups, excluded }
}
