import type { Odds } from '../../../model/prediction-markets.ts'
import { roundTo } from '../prices/price-model.ts'
import { createWeights, type OddsSources, STEP, toShares } from './odds.ts'
import { getPrice } from './price-odds.ts'
import { kebab, type Question } from './question.ts'

/** Creates odds for every six hours from the opening until now or the close. */
export function createHistory(question: Question, sources: OddsSources): Odds[] {
  const ids = outcomeIds(question)
  const weightsAt = createWeights(question, sources)
  const history: Odds[] = []
  for (let at = question.period.openAt; at <= Math.min(sources.now, question.period.closeAt); at += STEP) {
    history.push(createOdds(at, ids, toShares(weightsAt(at))))
  }
  return history
}

/** Returns the final odds: 1 for the winner, 0 for the others. */
export function settledOdds(question: Question, winner: number, at: number): Odds {
  const ids = outcomeIds(question)
  return createOdds(
    at,
    ids,
    ids.map((_, index) => (index === winner ? 1 : 0)),
  )
}

/** Picks the outcome that the price decides, or else the one with the best last odds. */
export function pickWinner({ model, period }: Question, last: Odds | undefined, { prices }: OddsSources): number {
  if (model.kind === 'above') return getPrice(prices, model.assetKey, period.closeAt - 1) > model.strike ? 0 : 1
  if (model.kind === 'ranges') {
    const price = getPrice(prices, model.assetKey, period.closeAt - 1)
    return model.bounds.filter((bound) => bound <= price).length
  }
  const shares = Object.values(last?.probabilities ?? {})
  return shares.indexOf(Math.max(...shares))
}

/** Returns the change of an outcome's probability since `now - age`; null if it was not traded then. */
export function findChange(history: readonly Odds[], id: string, now: number, age: number): number | null {
  const before = history.findLast((odds) => odds.at <= now - age)?.probabilities[id]
  const last = history.at(-1)?.probabilities[id]
  // Adding zero turns -0 into 0.
  return before === undefined || last === undefined ? null : roundTo(last - before, 3) + 0
}

export function outcomeIds({ outcomes }: Question): string[] {
  return outcomes.map(({ label }) => kebab(label))
}

function createOdds(at: number, ids: readonly string[], shares: readonly number[]): Odds {
  return { at, probabilities: Object.fromEntries(ids.map((id, index) => [id, shares[index] ?? 0])) }
}
