import type { Evidence } from './evidence.ts'
import type { Found } from './lexicon.ts'
import type { Token } from './tokens.ts'

/** Words of direction times what they move: "profit rose" and "costs fell" are good, "loss widened" and "+2% in debt" are not. */
export function moves(tokens: readonly Token[], terms: readonly Found[]): Evidence[] {
  const evidence: Evidence[] = []
  for (const found of terms) {
    const { move } = found.term
    if (move === undefined) continue
    const subject = subjectOf(tokens, terms, found, move.side)
    const sign = subject?.term.subject ?? 1
    if (subject === undefined && isAmountNext(tokens, found) && move.side === 'after') continue
    const lonely = subject === undefined ? LONELY[move.side] : 1
    const value = move.value * sign * lonely * sizeFactor(tokens, found)
    const at = found.at
    evidence.push({ at, end: found.end, value })
    if (subject !== undefined && subject.term.tone !== undefined) {
      // "concerns eased": the worry has been counted with its direction.
      evidence.push({ at: subject.at, end: subject.end, value: 0 })
    }
  }
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'number' || token.sign === 0 || token.measure !== 'percent') continue
    evidence.push({ at, end: at + 1, value: token.sign * Math.min(1.4, 0.25 + token.amount / 4), stands: true })
  }
  return evidence
}

/** Without a thing that moves, a verb speaks of the company ("Nokia falls"); an adjective or "raises" says little. */
const LONELY = { before: 0.9, after: 0.45, either: 0.5 }

const REACH_BEFORE = 8
const REACH_AFTER = 6
const WRONG_SIDE = 3

function subjectOf(
  tokens: readonly Token[],
  terms: readonly Found[],
  move: Found,
  side: 'before' | 'after' | 'either',
): Found | undefined {
  if (move.term.subject !== undefined && side !== 'before') return undefined
  let best: Found | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const found of terms) {
    if (found === move || found.term.subject === undefined) continue
    const isAfter = found.at > move.at
    const gap = isAfter ? found.at - move.end : move.at - found.end
    if (gap > (isAfter ? REACH_AFTER : REACH_BEFORE)) continue
    const commas = isAfter
      ? boundaries(tokens, terms, move.end, found.at)
      : boundaries(tokens, terms, found.end, move.at)
    if (commas === undefined) continue
    const against = side === 'either' ? (isAfter ? 0 : 0.5) : isAfter === (side === 'after') ? 0 : WRONG_SIDE
    const distance = gap + against + commas * 4
    if (distance < bestDistance) {
      best = found
      bestDistance = distance
    }
  }
  return best
}

/** How many commas stand between two places; undefined when a clause ends there. */
function boundaries(tokens: readonly Token[], terms: readonly Found[], from: number, to: number): number | undefined {
  let commas = 0
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (token === undefined || token.kind === 'word' || token.kind === 'number') continue
    if (token.kind === 'stop' || token.text === ';' || token.text === '|') return undefined
    if (token.text !== '$') commas++
  }
  if (terms.some((found) => found.term.breaks && found.at >= from && found.at < to)) return undefined
  return commas
}

function isAmountNext(tokens: readonly Token[], found: Found): boolean {
  const next = tokens[found.end]
  const second = tokens[found.end + 1]
  return next?.kind === 'number' ? next.measure === 'money' : second?.kind === 'number' && second.measure === 'money'
}

/** "rose 20%" says more than "rose 1%". */
function sizeFactor(tokens: readonly Token[], found: Found): number {
  for (let at = found.end; at < found.end + 4; at++) {
    const token = tokens[at]
    if (token?.kind === 'number' && token.measure === 'percent')
      return 0.75 + Math.min(0.75, Math.sqrt(token.amount) / 8)
  }
  return 1
}
