import type { EntryText } from '../text.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { frameFactor } from './frame.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Scores nearer to 0 than this say neither good nor bad. */
export const NEUTRAL_BAND = 0.3

/** How good the news of an entry are for those who hold what it is about, from -1 to 1; 0 when nothing is said. */
export function sentimentOf(text: EntryText): number {
  const title = titleOf(text.title)
  const content = contentOf(text.content)
  // A clear title is coloured by the content, never turned round by it.
  const isAgainst = Math.abs(squash(title)) >= NEUTRAL_BAND && title * content < 0
  return squash(title + (isAgainst ? Math.sign(content) * Math.min(Math.abs(content), Math.abs(title) / 3) : content))
}

function titleOf(text: string): number {
  const tokens = tokensOf(text)
  return weigh(sentencesOf(tokens).flatMap(evidenceOf)) * frameFactor(tokens)
}

/** A headline stands for the entry; of the content the beginning tells most, and more than this is not read. */
const CONTENT_READ = 4000
const CONTENT_WEIGHT = 0.4
const CONTENT_FADE = 0.7

function contentOf(content: string): number {
  let total = 0
  let weight = CONTENT_WEIGHT
  for (const sentence of sentencesOf(tokensOf(content.slice(0, CONTENT_READ)))) {
    const said = weigh(evidenceOf(sentence))
    if (said === 0) continue
    total += weight * Math.tanh(said)
    weight *= CONTENT_FADE
  }
  return total
}

/** The strongest statement of each side counts in full, each further one less: the fifth "rose" is not new. */
export function weigh(evidence: readonly Evidence[]): number {
  return oneSide(evidence, 1) - oneSide(evidence, -1)
}

function oneSide(evidence: readonly Evidence[], sign: 1 | -1): number {
  const values = evidence.map((one) => one.value * sign).filter((value) => value > 0)
  values.sort((a, b) => b - a)
  let total = 0
  let share = 1
  for (const value of values) {
    total += value * share
    share *= 0.55
  }
  return total
}

/** From any sum of evidence to -1..1, to three decimals. */
export function squash(sum: number): number {
  const score = Math.round(Math.tanh(sum * 0.5) * 1000) / 1000
  return score === 0 ? 0 : score
}

/** Runs of tokens up to a full stop; a list without one is cut so that no text takes more than its share of time. */
export function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = []
  let sentence: Token[] = []
  for (const token of tokens) {
    sentence.push(token)
    if (token.kind === 'stop' || sentence.length >= LONGEST_SENTENCE) {
      sentences.push(sentence)
      sentence = []
    }
  }
  if (sentence.length > 0) sentences.push(sentence)
  return sentences
}

const LONGEST_SENTENCE = 100
