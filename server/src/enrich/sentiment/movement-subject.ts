import { wordSet } from '../word-lists.ts'
import type { LexiconMatch } from './lexicon.ts'
import type { SubjectSide } from './movement-words.ts'
import type { SentimentToken } from './tokens.ts'

/** Finds the subject of a movement: the nearest one, preferring the side where the word expects it. */
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
    if (gap > (side === 'quality' ? MAX_GAP_QUALITY : isAfter ? MAX_GAP_AFTER : MAX_GAP_BEFORE)) continue
    const commas = isAfter ? commasIn(tokens, terms, move.end, found.at) : commasIn(tokens, terms, found.end, move.at)
    if (commas === undefined || (isAfter && hasCause(tokens, move.end, found.at))) continue
    const distance = gap + commas * COMMA_PENALTY + sidePenalty(tokens, move, found, side)
    if (distance < bestDistance) {
      best = found
      bestDistance = distance
    }
  }
  return best
}

const MAX_GAP_BEFORE = 8
const MAX_GAP_AFTER = 6
const MAX_GAP_QUALITY = 2
const WRONG_SIDE_PENALTY = 3
const COMMA_PENALTY = 4
/** "cut its costs and improved its turnover": "and" counts as half a comma. */
const AND_COMMAS = 0.5

function sidePenalty(
  tokens: readonly SentimentToken[],
  move: LexiconMatch,
  subject: LexiconMatch,
  side: SubjectSide,
): number {
  const isAfter = subject.at > move.at
  if (side === 'either') return isAfter ? 0 : 1.5
  if (side === 'before' && isAfter) return isObject(tokens, move, subject) ? 0 : WRONG_SIDE_PENALTY
  return isAfter === (side !== 'before') ? 0 : WRONG_SIDE_PENALTY
}

/** Reports whether a term only modifies the next one: in "production costs" the costs move. */
export function isModifier(terms: readonly LexiconMatch[], index: number): boolean {
  const next = terms[index + 1]
  if (next?.term.subject === undefined || next.at !== terms[index]?.end) return false
  return next.term.move === undefined || next.term.move.side === 'either'
}

/** Reports whether a term complements the one before: in "losses on loans were halved" the losses move. */
function isComplement(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[], index: number): boolean {
  const before = terms[index - 1]
  const at = terms[index]?.at ?? 0
  if (before?.term.subject === undefined || !PREPOSITIONS_OF_COMPLEMENT.has(tokens[before.end]?.text ?? ''))
    return false
  for (let between = before.end + 1; between < at; between++) {
    if (!ARTICLES.has(tokens[between]?.text ?? '')) return false
  }
  return true
}

const PREPOSITIONS_OF_COMPLEMENT = wordSet('of on in for from')
const ARTICLES = wordSet('the its our their all new')

/** Reports whether the subject is the verb's object, with only a few words between: "to increase annual sales". */
function isObject(tokens: readonly SentimentToken[], move: LexiconMatch, subject: LexiconMatch): boolean {
  if (subject.at - move.end > 3) return false
  for (let at = move.end; at < subject.at; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word' || PREPOSITIONS.has(token.text)) return false
  }
  return true
}

const PREPOSITIONS = wordSet('by to from in of on at for after as and with amid over since than')

/** Reports whether a cause begins between two tokens: "falls on growth worries". */
function hasCause(tokens: readonly SentimentToken[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (CAUSES.has(tokens[at]?.text ?? '')) return true
  return false
}

const CAUSES = wordSet(`
  on amid after due over following because since ahead despite with as thanks before`)

/** Counts the commas between two tokens; undefined if a clause ends there. */
function commasIn(
  tokens: readonly SentimentToken[],
  terms: readonly LexiconMatch[],
  from: number,
  to: number,
): number | undefined {
  let commas = 0
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (token?.text === 'and') commas += AND_COMMAS
    if (token === undefined || token.kind === 'word' || token.kind === 'number') continue
    if (token.kind === 'stop' || token.text === ';' || token.text === '|') return undefined
    commas++
  }
  if (terms.some((found) => found.term.startsClause && found.at >= from && found.at < to)) return undefined
  return commas
}
