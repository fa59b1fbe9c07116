import { DAY, HOUR, startOfDay } from '../../../model/time.ts'

import { priceModelOf } from '../prices/price-model.ts'
import type { Prices } from '../prices/prices.ts'
import type { Random } from '../random.ts'
import type { OddsModel, Question } from './question.ts'

const MARKET_NOISE = 0.03

/** Derives weights from the price, its volatility and the remaining time, plus some noise. */
export function priceWeights(
  question: Question,
  model: Exclude<OddsModel, { kind: 'opinion' }>,
  { prices, now }: { prices: Pick<Prices, 'at'>; now: number },
  random: Random,
): (at: number) => number[] {
  const { volatility } = priceModelOf(model.assetKey)
  return (at) => {
    const price = priceBefore(prices, model.assetKey, at, now)
    const noise = Math.exp(MARKET_NOISE * random.normal())
    if (model.kind === 'place') {
      const place = Math.min(Math.max((price - model.from) / (model.to - model.from), 0), 1)
      return [place * noise, 1 - place]
    }
    const deviation = volatility * Math.sqrt(Math.max(question.period.closeAt - at, HOUR) / DAY)
    const below = (bound: number) => normalBelow(Math.log(bound / price) / deviation)
    if (model.kind === 'above') return [(1 - below(model.strike)) * noise, below(model.strike)]
    const steps = [0, ...model.bounds.map(below), 1]
    return steps.slice(1).map((step, index) => step - (steps[index] ?? 0))
  }
}

/**
 * Returns the price just before a time. Older than a week, `Prices` knows only daily closes; interpolating between them
 * keeps the odds from jumping to the close at midnight, hours before the market knew it.
 */
function priceBefore(prices: Pick<Prices, 'at'>, assetKey: string, at: number, now: number): number {
  const before = at - 1
  if (before > now - 7 * DAY) return getPrice(prices, assetKey, before)
  const day = startOfDay(before)
  const from = getPrice(prices, assetKey, day - 1)
  const to = getPrice(prices, assetKey, day + DAY - 1)
  return from + ((at - day) / DAY) * (to - from)
}

export function getPrice(prices: Pick<Prices, 'at'>, assetKey: string, at: number): number {
  const price = prices.at(assetKey, at)
  if (price === undefined) throw new Error(`No price of ${assetKey} at ${at}`)
  return price
}

/** Approximates the normal distribution function with a logistic curve, within 0.0002 (Bowling et al., 2009). */
function normalBelow(z: number): number {
  return 1 / (1 + Math.exp(-(0.07056 * z ** 3 + 1.5976 * z)))
}
