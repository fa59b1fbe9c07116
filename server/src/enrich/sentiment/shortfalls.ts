import { wordSet } from '../word-lists.ts'
import type { LexiconMatch } from './lexicon.ts'
import { movementEvidence } from './movement.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/**
 * Finds movements and figures that fall short of what was expected: "grows more slowly than forecast" is bad, "falls
 * less than feared" and "a smaller loss than expected" are good.
 */
export function shortfallEvidence(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[]): Evidence[] {
  const evidence: Evidence[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!SHORT_OF.has(tokens[at]?.text ?? '')) continue
    const than = tokens.findIndex(({ text }, index) => index > at && index <= at + 3 && text === 'than')
    if (than < 0) continue
    const expected = tokens.findIndex(({ text }, index) => index > than && index <= than + 3 && EXPECTED.has(text))
    if (expected < 0) continue
    const short = shortOf(tokens, terms, at, expected)
    if (short !== undefined) evidence.push({ at: short.at, end: Math.max(expected + 1, short.end), value: short.value })
    at = expected
  }
  return evidence
}

function shortOf(
  tokens: readonly SentimentToken[],
  terms: readonly LexiconMatch[],
  at: number,
  expected: number,
): Evidence | undefined {
  const next = terms.find((found) => found.at > at && found.at <= expected + 2 && found.term.subject !== undefined)
  if (next?.term.subject !== undefined)
    return { at, end: next.end, value: -Math.sign(next.term.subject) * FIGURE_WEIGHT }
  const before = terms.filter((found) => found.end <= at && found.at >= at - REACH)
  const moved = movementEvidence(tokens, before).findLast(({ value }) => value !== 0)
  if (moved !== undefined) return { at: moved.at, end: moved.end, value: -Math.sign(moved.value) * MOVEMENT_WEIGHT }
  const subject = before.findLast(({ term }) => term.subject !== undefined)
  if (subject?.term.subject === undefined) return undefined
  return { at: subject.at, end: subject.end, value: -Math.sign(subject.term.subject) * FIGURE_WEIGHT }
}

const REACH = 8
const MOVEMENT_WEIGHT = 0.8
const FIGURE_WEIGHT = 1.1
const SHORT_OF = wordSet('less smaller slower slowly fewer narrower')
const EXPECTED = wordSet(
  'expected feared forecast forecasts estimated thought anticipated predicted expectations estimates hoped',
)
