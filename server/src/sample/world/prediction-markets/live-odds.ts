import type { NewPredictionMarket, Odds } from '../../../model/prediction-markets.ts'
import { createRandom } from '../random.ts'
import { STEP, toShares } from './odds.ts'
import { STEP_NOISE } from './opinion-odds.ts'

/** Returns odds after the last known ones: a random step that grows with the time between. None once it is closed. */
export function nextOdds(
  market: Pick<NewPredictionMarket, 'id' | 'status' | 'closeAt'>,
  lastOdds: Odds,
  at: number,
  seed: string | number,
): Odds | undefined {
  const isOver = market.closeAt !== null && at >= Date.parse(market.closeAt)
  if (market.status !== 'open' || isOver || at <= lastOdds.at) return undefined
  const random = createRandom(`${seed}:odds:${market.id}:${at}`)
  const deviation = STEP_NOISE * Math.sqrt(Math.min((at - lastOdds.at) / STEP, 4))
  const ids = Object.keys(lastOdds.probabilities)
  const shares = toShares(
    Object.values(lastOdds.probabilities).map((last) => last * Math.exp(deviation * random.normal())),
  )
  return { at, probabilities: Object.fromEntries(ids.map((id, index) => [id, shares[index] ?? 0])) }
}
