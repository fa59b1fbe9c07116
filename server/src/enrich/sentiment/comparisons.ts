import type { LexiconMatch } from './lexicon.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/**
 * Compares pairs of figures: "EUR 7.4 mn, compared to EUR 5.2 mn", "a profit of 3 mn against a loss of 1 mn",
 * "EPS $1.00 vs. 40 cents", "from EUR 5.2 mn to EUR 7.4 mn", "net sales of EUR 7.4 mn (6.2)".
 */
export function comparisonEvidence(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[]): Evidence[] {
  const evidence: Evidence[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!isFigure(tokens[at])) continue
    const pair = pairAt(tokens, terms, at)
    if (pair === undefined) continue
    const value = pairValue(tokens, terms, pair)
    // The evidence includes the subject, so that a "loss" counts once, with its change.
    const first = Math.min(pair.now, pair.before)
    if (value !== 0) evidence.push({ at: lastSubject(terms, 0, first)?.at ?? first, end: pair.end, value })
    at = pair.end
  }
  return evidence
}

interface Pair {
  now: number
  before: number
  /** Where the second half of the comparison begins. */
  middle: number
  end: number
}

/** The maximum distance of the two figures, in tokens. */
const MAX_DISTANCE = 18

function pairAt(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[], first: number): Pair | undefined {
  let comparison = -1
  for (let at = first + 1; at < tokens.length && at <= first + MAX_DISTANCE; at++) {
    const token = tokens[at]
    if (token === undefined || token.kind === 'stop' || token.text === ';') return undefined
    if (token.text === '(' && at === first + 1) comparison = at
    if (terms.some((found) => found.at === at && found.term.isComparison)) comparison = at
    if (!isFigure(token) || isConversion(tokens[first], token)) continue
    if (token.measure !== tokens[first]?.measure && !isParenthesis(tokens, at)) {
      if (comparison >= 0) return undefined
      continue
    }
    if (comparison >= 0) return { now: first, before: at, middle: comparison, end: at }
    if (isFromTo(tokens, first, at)) return { now: at, before: first, middle: at, end: at }
    // "a loss of 0.1 mn on sales of 4.5 mn, compared with": the sales are not compared.
    if (!tokens.slice(first, at).some((between) => between.text === 'on')) return undefined
  }
  return undefined
}

function isFigure(token: SentimentToken | undefined): boolean {
  return (
    token?.kind === 'number' && (token.measure === 'money' || token.measure === 'percent' || token.measure === 'bare')
  )
}

/** "EUR 13 mn ( USD 17 mn )" is one amount in two currencies. */
function isConversion(first: SentimentToken | undefined, second: SentimentToken): boolean {
  return first !== undefined && first.currency !== '' && second.currency !== '' && first.currency !== second.currency
}

function isParenthesis(tokens: readonly SentimentToken[], at: number): boolean {
  return tokens[at - 1]?.text === '(' && tokens[at + 1]?.text === ')'
}

function isFromTo(tokens: readonly SentimentToken[], first: number, second: number): boolean {
  const opens = [tokens[first - 1]?.text, tokens[first - 2]?.text].includes('from')
  return opens && [tokens[second - 1]?.text, tokens[second - 2]?.text].includes('to')
}

function pairValue(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[], pair: Pair): number {
  const now = tokens[pair.now]
  const before = tokens[pair.before]
  if (now === undefined || before === undefined) return 0
  if (now.measure === 'bare' && before.measure === 'bare') return 0
  const first = Math.min(pair.now, pair.before)
  const subject = lastSubject(terms, 0, first) ?? lastSubject(terms, first, pair.middle)
  const other = lastSubject(terms, pair.middle, pair.end)
  const isLoss = subject?.term.subject === -1
  if (other !== undefined && other.term.subject === -1 && !isLoss && first === pair.now) return 1.3
  if (isLoss && (other?.term.subject ?? 0) > 0 && first === pair.now) return -1.3
  if (subject === undefined || subject.term.subject === 0) return 0
  const amount = signed(now)
  const old =
    isParenthesis(tokens, pair.before) && before.measure === 'bare' ? toScaleOf(amount, before.amount) : signed(before)
  const largest = Math.max(Math.abs(amount), Math.abs(old))
  if (amount === old || !Number.isFinite(largest)) return 0
  const change = (amount - old) / largest
  return Math.sign(change) * Math.sign(subject.term.subject ?? 1) * (0.8 + Math.min(1, Math.abs(change)) / 2)
}

function signed(figure: SentimentToken): number {
  return figure.sign === -1 ? -figure.amount : figure.amount
}

/** "EUR 7.4 mn (6.2)": the figure in brackets shares the unit of the first. */
function toScaleOf(amount: number, bare: number): number {
  let scaled = bare
  while (scaled > 0 && scaled * 100 < amount) scaled *= 1000
  return scaled
}

function lastSubject(terms: readonly LexiconMatch[], from: number, to: number): LexiconMatch | undefined {
  return terms.findLast((found) => found.at >= from && found.at < to && found.term.subject !== undefined)
}
