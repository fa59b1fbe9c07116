import type { Signal } from '../../model/signals.ts'
import { isoTime } from '../../model/time.ts'
import { round } from '../detect/figures.ts'
import { directionOf } from '../detect/finding.ts'
import { DEFAULT_THRESHOLDS, type Thresholds } from '../detect/thresholds.ts'

/** What came of a signal whose horizon has passed; null where there is no price to judge by. */
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

/** A neutral signal says that the price will stay about where it is. */
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
