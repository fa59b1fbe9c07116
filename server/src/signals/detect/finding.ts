import type { NewSignal } from '../../model/signals.ts'

/** Result of a detector, from which a signal is made. */
export interface Finding
  extends Pick<
    NewSignal,
    'kind' | 'direction' | 'assetKey' | 'strength' | 'confidence' | 'title' | 'summary' | 'metrics'
  > {
  /** Mean sentiment, if the direction depends on it. Used to keep the direction from flickering. */
  lean?: number
  /** In the order of arrival. */
  entryIds?: readonly string[]
  clusterId?: string
  /** In the order of filing; the report comes first if there is one. */
  secRecords?: NewSignal['secRecords']
  predictionMarketIds?: readonly string[]
}

export function directionOf(value: number): NewSignal['direction'] {
  if (value === 0) return 'neutral'
  return value > 0 ? 'bullish' : 'bearish'
}

/** Returns the direction of a mean sentiment, neutral below the limit. */
export function leaningOf(mean: number, limit: number): NewSignal['direction'] {
  return Math.abs(mean) < limit ? 'neutral' : directionOf(mean)
}
