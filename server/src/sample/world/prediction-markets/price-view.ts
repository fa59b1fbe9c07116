import { DAY, HOUR } from '../../../model/time.ts'
import { startOfTradingDay } from '../prices/hours.ts'
import { traitsOf } from '../prices/traits.ts'
import type { Prices } from '../prices.ts'
import type { Random } from '../random.ts'
import type { Question, View } from './question.ts'

const MARKET_NOISE = 0.03

/** What the price, its usual movement and the time that is left say, and a little chance. */
export function priceWeights(
  question: Question,
  view: Exclude<View, { kind: 'opinion' }>,
  { prices, now }: { prices: Pick<Prices, 'at'>; now: number },
  random: Random,
): (at: number) => number[] {
  const { volatility } = traitsOf(view.assetKey)
  return (at) => {
    const price = priceBefore(prices, view.assetKey, at, now)
    const noise = Math.exp(MARKET_NOISE * random.normal())
    if (view.kind === 'place') {
      const place = Math.min(Math.max((price - view.from) / (view.to - view.from), 0), 1)
      return [place * noise, 1 - place]
    }
    const deviation = volatility * Math.sqrt(Math.max(question.span.closeAt - at, HOUR) / DAY)
    const below = (bound: number) => normalBelow(Math.log(bound / price) / deviation)
    if (view.kind === 'above') return [(1 - below(view.strike)) * noise, below(view.strike)]
    const steps = [0, ...view.bounds.map(below), 1]
    return steps.slice(1).map((step, index) => step - (steps[index] ?? 0))
  }
}

/**
 * Before the last week `Prices` knows a day only by its close. Odds that jumped there at midnight would foresee the day,
 * so they go from close to close.
 */
function priceBefore(prices: Pick<Prices, 'at'>, assetKey: string, at: number, now: number): number {
  const before = at - 1
  if (before > now - 7 * DAY) return getPrice(prices, assetKey, before)
  const day = startOfTradingDay(before)
  const from = getPrice(prices, assetKey, day - 1)
  const to = getPrice(prices, assetKey, day + DAY - 1)
  return from + ((at - day) / DAY) * (to - from)
}

export function getPrice(prices: Pick<Prices, 'at'>, assetKey: string, at: number): number {
  const price = prices.at(assetKey, at)
  if (price === undefined) throw new Error(`No price of ${assetKey} at ${at}`)
  return price
}

/** The normal distribution function, by a logistic curve that is within 0.0002 of it (Bowling et al., 2009). */
function normalBelow(z: number): number {
  return 1 / (1 + Math.exp(-(0.07056 * z ** 3 + 1.5976 * z)))
}
