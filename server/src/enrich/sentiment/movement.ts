import type { Found } from './lexicon.ts'
import type { Side } from './moves.ts'
import { isPartOfName, thingOf } from './things.ts'
import type { Token } from './tokens.ts'
import type { Evidence } from './weigh.ts'

/** Words of direction times what they move: "profit rose" and "costs fell" are good, "loss widened" is not. */
export function moves(tokens: readonly Token[], terms: readonly Found[]): Evidence[] {
  const evidence: Evidence[] = []
  const taken = new Set<Found>()
  for (const side of SIDES) {
    for (const [index, found] of terms.entries()) {
      const { move } = found.term
      if (move === undefined || move.side !== side || taken.has(found)) continue
      // "growth forecast": the name of a thing, not a move.
      if (found.term.subject !== undefined && isPartOfName(terms, index)) continue
      if (side === 'either' && LEFT.has(tokens[found.at - 1]?.text ?? '')) continue
      const thing = thingOf(tokens, terms, found, side)
      if (thing === undefined && side === 'after' && isAmountNext(tokens, found)) continue
      // "gave up gains", "growth slows": what is moved has no say of its own any more.
      if (thing !== undefined && (thing.term.move !== undefined || thing.term.tone !== undefined)) {
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
        alone: thing === undefined && size === undefined,
      })
    }
  }
  return evidence
}

/** Those who move something come first: they may take a word that would otherwise count for itself. */
const SIDES: readonly Side[] = ['after', 'onto', 'before', 'quality', 'either']

/** "slips from record highs", "off its lows": where it comes from. */
const LEFT = new Set(['from', 'off'])

/** Without a thing that moves, a verb speaks of the company ("Nokia falls"); the others say little. */
const ALONE: Record<Side, number> = { before: 0.9, after: 0.45, onto: 0.7, either: 0.65, quality: 0.5 }
const MEASURED = 0.95

/** "raised $50 mn": money, not a level. */
function isAmountNext(tokens: readonly Token[], found: Found): boolean {
  const next = tokens[found.end]
  const second = tokens[found.end + 1]
  return next?.kind === 'number' ? next.measure === 'money' : second?.kind === 'number' && second.measure === 'money'
}

/** The percentage that belongs to a move: "rose 20%", "up more than 5%". */
function sizeAfter(tokens: readonly Token[], found: Found): number | undefined {
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
