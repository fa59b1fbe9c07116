import { stem } from '../stem.ts'

/** How one word of a text can be met by a term: numbers of the vocabulary, or NONE. */
export interface WordForms {
  /** As written, for terms with a capital: "Fed", "IPO". */
  asWritten: number
  /** In lower case, for terms marked as this very word: "mining" and not "mine". */
  lower: number
  /** Its stem, for all other terms. */
  stem: number
  isNumber: boolean
}

export const NONE = -1

/** Gives the words of terms their numbers, and texts their words by these numbers. */
export class Vocabulary {
  #numbers = new Map<string, number>()
  /** By the word as a term writes it: terms share many words, and stems take time. */
  #numberOfTermWord = new Map<string, number>()
  #formsOf = new Map<string, WordForms>()

  /** The number of a word as a term writes it: `=word`, a word with a capital, or any other, which stands for its stem. */
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

  /** The words of a text, in order; null stands where a sentence ends. */
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
    // Tags behind the text name the audience ("#stocks #economy"); within the text they are words of it.
    return end === 0 ? words : words.slice(0, end)
  }

  #forms(token: string): WordForms {
    if (token.length > LONGEST_WORD) return UNKNOWN
    const known = this.#formsOf.get(token)
    if (known !== undefined) return known
    if (this.#formsOf.size >= MOST_REMEMBERED) this.#formsOf.clear()
    const forms = this.#look(plainWord(token))
    this.#formsOf.set(token, forms)
    return forms
  }

  #look(word: string): WordForms {
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
const LONGEST_WORD = 40
const MOST_REMEMBERED = 50_000

/** The three kinds live in one map; no kind can look like another. */
function termKey(word: string): string {
  if (word.startsWith('=')) return word.toLowerCase()
  return word === word.toLowerCase() ? `~${stem(word)}` : word
}

/** An address or a name of an account, "U.S.", a word or number ("S&P", "don't", "1,200.5"), or the end of a sentence. */
const TOKEN =
  /https?:\/\/\S+|www\.\S+|@\w+|\p{Lu}(?:\.\p{Lu})+(?!\p{L})|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:[&'’]|(?<=\p{N})[.,](?=\p{N}))[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|[.!?;|…](?=\s|$)/gu
const SKIPPED = /^(?:https?:\/\/|www\.|@)/
const SENTENCE_END = /^[.!?;|…]/
const PLURAL_ACRONYM = /^([A-Z&]{2,})s$/

/** Without possessive ending and the full stops of initials. */
function plainWord(token: string): string {
  const word = token.replace(/['’][sS]?$/, '')
  return /^\p{Lu}(?:\.\p{Lu})+$/u.test(word) ? word.replaceAll('.', '') : word
}
