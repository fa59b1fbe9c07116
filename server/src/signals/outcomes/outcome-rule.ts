import type { Signal } from '../../model/signals.ts'
import { isoTime } from '../../model/time.ts'
import { directionOf } from '../detect/finding.ts'
import { round } from '../detect/numbers.ts'
import { DEFAULT_THRESHOLDS, type Thresholds } from '../detect/thresholds.ts'

/** Returns the outcome of a signal whose horizon has passed, or null if a price is missing. */
export function outcomeOf(
  { direction, horizon, referencePrice }: Pick<Signal, 'direction' | 'horizon' | 'referencePrice'>,
  priceAtExpiry: number | undefined,
  evaluatedAt: number,
  limits: Thresholds['outcome'] = DEFAULT_THRESHOLDS.outcome,
): Signal['outcome'] {
  if (referencePrice === null || !(referencePrice > 0) || priceAtExpiry === undefined) return null
  const returnPercent = round((priceAtExpiry / referencePrice - 1) * 100, 4)
  const isHit =
    direction === 'neutral'
      ? Math.abs(returnPercent) <= neutralPercent(horizon, limits)
      : directionOf(returnPercent) === direction
  return { evaluatedAt: isoTime(evaluatedAt), returnPercent, isHit }
}

/** Returns how far the price may move for a neutral signal to be right. */
function neutralPercent(horizon: Signal['horizon'], limits: Thresholds['outcome']): number {
  switch (horizon) {
    case 'intraday':
      return limits.neutralPercentIntraday
    case '1d':
      return limits.neutralPercent1d
    case '1w':
      return limits.neutralPercent1w
    case '1mo':
      return limits.neutralPercent1mo
  }
}
