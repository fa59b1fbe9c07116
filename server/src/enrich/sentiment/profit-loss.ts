import { wordSet } from '../word-lists.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/** Finds turns between profit and loss: "swung to a net loss", "returned to profit", "back in the black". */
export function profitLossEvidence(tokens: readonly SentimentToken[]): Evidence[] {
  const evidence: Evidence[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!TURN_VERBS.has(tokens[at]?.text ?? '')) continue
    let next = at + 1
    if (tokens[next]?.text === 'back' || tokens[next]?.text === 'around') next++
    if (!PREPOSITIONS.has(tokens[next]?.text ?? '')) continue
    next++
    for (let skipped = 0; skipped < 4 && FILLERS.has(tokens[next]?.text ?? ''); skipped++) next++
    const side = SIDES.get(tokens[next]?.text ?? '')
    if (side === undefined) continue
    evidence.push({ at, end: next + 1, value: side * 1.6, isFixed: true })
    at = next
  }
  return evidence
}

const TURN_VERBS = wordSet(`
  swing swings swung swinging turn turns turned return returns returned returning slip slips slipped slid slide slides
  fall falls fell sink sinks sank plunge plunges plunged dip dips dipped move moves moved went back bounce bounced
  recovered rose improved tumbled tumbles came`)
const PREPOSITIONS = wordSet('to into in')
const FILLERS = wordSet(`
  a an the its net operating pretax pre tax quarterly annual first second third fourth quarter q full year half small
  big large slight surprise unexpected rare modest adjusted`)
const SIDES = new Map([
  ['profit', 1],
  ['profits', 1],
  ['profitability', 1],
  ['black', 1],
  ['loss', -1],
  ['losses', -1],
  ['red', -1],
])
