import type { SearchTerms } from '../db.ts'

// Splits scripts without spaces into single characters; a run of them is searched as a phrase.
const WORD =
  /(?=[\p{L}\p{N}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}]|$)/gu
const ASCII = /^[\x00-\x7f]*$/
const MARKS = /\p{M}+/gu
const MAX_WORD_LENGTH = 64
const HALF_A_CHARACTER = /\p{Surrogate}$/u
const MAX_QUERY_WORDS = 32

/**
 * Splits a text into the words to index and search: lower case, without accents. Both engines index these words, so
 * that they find the same rows.
 */
export function searchWords(text: string): string[] {
  return cutWords(fold(text))
}

/** Returns the words of `searchWords` joined by spaces, in one fast pass: every ingested text goes through it. */
export function joinedWords(text: string): string {
  if (text.length * 2 > scratch.length) growScratch(text.length * 2)
  if (ASCII.test(text)) return joinedAscii(text.toLowerCase())
  const joined = scratch
  let length = 0
  let wordLength = 0
  let bits = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const kind = kinds[code] || findKind(code)
    if (kind === PART) {
      if (wordLength === 0 && length > 0) joined[length++] = SPACE
      wordLength += 1
      if (wordLength > MAX_WORD_LENGTH) continue
      const letter = folded[code] ?? 0
      bits |= letter
      joined[length++] = letter
    } else if (kind === GAP) {
      wordLength = 0
    } else if (kind === LONE) {
      if (length > 0) joined[length++] = SPACE
      const letter = folded[code] ?? 0
      bits |= letter
      joined[length++] = letter
      wordLength = 0
    } else if (kind === SEVERAL) {
      return joinedWords(text.normalize('NFKD'))
    } else if (kind === HALF) {
      // Rare enough for the slow path.
      return searchWords(text).join(' ')
    }
  }
  if (bits > 255) return Buffer.from(joined.buffer, 0, length * 2).toString('utf16le')
  // V8 handles strings of one byte per character faster.
  narrow.set(joined.subarray(0, length))
  return narrow.toString('latin1', 0, length)
}

/** Does the same for ASCII, twice as fast. Most texts are ASCII. */
function joinedAscii(plain: string): string {
  const bytes = narrow
  const end = bytes.write(plain, 0, 'latin1')
  let length = 0
  let wordLength = 0
  for (let index = 0; index < end; index += 1) {
    const byte = bytes[index] ?? 0
    if ((byte >= LOWER_A && byte <= LOWER_Z) || (byte >= DIGIT_0 && byte <= DIGIT_9)) {
      // Writing in place never overtakes reading: a non-word character precedes every word but the first.
      if (wordLength === 0 && length > 0) bytes[length++] = SPACE
      wordLength += 1
      if (wordLength <= MAX_WORD_LENGTH) bytes[length++] = byte
    } else {
      wordLength = 0
    }
  }
  return bytes.toString('latin1', 0, length)
}

/** Scratch buffers. A word takes up to twice its length, with the space before it. */
let scratch = new Uint16Array(0)
let narrow = Buffer.alloc(0)

function growScratch(length: number): void {
  scratch = new Uint16Array(length)
  narrow = Buffer.alloc(length)
}

const SPACE = 32
const LOWER_A = 97
const LOWER_Z = 122
const DIGIT_0 = 48
const DIGIT_9 = 57
const GAP = 1
const PART = 2
/** A single character that is a word. */
const LONE = 3
const MARK = 4
const HALF = 5
/** A character that decomposes into several letters. */
const SEVERAL = 6

/** The kind of each UTF-16 code unit, 0 until it is first seen, and the letter that it is folded to. */
const kinds = new Uint8Array(65_536)
const folded = new Uint16Array(65_536)

function findKind(code: number): number {
  const character = String.fromCharCode(code)
  const letters = fold(character)
  const kind = kindOf(character, letters)
  kinds[code] = kind
  folded[code] = letters.charCodeAt(0)
  return kind
}

function kindOf(character: string, letters: string): number {
  if (HALF_A_CHARACTER.test(character)) return HALF
  if (letters === '') return MARK
  if (letters.match(WORD) === null) return GAP
  if (letters.length > 1) return character.normalize('NFKD') === character ? HALF : SEVERAL
  return `a${letters}`.match(WORD)?.length === 2 ? LONE : PART
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

/** Lowercases and decomposes. Replaces the Greek final sigma, which SQLite treats as the same letter. */
function foldLetters(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.toWellFormed().normalize('NFKD').toLowerCase().replaceAll('ς', 'σ')
}

/** The sign after a word of a phrase that stands for all words that begin with it. */
export const PREFIX_SIGN = '*'
const SHORTEST_PREFIX = 2
/** Words of a search that are also found in their other forms; later ones are found as they are. */
const MAX_INFLECTED = 10

interface SearchOptions {
  /** Returns all forms of a word. Words that are not quoted are found in each of them. */
  formsOf?: (word: string) => string[]
  /** The last word of a phrase may be the beginning of a word: users type parts of names. */
  isForNames?: boolean
}

/**
 * Parses a search: all words are required, "quoted words" form a phrase, -word must be absent, `a or b` requires either,
 * and beg* stands for all words that begin with it. AND is the default. Any text is valid; returns undefined for a text
 * without words.
 */
export function parseSearch(
  text: string,
  { formsOf, isForNames = false }: SearchOptions = {},
): SearchTerms | undefined {
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
    const words = searchWords(quoted ?? bare ?? '').slice(0, budget)
    if (words.length === 0) continue
    budget -= words.length
    const isCut = bare?.endsWith(PREFIX_SIGN) === true && (words.at(-1)?.length ?? 0) >= SHORTEST_PREFIX
    const isInflected = bare !== undefined && !isCut && MAX_QUERY_WORDS - budget <= MAX_INFLECTED
    const phrases = [isCut || isForNames ? asBeginning(words) : words]
    if (isInflected && formsOf !== undefined) phrases.push(...otherForms(words, formsOf))
    if (minus === '-') excluded.push(...phrases)
    else if (joinsLast) groups.at(-1)?.push(...phrases)
    else groups.push(phrases)
    joinsLast = false
  }
  return groups.length + excluded.length === 0 ? undefined : { groups, excluded }
}

/** Returns whether a text matches, given its words, each between spaces. */
export function matchesWords({ groups, excluded }: SearchTerms, words: string): boolean {
  const has = (phrase: readonly string[]) => {
    const text = ` ${phrase.join(' ')}`
    return words.includes(text.endsWith(PREFIX_SIGN) ? text.slice(0, -PREFIX_SIGN.length) : `${text} `)
  }
  return groups.every((phrases) => phrases.some(has)) && !excluded.some(has)
}

const asBeginning = (words: readonly string[]) => [...words.slice(0, -1), words.at(-1) + PREFIX_SIGN]

/** Returns a phrase with the other forms of its last word: those before it, as in "rate-cut", rarely change. */
function otherForms(words: readonly string[], formsOf: (word: string) => string[]): string[][] {
  const last = words.at(-1) ?? ''
  return formsOf(last).flatMap((form) => (form === last ? [] : [[...words.slice(0, -1), form]]))
}
