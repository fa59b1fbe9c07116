import { parseIdioms, wordSet } from '../word-lists.ts'
import type { Evidence } from './score.ts'
import type { SentimentToken } from './tokens.ts'

/**
 * Finds ratings of brokers: "started at buy", "cut to neutral", "raised to outperform", "moves to hold from buy". An
 * upgrade or downgrade counts by its direction; an initiated or reiterated rating counts by the rating.
 */
export function ratingEvidence(tokens: readonly SentimentToken[]): Evidence[] {
  const evidence: Evidence[] = []
  for (let at = 0; at < tokens.length; at++) {
    const rating = ratingAt(tokens, at)
    if (rating === undefined) continue
    const next = at + rating.length
    const action = endsRating(tokens[next]) ? actionBefore(tokens, at) : undefined
    if (action !== undefined) {
      const value = action.step ?? rating.value
      evidence.push({ at: action.at, end: next, value, isFixed: true })
    } else {
      const old = tokens[next]?.text === 'from' || tokens[next]?.text === 'vs' ? ratingAt(tokens, next + 1) : undefined
      if (old !== undefined && old.value !== rating.value) {
        evidence.push({ at, end: next, value: rating.value > old.value ? 1.2 : -1.2, isFixed: true })
      } else if (isVerdict(tokens, at, next)) {
        evidence.push({ at, end: next, value: rating.value, isFixed: true })
      }
    }
    at = next - 1
  }
  return evidence
}

/** Ratings by their value to a shareholder. */
const RATINGS: readonly { value: number; words: string }[] = [
  { value: 1.2, words: 'strong buy, conviction buy, buy, add, outperform, overweight, accumulate, market outperform' },
  {
    value: 0,
    words:
      'hold, neutral, equal weight, equalweight, market perform, mkt perform, sector weight, sector perform, peer perform, perform, in line, market weight',
  },
  { value: -1.2, words: 'sell, reduce, strong sell, underperform, underweight, sector underperform' },
]

const RATING_BY_WORDS = new Map(
  RATINGS.flatMap(({ value, words }) => parseIdioms(words).map((name) => [name, value] as const)),
)

const PAIR_STARTS = new Set(
  [...RATING_BY_WORDS.keys()].filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]),
)

function ratingAt(tokens: readonly SentimentToken[], at: number): { value: number; length: number } | undefined {
  const first = tokens[at]
  if (first?.kind !== 'word') return undefined
  const second = tokens[at + 1]
  const pair =
    second?.kind === 'word' && PAIR_STARTS.has(first.text)
      ? RATING_BY_WORDS.get(`${first.text} ${second.text}`)
      : undefined
  if (pair !== undefined) return { value: pair, length: 2 }
  const single = RATING_BY_WORDS.get(first.text)
  return single === undefined ? undefined : { value: single, length: 1 }
}

const INITIATIONS = wordSet(`
  start starts started initiate initiates initiated initiation resumed resumes assumed assumes reinstated reinstates
  reiterate reiterates reiterated maintain maintains maintained coverage reaffirms reaffirmed affirms keeps rated
  rates rate rating launches launched upholds`)
const UPGRADES = wordSet(`
  upgrade upgrades upgraded raise raises raised ups upped lifts lifted boosts boosted`)
const DOWNGRADES = wordSet(`
  downgrade downgrades downgraded cut cuts lowers lowered reduced reduces trims trimmed slashes slashed`)
const MAX_DISTANCE = 7

/** Finds the verb of a rating: "Goldman cuts Tesla to sell". */
function actionBefore(tokens: readonly SentimentToken[], rating: number): { at: number; step?: number } | undefined {
  const link = tokens[rating - 1]?.text ?? ''
  const isLinked = link === 'to' || link === 'at' || link === 'as' || link === 'a' || link === 'with'
  for (let at = rating - 1; at >= 0 && at >= rating - MAX_DISTANCE; at--) {
    const token = tokens[at]
    if (token === undefined || token.kind === 'stop' || token.text === ';') return undefined
    if (INITIATIONS.has(token.text) && (isLinked || at === rating - 1)) return { at }
    if (link === 'to' && UPGRADES.has(token.text)) return { at, step: 1.3 }
    if (link === 'to' && DOWNGRADES.has(token.text)) return { at, step: -1.3 }
  }
  return undefined
}

/**
 * Reports whether a rating ends here. In "raises funds to buy a rival" and "prices cut to sell cars" an object follows.
 */
function endsRating(next: SentimentToken | undefined): boolean {
  return next === undefined || next.kind !== 'word' || AFTER_RATING.has(next.text)
}

const AFTER_RATING = wordSet(`
  from vs versus at by with on after as and but following rating due amid citing while for in ahead says saying pt`)

/** Reports whether a rating needs no verb: "is a buy", "buy rating". */
function isVerdict(tokens: readonly SentimentToken[], at: number, next: number): boolean {
  const before = tokens[at - 1]?.text
  const after = tokens[next]?.text
  if (after === 'rating' || after === 'recommendation') return true
  return (before === 'a' || before === 'an') && ['is', 'as', 'still', 'are'].includes(tokens[at - 2]?.text ?? '')
}
