import { HOUR } from '../../../model/time.ts'
import type { WorldNews } from '../news.ts'
import type { Prices } from '../prices.ts'
import { createRandom } from '../random.ts'
import { opinionWeights } from './opinion.ts'
import { priceWeights } from './price-view.ts'
import type { Question } from './question.ts'

export const STEP = 6 * HOUR

export interface OddsSources {
  now: number
  /** In the order of time. */
  news: readonly WorldNews[]
  prices: Pick<Prices, 'at'>
}

/** The weights of the outcomes at `at`: call it for one step after the other. */
export function createWeights(question: Question, sources: OddsSources): (at: number) => number[] {
  const random = createRandom(`odds:${question.key}`)
  const { view } = question
  return view.kind === 'opinion'
    ? opinionWeights(question, view, sources.news, random)
    : priceWeights(question, view, sources, random)
}

/** What is traded rounds to a thousandth; while it is traded no outcome is certain. */
export function toShares(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = weights.map((weight) => Math.max(Math.round((1000 * weight) / total), LEAST))
  const excess = parts.reduce((sum, part) => sum + part, 0) - 1000
  const largest = parts.indexOf(Math.max(...parts))
  return parts.map((part, index) => (index === largest ? part - excess : part) / 1000)
}

const LEAST = 5
