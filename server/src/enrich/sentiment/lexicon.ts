import { parseIdioms } from '../word-lists.ts'
import { CLAUSE_STARTS, COMPARISONS, CONCESSIONS, HEDGES, INTENSITIES, NEGATIONS } from './modifiers.ts'
import { MOVEMENT_WORDS, type SubjectSide } from './movement-words.ts'
import { NEUTRAL_IDIOMS } from './neutral-idioms.ts'
import { POLARITY_WORDS } from './polarity-words.ts'
import { SUBJECT_WORDS } from './subject-words.ts'
import type { SentimentToken } from './tokens.ts'

/** A word or an idiom of the lexicon. It may have several roles: "losses" is a subject and has a polarity. */
interface LexiconTerm {
  words: readonly string[]
  move?: { value: number; side: SubjectSide }
  subject?: number
  polarity?: number
  isNegation?: boolean
  isHedge?: boolean
  isConcession?: boolean
  intensity?: number
  isComparison?: boolean
  startsClause?: boolean
}

/** A term found in a sentence: the tokens from `at` up to, not including, `end`. */
export interface LexiconMatch {
  at: number
  end: number
  term: LexiconTerm
}

/** Finds the terms of a sentence from left to right, the longest first, without overlaps. */
export function findTerms(tokens: readonly SentimentToken[]): LexiconMatch[] {
  const found: LexiconMatch[] = []
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

function longestAt(tokens: readonly SentimentToken[], at: number, first: string): LexiconTerm | undefined {
  return LEXICON.get(first)?.find((term) => term.words.every((word, i) => tokens[at + i]?.text === word))
}

/** Terms by their first word, the longest first. */
const LEXICON = compile()

function compile(): Map<string, LexiconTerm[]> {
  const terms = new Map<string, LexiconTerm>()
  const add = (list: string, meaning: Omit<LexiconTerm, 'words'>) => {
    for (const idiom of parseIdioms(list)) {
      const known = terms.get(idiom)
      if (known === undefined) terms.set(idiom, { words: idiom.split(' '), ...meaning })
      else Object.assign(known, meaning)
    }
  }
  for (const { value, words } of SUBJECT_WORDS) add(words, { subject: value })
  for (const { value, words } of POLARITY_WORDS) add(words, { polarity: value })
  for (const { value, side, words } of MOVEMENT_WORDS) add(words, { move: { value, side } })
  for (const { value, words } of INTENSITIES) add(words, { intensity: value })
  add(NEGATIONS, { isNegation: true })
  add(HEDGES, { isHedge: true })
  add(CONCESSIONS, { isConcession: true })
  add(COMPARISONS, { isComparison: true })
  add(CLAUSE_STARTS, { startsClause: true })
  // Terms without a role: their words are not looked up again.
  for (const list of NEUTRAL_IDIOMS) {
    for (const idiom of parseIdioms(list)) terms.set(idiom, { words: idiom.split(' ') })
  }
  const byFirstWord = new Map<string, LexiconTerm[]>()
  for (const term of terms.values()) {
    const first = term.words[0] ?? ''
    const others = byFirstWord.get(first)
    if (others === undefined) byFirstWord.set(first, [term])
    else others.push(term)
  }
  for (const list of byFirstWord.values()) list.sort((a, b) => b.words.length - a.words.length)
  return byFirstWord
}

/** Reports whether a word begins a term of the lexicon. */
export function isKnownWord(word: string): boolean {
  return LEXICON.has(word)
}
