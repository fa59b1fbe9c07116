import { stem } from '../stem.ts'

/** The vocabulary numbers by which terms may match a word of a text; NONE if no term has it. */
export interface WordForms {
  /** As written, for capitalised terms: "Fed", "IPO". */
  asWritten: number
  /** In lower case, for exact terms: "mining" and not "mine". */
  lower: number
  /** The stem, for all other terms. */
  stem: number
  isNumber: boolean
}

export const NONE = -1

/** Numbers the words of terms, and encodes texts by these numbers. */
export class Vocabulary {
  #numbers = new Map<string, number>()
  /** A cache by the word as written in a term: terms share many words, and stemming takes time. */
  #numberOfTermWord = new Map<string, number>()
  #formsOf = new Map<string, WordForms>()

  /**
   * Returns the number of a word as written in a term: `=word`, a capitalised word, or any other, which means its stem.
   */
  add(word: string): number {
    const known = this.#numberOfTermWord.get(word)
    if (known !== undefined) return known
    const key = termKey(word)
    const number = this.#numbers.get(key) ?? this.#numbers.size
    this.#numbers.set(key, number)
    this.#numberOfTermWord.set(word, number)
    this.#formsOf.clear()
    return number
  }

  /** Encodes the words of a text in order, with null at the end of each sentence. */
  encode(text: string): (WordForms | null)[] {
    const words: (WordForms | null)[] = []
    let end = 0
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (SENTENCE_END.test(token)) words.push(null)
      else if (!SKIPPED.test(token)) {
        words.push(this.#forms(token))
        if (text.charAt(index - 1) !== '#') end = words.length
      }
    }
    // Tags after the text name the audience ("#stocks #economy"); within the text they count as words.
    return end === 0 ? words : words.slice(0, end)
  }

  #forms(token: string): WordForms {
    if (token.length > MAX_WORD_LENGTH) return UNKNOWN
    const known = this.#formsOf.get(token)
    if (known !== undefined) return known
    if (this.#formsOf.size >= MAX_CACHED) this.#formsOf.clear()
    const forms = this.#lookUp(plainWord(token))
    this.#formsOf.set(token, forms)
    return forms
  }

  #lookUp(word: string): WordForms {
    const lower = word.toLowerCase()
    const find = (key: string) => this.#numbers.get(key) ?? NONE
    return {
      asWritten: find(word.replace(PLURAL_ACRONYM, '$1')),
      lower: find(`=${lower}`),
      stem: find(`~${stem(lower)}`),
      isNumber: /^\p{N}/u.test(word),
    }
  }
}

const UNKNOWN: WordForms = { asWritten: NONE, lower: NONE, stem: NONE, isNumber: false }
const MAX_WORD_LENGTH = 40
const MAX_CACHED = 50_000

/** Returns the key in the map of all three kinds of words; the kinds cannot collide. */
function termKey(word: string): string {
  if (word.startsWith('=')) return word.toLowerCase()
  return word === word.toLowerCase() ? `~${stem(word)}` : word
}

/** An address or account, "U.S.", a word or number ("S&P", "don't", "1,200.5"), or the end of a sentence. */
const TOKEN =
  /https?:\/\/\S+|www\.\S+|@\w+|\p{Lu}(?:\.\p{Lu})+(?!\p{L})|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:[&'’]|(?<=\p{N})[.,](?=\p{N}))[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|[.!?;|…](?=\s|$)/gu
const SKIPPED = /^(?:https?:\/\/|www\.|@)/
const SENTENCE_END = /^[.!?;|…]/
const PLURAL_ACRONYM = /^([A-Z&]{2,})s$/

/** Removes the possessive ending and the full stops of initials. */
function plainWord(token: string): string {
  const word = token.replace(/['’][sS]?$/, '')
  return /^\p{Lu}(?:\.\p{Lu})+$/u.test(word) ? word.replaceAll('.', '') : word
}
