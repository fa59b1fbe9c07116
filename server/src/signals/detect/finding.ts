import type { NewSignal } from '../../model/signals.ts'

/** What a detector has found. The rest of a signal follows from it, and from prices. */
export interface Finding
  extends Pick<
    NewSignal,
    'kind' | 'direction' | 'assetKey' | 'strength' | 'confidence' | 'title' | 'summary' | 'metrics'
  > {
  /** Where the direction is that of a mean sentiment: that mean. It keeps a direction from flickering. */
  lean?: number
  /** In the order in which they came. */
  entryIds?: readonly string[]
  clusterId?: string
  /** In the order in which they were filed; of a report, the report first. */
  secRecords?: NewSignal['secRecords']
  predictionMarketIds?: readonly string[]
}

export function directionOf(value: number): NewSignal['direction'] {
  if (value === 0) return 'neutral'
  return value > 0 ? 'bullish' : 'bearish'
}

/** Where a mean sentiment leans. */
export function leaningOf(mean: number, limit: number): NewSignal['direction'] {
  return Math.abs(mean) < limit ? 'neutral' : directionOf(mean)
}
