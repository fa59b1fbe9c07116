import { wordSet } from '../word-lists.ts'
import { ratingEvidence } from './analyst-ratings.ts'
import { actionEvidence } from './company-actions.ts'
import { comparisonEvidence } from './comparisons.ts'
import { findTerms, type LexiconMatch } from './lexicon.ts'
import { movementEvidence } from './movement.ts'
import { percentageEvidence } from './percentages.ts'
import { profitLossEvidence } from './profit-loss.ts'
import type { Evidence } from './score.ts'
import { shortfallEvidence } from './shortfalls.ts'
import type { SentimentToken } from './tokens.ts'

/**
 * Returns the evidence in one sentence. Whole statements come first (ratings, turns between profit and loss, company
 * actions) and use up their words, then movements, then comparisons that no movement explains, then single words.
 */
export function sentenceEvidence(tokens: readonly SentimentToken[]): Evidence[] {
  const terms = findTerms(tokens)
  const whole = [
    ...ratingEvidence(tokens),
    ...profitLossEvidence(tokens),
    ...actionEvidence(tokens),
    ...shortfallEvidence(tokens, terms),
  ]
  const free = terms.filter((found) => !whole.some((one) => found.at < one.end && found.end > one.at))
  const moved = [...movementEvidence(tokens, free), ...percentageEvidence(tokens)]
  const compared = comparisonEvidence(tokens, free).filter((one) => !moved.some((move) => isExplainedBy(move, one)))
  const used = [...moved, ...compared]
  const isBusiness = isAboutBusiness(tokens, terms)
  const polar = polarityEvidence(tokens, free, used, isBusiness ? 1 : OFF_TOPIC_FACTOR)
  const all = [...whole, ...used, ...polar]
  if (!isBusiness) for (const one of moved) if (one.hasNoSubject) one.value *= OFF_TOPIC_MOVEMENT_FACTOR
  for (const one of background(tokens, all)) one.value *= BACKGROUND_FACTOR
  for (const one of all) if (!one.isFixed) one.value *= modifierOf(tokens, terms, one.at)
  return all
}

/** In "fell to 5 from 8" the verb already says what the figures say. */
function isExplainedBy(move: Evidence, comparison: Evidence): boolean {
  return move.value !== 0 && move.at >= comparison.at && move.at < comparison.end + 2
}

/** "wins", "guilty" and "crisis" are also words of sport, courts and politics; "bankruptcy" is less so. */
const OFF_TOPIC_FACTOR = 0.5
const OFF_TOPIC_MOVEMENT_FACTOR = 0.75
const STRONG_POLARITY = 1.5

/** Finds evidence after "after" that contradicts the news before it: "finishes lower after a week of gains". */
function background(tokens: readonly SentimentToken[], evidence: readonly Evidence[]): Evidence[] {
  const after = tokens.findIndex((token) => token.text === 'after')
  if (after <= 0) return []
  const news = evidence.filter((one) => one.at < after).reduce((sum, one) => sum + one.value, 0)
  return evidence.filter((one) => one.at > after && one.value * news < 0)
}

const BACKGROUND_FACTOR = 0.4

/** Finds words with a polarity that no other evidence has used. */
function polarityEvidence(
  tokens: readonly SentimentToken[],
  terms: readonly LexiconMatch[],
  used: readonly Evidence[],
  weight: number,
): Evidence[] {
  const evidence: Evidence[] = []
  for (const [index, { at, end, term }] of terms.entries()) {
    if (term.polarity === undefined) continue
    if (used.some((one) => at < one.end && end > one.at)) continue
    if (isInquiryInto(tokens, terms, index)) continue
    const isPlain = Math.abs(term.polarity) < STRONG_POLARITY
    evidence.push({ at, end, value: term.polarity * (isPlain ? weight : Math.sqrt(weight)) })
  }
  return evidence
}

/** Reports whether a term only names the inquiry into the next one: "probe of a crash" is one event. */
function isInquiryInto(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[], index: number): boolean {
  const inquiry = terms[index]
  const event = terms[index + 1]
  if (inquiry === undefined || event === undefined || event.at - inquiry.end > 4) return false
  if (!INQUIRIES.has(tokens[inquiry.at]?.text ?? '') || (event.term.polarity ?? event.term.move?.value ?? 0) >= 0)
    return false
  return INTO.has(tokens[inquiry.end]?.text ?? '') || INTO.has(tokens[inquiry.end - 1]?.text ?? '')
}

const INQUIRIES = wordSet('probe probes investigation investigated lawsuit suit fine')
const INTO = wordSet('of into over after')

/** Returns the effect of the words just before a statement: "not", "could", "despite", "sharply". */
function modifierOf(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[], at: number): number {
  let factor = 1
  for (const { at: from, end, term } of terms) {
    if (from >= at) break
    const gap = at - end
    if (gap > FAR_TOKENS || hasPunctuation(tokens, end, at)) continue
    if (term.isConcession) factor *= CONCESSION_FACTOR
    if (gap > NEAR_TOKENS) continue
    if (term.isNegation) factor *= NEGATION_FACTOR
    if (term.isHedge) factor *= HEDGE_FACTOR
    if (term.intensity !== undefined && gap <= 1) factor *= term.intensity
  }
  return factor
}

const NEAR_TOKENS = 3
const FAR_TOKENS = 8
const CONCESSION_FACTOR = 0.3
/** "did not rise" is weaker than "fell". */
const NEGATION_FACTOR = -0.7
const HEDGE_FACTOR = 0.55

function hasPunctuation(tokens: readonly SentimentToken[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const kind = tokens[at]?.kind
    if (kind === 'mark' || kind === 'stop') return true
  }
  return false
}

/** Reports whether a sentence is about business: it contains a figure, a ticker or a word of finance. */
function isAboutBusiness(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[]): boolean {
  if (terms.some(({ term }) => term.subject !== undefined)) return true
  return tokens.some(
    ({ measure, text }) =>
      measure === 'percent' || measure === 'money' || text.startsWith('$') || BUSINESS_WORDS.has(text),
  )
}

const BUSINESS_WORDS = wordSet(`
  company companies inc corp plc ltd oyj asa ceo customer plant factory premarket investors analyst analysts`)
