import type { LexiconMatch } from './lexicon.ts'
import { findSubject, isModifier } from './movement-subject.ts'
import type { SubjectSide } from './movement-words.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/** Words of direction times what they move: "profit rose" and "costs fell" are good, "loss widened" is not. */
export function movementEvidence(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[]): Evidence[] {
  const evidence: Evidence[] = []
  const taken = new Set<LexiconMatch>()
  for (const side of SIDES) {
    for (const [index, found] of terms.entries()) {
      const { move } = found.term
      if (move === undefined || move.side !== side || taken.has(found)) continue
      // "growth forecast": the name of a thing, not a move.
      if (found.term.subject !== undefined && isModifier(terms, index)) continue
      if (side === 'either' && LEFT.has(tokens[found.at - 1]?.text ?? '')) continue
      const thing = findSubject(tokens, terms, found, side)
      if (thing === undefined && side === 'after' && isAmountNext(tokens, found)) continue
      // "gave up gains", "growth slows": what is moved has no say of its own any more.
      if (thing !== undefined && (thing.term.move !== undefined || thing.term.polarity !== undefined)) {
        taken.add(thing)
        evidence.push({ at: thing.at, end: thing.end, value: 0 })
      }
      const size = sizeAfter(tokens, found)
      const weight = thing !== undefined ? 1 : size !== undefined ? MEASURED : ALONE[side]
      const subject = thing?.term.subject ?? 1
      const strength = Math.abs(move.value) * weight * (size === undefined ? 1 : sizeFactor(size))
      // "strong concerns" and "weak losses": no quality makes a bad thing good.
      const sign =
        side === 'quality' && subject < 0
          ? -1
          : Math.sign(move.value) * (size === undefined ? subject : Math.sign(subject))
      evidence.push({
        at: found.at,
        end: found.end,
        value: strength * sign,
        hasNoSubject: thing === undefined && size === undefined,
      })
    }
  }
  return evidence
}

/** Those who move something come first: they may take a word that would otherwise count for itself. */
const SIDES: readonly SubjectSide[] = ['after', 'onto', 'before', 'quality', 'either']

/** "slips from record highs", "off its lows": where it comes from. */
const LEFT = new Set(['from', 'off'])

/** Without a thing that moves, a verb speaks of the company ("Nokia falls"); the others say little. */
const ALONE: Record<SubjectSide, number> = { before: 0.9, after: 0.45, onto: 0.7, either: 0.65, quality: 0.5 }
const MEASURED = 0.95

/** "raised $50 mn": money, not a level. */
function isAmountNext(tokens: readonly SentimentToken[], found: LexiconMatch): boolean {
  const next = tokens[found.end]
  const second = tokens[found.end + 1]
  return next?.kind === 'number' ? next.measure === 'money' : second?.kind === 'number' && second.measure === 'money'
}

/** The percentage that belongs to a move: "rose 20%", "up more than 5%". */
function sizeAfter(tokens: readonly SentimentToken[], found: LexiconMatch): number | undefined {
  for (let at = found.end; at < found.end + 4; at++) {
    const token = tokens[at]
    if (token?.kind === 'number' && token.measure === 'percent') return token.amount
  }
  return undefined
}

/** "rose 20%" says more than "rose 1%". */
function sizeFactor(percent: number): number {
  return 0.75 + Math.min(0.75, Math.sqrt(percent) / 8)
}
