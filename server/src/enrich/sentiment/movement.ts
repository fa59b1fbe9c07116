import type { LexiconMatch } from './lexicon.ts'
import { findSubject, isModifier } from './movement-subject.ts'
import type { SubjectSide } from './movement-words.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/** Combines words of movement with their subjects: "profit rose" and "costs fell" are good, "loss widened" is bad. */
export function movementEvidence(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[]): Evidence[] {
  const evidence: Evidence[] = []
  const taken = new Set<LexiconMatch>()
  for (const side of SIDES) {
    for (const [index, found] of terms.entries()) {
      const { move } = found.term
      if (move === undefined || move.side !== side || taken.has(found)) continue
      // In "growth forecast", growth is part of the subject.
      if (found.term.subject !== undefined && isModifier(terms, index)) continue
      if (side === 'either' && BEFORE_ORIGIN.has(tokens[found.at - 1]?.text ?? '')) continue
      const subject = findSubject(tokens, terms, found, side)
      if (subject === undefined && side === 'after' && isAmountNext(tokens, found)) continue
      // In "gave up gains" and "growth slows" the subject does not count again.
      if (subject !== undefined && (subject.term.move !== undefined || subject.term.polarity !== undefined)) {
        taken.add(subject)
        evidence.push({ at: subject.at, end: subject.end, value: 0 })
      }
      const size = sizeAfter(tokens, found)
      const weight = subject !== undefined ? 1 : size !== undefined ? WITH_PERCENTAGE : WITHOUT_SUBJECT[side]
      const subjectValue = subject?.term.subject ?? 1
      const strength = Math.abs(move.value) * weight * (size === undefined ? 1 : sizeFactor(size))
      // "strong concerns" and "weak losses" are bad: no adjective makes a bad subject good.
      const sign =
        side === 'quality' && subjectValue < 0
          ? -1
          : Math.sign(move.value) * (size === undefined ? subjectValue : Math.sign(subjectValue))
      evidence.push({
        at: found.at,
        end: found.end,
        value: strength * sign,
        hasNoSubject: subject === undefined && size === undefined,
      })
    }
  }
  return evidence
}

/** Verbs with an object come first: they may use up a word that would otherwise count on its own. */
const SIDES: readonly SubjectSide[] = ['after', 'onto', 'before', 'quality', 'either']

/** Before the origin of a movement: "slips from record highs", "off its lows". */
const BEFORE_ORIGIN = new Set(['from', 'off'])

/** Weights without a subject. A verb then refers to the company ("Nokia falls"); other words say little. */
const WITHOUT_SUBJECT: Record<SubjectSide, number> = { before: 0.9, after: 0.45, onto: 0.7, either: 0.65, quality: 0.5 }
const WITH_PERCENTAGE = 0.95

/** "raised $50 mn" is about money, not a movement. */
function isAmountNext(tokens: readonly SentimentToken[], found: LexiconMatch): boolean {
  const next = tokens[found.end]
  const second = tokens[found.end + 1]
  return next?.kind === 'number' ? next.measure === 'money' : second?.kind === 'number' && second.measure === 'money'
}

/** Returns the percentage of a movement: "rose 20%", "up more than 5%". */
function sizeAfter(tokens: readonly SentimentToken[], found: LexiconMatch): number | undefined {
  for (let at = found.end; at < found.end + 4; at++) {
    const token = tokens[at]
    if (token?.kind === 'number' && token.measure === 'percent') return token.amount
  }
  return undefined
}

/** Makes "rose 20%" count more than "rose 1%". */
function sizeFactor(percent: number): number {
  return 0.75 + Math.min(0.75, Math.sqrt(percent) / 8)
}
