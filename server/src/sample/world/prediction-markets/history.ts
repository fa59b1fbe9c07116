import type { Odds } from '../../../model/prediction-markets.ts'
import { roundTo } from '../prices/traits.ts'
import { createWeights, type OddsSources, STEP, toShares } from './odds.ts'
import { getPrice } from './price-view.ts'
import { kebab, type Question } from './question.ts'

/** Odds from the opening on, every six hours, until now or the close. */
export function tellHistory(question: Question, sources: OddsSources): Odds[] {
  const ids = outcomeIds(question)
  const weightsAt = createWeights(question, sources)
  const history: Odds[] = []
  for (let at = question.span.openAt; at <= Math.min(sources.now, question.span.closeAt); at += STEP) {
    history.push(createOdds(at, ids, toShares(weightsAt(at))))
  }
  return history
}

/** All or nothing, as soon as the winner is known. */
export function settledOdds(question: Question, winner: number, at: number): Odds {
  const ids = outcomeIds(question)
  return createOdds(
    at,
    ids,
    ids.map((_, index) => (index === winner ? 1 : 0)),
  )
}

/** The price decides where there is one, else whoever was ahead in the end. */
export function pickWinner({ view, span }: Question, last: Odds | undefined, { prices }: OddsSources): number {
  if (view.kind === 'above') return getPrice(prices, view.assetKey, span.closeAt - 1) > view.strike ? 0 : 1
  if (view.kind === 'ranges') {
    const price = getPrice(prices, view.assetKey, span.closeAt - 1)
    return view.bounds.filter((bound) => bound <= price).length
  }
  const shares = Object.values(last?.probabilities ?? {})
  return shares.indexOf(Math.max(...shares))
}

/** How far an outcome has come since a time ago; null if it was not traded then. */
export function findChange(history: readonly Odds[], id: string, now: number, span: number): number | null {
  const before = history.findLast((odds) => odds.at <= now - span)?.probabilities[id]
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
