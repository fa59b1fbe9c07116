import { ratingEvidence } from './analyst-ratings.ts'
import { actionEvidence } from './company-actions.ts'
import { comparisonEvidence } from './comparisons.ts'
import { isAboutBusiness } from './frame.ts'
import { findTerms, type LexiconMatch } from './lexicon.ts'
import { movementEvidence } from './movement.ts'
import { percentageEvidence } from './percentages.ts'
import { profitLossEvidence } from './profit-loss.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/**
 * All that one sentence says; the tokens are those of the sentence alone. Whole statements come first (analysts, swings,
 * deeds) and take their words with them, then moves, then figures that no move explains, then single words.
 */
export function sentenceEvidence(tokens: readonly SentimentToken[]): Evidence[] {
  const terms = findTerms(tokens)
  const whole = [...ratingEvidence(tokens), ...profitLossEvidence(tokens), ...actionEvidence(tokens)]
  const free = terms.filter((found) => !whole.some((one) => found.at < one.end && found.end > one.at))
  const moved = [...movementEvidence(tokens, free), ...percentageEvidence(tokens)]
  const compared = comparisonEvidence(tokens, free).filter((one) => !moved.some((move) => isSaidBy(move, one)))
  const used = [...moved, ...compared]
  const isBusiness = isAboutBusiness(tokens, terms)
  const toned = polarityEvidence(free, used, isBusiness ? 1 : OUTSIDE_BUSINESS)
  const all = [...whole, ...used, ...toned]
  if (!isBusiness) for (const one of moved) if (one.hasNoSubject) one.value *= OUTSIDE_BUSINESS_MOVE
  for (const one of background(tokens, all)) one.value *= BACKGROUND
  for (const one of all) if (!one.isFixed) one.value *= modifier(tokens, terms, one.at)
  return all
}

/** "fell to 5 from 8": the verb has said what the figures say. */
function isSaidBy(move: Evidence, comparison: Evidence): boolean {
  return move.value !== 0 && move.at >= comparison.at && move.at < comparison.end + 2
}

/** "wins", "guilty" and "crisis" are words of sport, courts and politics as well; "bankruptcy" is less so. */
const OUTSIDE_BUSINESS = 0.5
const OUTSIDE_BUSINESS_MOVE = 0.75
const UNMISTAKABLE = 1.5

/** "finishes lower after a week of gains": what comes after "after" may explain the news, not contradict it. */
function background(tokens: readonly SentimentToken[], evidence: readonly Evidence[]): Evidence[] {
  const after = tokens.findIndex((token) => token.text === 'after')
  if (after <= 0) return []
  const news = evidence.filter((one) => one.at < after).reduce((sum, one) => sum + one.value, 0)
  return evidence.filter((one) => one.at > after && one.value * news < 0)
}

const BACKGROUND = 0.4

/** Words with a judgement of their own, where no move has taken them. */
function polarityEvidence(terms: readonly LexiconMatch[], used: readonly Evidence[], weight: number): Evidence[] {
  const evidence: Evidence[] = []
  for (const { at, end, term } of terms) {
    if (term.polarity === undefined) continue
    if (used.some((one) => at < one.end && end > one.at)) continue
    const isPlain = Math.abs(term.polarity) < UNMISTAKABLE
    evidence.push({ at, end, value: term.polarity * (isPlain ? weight : Math.sqrt(weight)) })
  }
  return evidence
}

/** What the words just before make of a statement: "not", "could", "despite", "sharply". */
function modifier(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[], at: number): number {
  let factor = 1
  for (const { at: from, end, term } of terms) {
    if (from >= at) break
    const gap = at - end
    if (gap > FAR || hasMark(tokens, end, at)) continue
    if (term.isConcession) factor *= CONCEDED
    if (gap > NEAR) continue
    if (term.isNegation) factor *= NEGATED
    if (term.isHedge) factor *= HEDGED
    if (term.intensity !== undefined && gap <= 1) factor *= term.intensity
  }
  return factor
}

const NEAR = 3
const FAR = 8
const CONCEDED = 0.3
/** "did not rise" is less than "fell". */
const NEGATED = -0.7
const HEDGED = 0.55

function hasMark(tokens: readonly SentimentToken[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const kind = tokens[at]?.kind
    if (kind === 'mark' || kind === 'stop') return true
  }
  return false
}
