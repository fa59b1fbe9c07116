import { HOUR } from '../../../model/time.ts'
import type { NewsItem } from '../news.ts'
import type { Prices } from '../prices/prices.ts'
import { createRandom } from '../random.ts'
import { opinionWeights } from './opinion-odds.ts'
import { priceWeights } from './price-odds.ts'
import type { Question } from './question.ts'

export const STEP = 6 * HOUR

export interface OddsSources {
  now: number
  /** Ordered by time. */
  news: readonly NewsItem[]
  prices: Pick<Prices, 'at'>
}

/** Returns a function for the weights of the outcomes; call it with ascending times. */
export function createWeights(question: Question, sources: OddsSources): (at: number) => number[] {
  const random = createRandom(`odds:${question.key}`)
  const { model } = question
  return model.kind === 'opinion'
    ? opinionWeights(question, model, sources.news, random)
    : priceWeights(question, model, sources, random)
}

/** Rounds weights to thousandths that add up to 1. No outcome is certain while the market trades. */
export function toShares(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = weights.map((weight) => Math.max(Math.round((1000 * weight) / total), LEAST))
  const excess = parts.reduce((sum, part) => sum + part, 0) - 1000
  const largest = parts.indexOf(Math.max(...parts))
  return parts.map((part, index) => (index === largest ? part - excess : part) / 1000)
}

const LEAST = 5
