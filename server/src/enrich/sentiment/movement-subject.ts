import { parseWords } from '../word-lists.ts'
import type { LexiconMatch } from './lexicon.ts'
import type { SubjectSide } from './movement-words.ts'
import type { SentimentToken } from './tokens.ts'

/** The thing that a word of direction moves: the nearest one that stands where the word expects it. */
export function findSubject(
  tokens: readonly SentimentToken[],
  terms: readonly LexiconMatch[],
  move: LexiconMatch,
  side: SubjectSide,
): LexiconMatch | undefined {
  let best: LexiconMatch | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const [index, found] of terms.entries()) {
    if (found === move || found.term.subject === undefined || isModifier(terms, index)) continue
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

const REACH_BEFORE = 8
const REACH_AFTER = 6
const REACH_QUALITY = 2
const WRONG_SIDE = 3
const COMMA = 4
/** "cut its costs and improved its turnover": half a comma. */
const AND = 0.5

function reluctance(
  tokens: readonly SentimentToken[],
  move: LexiconMatch,
  thing: LexiconMatch,
  side: SubjectSide,
): number {
  const isAfter = thing.at > move.at
  if (side === 'either') return isAfter ? 0 : 1.5
  if (side === 'before' && isAfter) return isObject(tokens, move, thing) ? 0 : WRONG_SIDE
  return isAfter === (side !== 'before') ? 0 : WRONG_SIDE
}

/** In "production costs" the costs are what moves; in "costs decline" they are, too. */
export function isModifier(terms: readonly LexiconMatch[], index: number): boolean {
  const next = terms[index + 1]
  if (next?.term.subject === undefined || next.at !== terms[index]?.end) return false
  return next.term.move === undefined || next.term.move.side === 'either'
}

/** In "losses on loans were halved" the losses are what moves. */
function isComplement(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[], index: number): boolean {
  const before = terms[index - 1]
  const at = terms[index]?.at ?? 0
  if (before?.term.subject === undefined || !HEADS.has(tokens[before.end]?.text ?? '')) return false
  for (let between = before.end + 1; between < at; between++) {
    if (!ARTICLES.has(tokens[between]?.text ?? '')) return false
  }
  return true
}

const HEADS = new Set(parseWords('of on in for from'))
const ARTICLES = new Set(parseWords('the its our their all new'))

/** "to increase annual sales": nothing but a few describing words stands between the verb and the thing. */
function isObject(tokens: readonly SentimentToken[], move: LexiconMatch, thing: LexiconMatch): boolean {
  if (thing.at - move.end > 3) return false
  for (let at = move.end; at < thing.at; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word' || PREPOSITIONS.has(token.text)) return false
  }
  return true
}

const PREPOSITIONS = new Set(parseWords('by to from in of on at for after as and with amid over since than'))

/** "falls on growth worries": what comes after these words is why, not what. */
function hasCause(tokens: readonly SentimentToken[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (CAUSES.has(tokens[at]?.text ?? '')) return true
  return false
}

const CAUSES = new Set(
  parseWords(`
  on amid after due over following because since ahead despite with as thanks before`),
)

/** How many commas stand between two places; undefined when a clause ends there. */
function commasIn(
  tokens: readonly SentimentToken[],
  terms: readonly LexiconMatch[],
  from: number,
  to: number,
): number | undefined {
  let commas = 0
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (token?.text === 'and') commas += AND
    if (token === undefined || token.kind === 'word' || token.kind === 'number') continue
    if (token.kind === 'stop' || token.text === ';' || token.text === '|') return undefined
    commas++
  }
  if (terms.some((found) => found.term.startsClause && found.at >= from && found.at < to)) return undefined
  return commas
}
