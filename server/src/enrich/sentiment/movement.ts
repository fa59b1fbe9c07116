import type { Evidence } from './evidence.ts'
import type { Found } from './lexicon.ts'
import type { Side } from './moves.ts'
import type { Token } from './tokens.ts'
import { wordsOf } from './words.ts'

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
      const sign =
        side === 'quality' && subject < 0 ? -Math.sign(move.value) : size === undefined ? subject : Math.sign(subject)
      const value = move.value * sign * weight * (size === undefined ? 1 : sizeFactor(size))
      evidence.push({ at: found.at, end: found.end, value, alone: thing === undefined && size === undefined })
    }
  }
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'number' || token.measure !== 'percent') continue
    const sign =
      token.sign !== 0
        ? token.sign
        : (SIGN_BEFORE.get(tokens[at - 1]?.text ?? '') ?? SIGN_AFTER.get(tokens[at + 1]?.text ?? '') ?? 0)
    if (sign === 0) continue
    evidence.push({
      at,
      end: at + 1,
      value: sign * Math.min(1.5, 0.1 + Math.sqrt(token.amount) / 2),
      stands: true,
    })
  }
  return evidence
}

/** "shares off 3%", "ahead 5%" */
const SIGN_BEFORE = new Map<string, 1 | -1>([
  ['ahead', 1],
  ['off', -1],
])

/** "28 % less than a year ago" */
const SIGN_AFTER = new Map<string, 1 | -1>([
  ['more', 1],
  ['less', -1],
  ['fewer', -1],
])

/** Those who move something come first: they may take a word that would otherwise count for itself. */
const SIDES: readonly Side[] = ['after', 'onto', 'before', 'quality', 'either']

/** "slips from record highs", "off its lows": where it comes from. */
const LEFT = new Set(wordsOf('from off'))

/** Without a thing that moves, a verb speaks of the company ("Nokia falls"); the others say little. */
const ALONE: Record<Side, number> = { before: 0.9, after: 0.45, onto: 0.7, either: 0.65, quality: 0.5 }
const MEASURED = 0.95

const REACH_BEFORE = 8
const REACH_AFTER = 6
const REACH_QUALITY = 2
const WRONG_SIDE = 3
const COMMA = 4
/** "cut its costs and improved its turnover": half a comma. */
const AND = 0.5

function thingOf(tokens: readonly Token[], terms: readonly Found[], move: Found, side: Side): Found | undefined {
  let best: Found | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const [index, found] of terms.entries()) {
    if (found === move || found.term.subject === undefined || isPartOfName(terms, index)) continue
    if (found.at < move.at && isComplement(tokens, terms, index)) continue
    const isAfter = found.at > move.at
    if (side === 'onto' && !isAfter) continue
    const gap = isAfter ? found.at - move.end : move.at - found.end
    if (gap > (side === 'quality' ? REACH_QUALITY : isAfter ? REACH_AFTER : REACH_BEFORE)) continue
    const commas = isAfter ? commasIn(tokens, terms, move.end, found.at) : commasIn(tokens, terms, found.end, move.at)
    if (commas === undefined || (isAfter && hasCause(tokens, move.end, found.at))) continue
    const distance = gap + commas * COMMA + reluctance(tokens, move, found, side)
    if (distance < bestDistance) {
      best = found
      bestDistance = distance
    }
  }
  return best
}

function reluctance(tokens: readonly Token[], move: Found, thing: Found, side: Side): number {
  const isAfter = thing.at > move.at
  if (side === 'either') return isAfter ? 0 : 1.5
  if (side === 'before' && isAfter) return isObject(tokens, move, thing) ? 0 : WRONG_SIDE
  return isAfter === (side !== 'before') ? 0 : WRONG_SIDE
}

/** In "production costs" the costs are what moves; in "costs decline" they are, too. */
function isPartOfName(terms: readonly Found[], index: number): boolean {
  const next = terms[index + 1]
  if (next?.term.subject === undefined || next.at !== terms[index]?.end) return false
  return next.term.move === undefined || next.term.move.side === 'either'
}

/** In "losses on loans were halved" the losses are what moves. */
function isComplement(tokens: readonly Token[], terms: readonly Found[], index: number): boolean {
  const before = terms[index - 1]
  const at = terms[index]?.at ?? 0
  if (before?.term.subject === undefined || !HEADS.has(tokens[before.end]?.text ?? '')) return false
  for (let between = before.end + 1; between < at; between++) {
    if (!ARTICLES.has(tokens[between]?.text ?? '')) return false
  }
  return true
}

const HEADS = new Set(wordsOf('of on in for from'))
const ARTICLES = new Set(wordsOf('the its our their all new'))

/** "to increase annual sales": nothing but a few describing words stands between the verb and the thing. */
function isObject(tokens: readonly Token[], move: Found, thing: Found): boolean {
  if (thing.at - move.end > 3) return false
  for (let at = move.end; at < thing.at; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word' || PREPOSITIONS.has(token.text)) return false
  }
  return true
}

const PREPOSITIONS = new Set(wordsOf('by to from in of on at for after as and with amid over since than'))

/** "falls on growth worries": what comes after these words is why, not what. */
function hasCause(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (CAUSES.has(tokens[at]?.text ?? '')) return true
  return false
}

const CAUSES = new Set(
  wordsOf(`
  on amid after due over following because since ahead despite with as thanks following before`),
)

/** How many commas stand between two places; undefined when a clause ends there. */
function commasIn(tokens: readonly Token[], terms: readonly Found[], from: number, to: number): number | undefined {
  let commas = 0
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (token?.text === 'and') commas += AND
    if (token === undefined || token.kind === 'word' || token.kind === 'number') continue
    if (token.kind === 'stop' || token.text === ';' || token.text === '|') return undefined
    commas++
  }
  if (terms.some((found) => found.term.breaks && found.at >= from && found.at < to)) return undefined
  return commas
}

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
