import type { Finding } from './finding.ts'
import { directionOf } from './finding.ts'
import { fixed, percentOf, robustZOfMove, round, saturate } from './numbers.ts'
import type { OddsObservation } from './observation.ts'
import { MOVE_DAYS, type OddsHistory } from './odds.ts'
import { meaningOfYes } from './question.ts'
import type { Thresholds } from './thresholds.ts'

/** Detects odds of yes that moved far more within a day than usual; returns a finding for each asset of the market. */
export function predictionMarketMove(
  odds: OddsHistory,
  { at, market, probability }: OddsObservation,
  limits: Thresholds['prediction_market_move'],
): Finding[] {
  const move = odds.move(market.id, at)
  if (move === undefined || Math.abs(move) < limits.leastMove) return []
  const usual = odds.movesBefore(market.id, at)
  if (usual.length < limits.leastDays) return []
  const z = robustZOfMove(move, usual, limits.leastSpread)
  if (Math.abs(z) < limits.leastZ) return []
  const before = probability - move
  const { leastConfidence, mostConfidence } = limits
  const meaning = meaningOfYes(market.question)
  return [...new Set(market.assetKeys)].map((assetKey) => ({
    kind: 'prediction_market_move',
    direction: directionOf(meaning * move),
    assetKey,
    strength: (saturate(Math.abs(move), limits.halfMove) + saturate(Math.abs(z), limits.leastZ)) / 2,
    confidence: leastConfidence + ((mostConfidence - leastConfidence) * usual.length) / MOVE_DAYS,
    title: `Odds ${move > 0 ? 'rise' : 'fall'} to ${percentOf(probability)}: ${market.question}`,
    summary:
      `The odds went from ${percentOf(before)} to ${percentOf(probability)} in 24 hours, ` +
      `${fixed(Math.abs(z), 1)} times the usual deviation of a day.`,
    metrics: { value: round(probability, 4), baseline: round(before, 4), zScore: round(z, 2), window: '24h' },
    predictionMarketIds: [market.id],
  }))
}
