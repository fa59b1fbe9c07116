import { MASKS } from './masks.ts'
import { BREAKS, CONCESSIONS, HEDGES, INTENSITIES, NEGATORS, VERSUS } from './modifiers.ts'
import { MOVES, type Side } from './moves.ts'
import { SUBJECTS } from './subjects.ts'
import type { Token } from './tokens.ts'
import { TONES } from './tones.ts'
import { idiomsOf } from './words.ts'

/** What the lexicon says about a word or an idiom. One idiom can do several things: "cut" moves, "losses" moves and hurts. */
export interface Term {
  words: readonly string[]
  move?: { value: number; side: Side }
  subject?: number
  tone?: number
  negates?: boolean
  hedges?: boolean
  concedes?: boolean
  intensity?: number
  versus?: boolean
  breaks?: boolean
  /** Without meaning, and so are the words in it. */
  masked?: boolean
}

/** A term at its place among the tokens: from `at` up to, not including, `end`. */
export interface Found {
  at: number
  end: number
  term: Term
}

/** The longest idioms of the lexicon, left to right, never overlapping; numbers and marks are in none of them. */
export function termsOf(tokens: readonly Token[]): Found[] {
  const found: Found[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]
    const term = token?.kind === 'word' ? longestAt(tokens, at, token.text) : undefined
    if (term === undefined) {
      at++
      continue
    }
    found.push({ at, end: at + term.words.length, term })
    at += term.words.length
  }
  return found
}

function longestAt(tokens: readonly Token[], at: number, first: string): Term | undefined {
  return LEXICON.get(first)?.find((term) => term.words.every((word, i) => tokens[at + i]?.text === word))
}

/** By first word, the longest idioms first. */
const LEXICON = compile()

function compile(): Map<string, Term[]> {
  const terms = new Map<string, Term>()
  const add = (list: string, meaning: Omit<Term, 'words'>) => {
    for (const idiom of idiomsOf(list)) {
      const known = terms.get(idiom)
      if (known === undefined) terms.set(idiom, { words: idiom.split(' '), ...meaning })
      else Object.assign(known, meaning)
    }
  }
  for (const { value, words } of SUBJECTS) add(words, { subject: value })
  for (const { value, words } of TONES) add(words, { tone: value })
  for (const { value, side, words } of MOVES) add(words, { move: { value, side } })
  for (const { value, words } of INTENSITIES) add(words, { intensity: value })
  add(NEGATORS, { negates: true })
  add(HEDGES, { hedges: true })
  add(CONCESSIONS, { concedes: true })
  add(VERSUS, { versus: true })
  add(BREAKS, { breaks: true })
  for (const list of MASKS) {
    for (const idiom of idiomsOf(list)) terms.set(idiom, { words: idiom.split(' '), masked: true })
  }
  const byFirstWord = new Map<string, Term[]>()
  for (const term of terms.values()) {
    const first = term.words[0] ?? ''
    const others = byFirstWord.get(first)
    if (others === undefined) byFirstWord.set(first, [term])
    else others.push(term)
  }
  for (const list of byFirstWord.values()) list.sort((a, b) => b.words.length - a.words.length)
  return byFirstWord
}

/** Whether a word begins any idiom of the lexicon. */
export function isKnownWord(word: string): boolean {
  return LEXICON.has(word)
}
