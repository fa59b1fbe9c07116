import type { NewCluster } from '../../../model/clusters.ts'
import type { NewEntry } from '../../../model/entries.ts'
import type { NewPredictionMarket } from '../../../model/prediction-markets.ts'
import type { NewSignal } from '../../../model/signals.ts'
import { DAY, HOUR } from '../../../model/time.ts'
import { shortName } from '../assets.ts'
import type { SampleReport } from '../entries.ts'
import { getAsset } from '../popularity.ts'
import type { SampleSec } from '../sec/sec.ts'

/** What signals are found in: a signal names as its evidence nothing that is not here. */
export interface SignalContext {
  now: number
  reports: readonly SampleReport[]
  clusters: readonly NewCluster[]
  sec: SampleSec
  predictionMarkets: readonly NewPredictionMarket[]
  priceAt(assetKey: string, time: number): number | undefined
  seed: string | number
}

/** What a detector has found. The rest of a signal follows from it, and from prices. */
export interface Finding
  extends Pick<
    NewSignal,
    'kind' | 'direction' | 'strength' | 'confidence' | 'horizon' | 'assetKey' | 'title' | 'summary' | 'metrics'
  > {
  /** When the newest piece of evidence was known. */
  knownAt: number
  /** In the order of their publication. */
  entries?: readonly NewEntry[]
  clusterId?: string
  secRecords?: NewSignal['secRecords']
  predictionMarketIds?: string[]
}

export const SIGNAL_SPAN = 90 * DAY
export const MOST_ENTRIES = 20

export const horizonSpans: Record<NewSignal['horizon'], number> = {
  intraday: 8 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
  '1mo': 30 * DAY,
}

/** A mean sentiment this far from zero leans to a side. */
const LEANING = 0.1

export function directionOf(sentiment: number | null): NewSignal['direction'] {
  if (sentiment === null || Math.abs(sentiment) < LEANING) return 'neutral'
  return sentiment > 0 ? 'bullish' : 'bearish'
}

/** Null when none of them has a sentiment. */
export function meanSentiment(entries: readonly NewEntry[]): number | null {
  const scores = entries.flatMap(({ sentimentScore }) => sentimentScore ?? [])
  return scores.length === 0 ? null : mean(scores)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

export function latestOf(entries: readonly NewEntry[]): number {
  return entries.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
}

export function nameOf(assetKey: string): string {
  return shortName(getAsset(assetKey))
}

/** Of something that has no upper bound: `half` gives 0.5. */
export function saturate(value: number, half: number): number {
  return round(value / (value + half), 3)
}

export function round(value: number, digits: number): number {
  const scale = 10 ** digits
  // Adding zero turns -0 into 0.
  return Math.round(value * scale) / scale + 0
}

export function clampShare(value: number): number {
  return round(Math.min(Math.max(value, 0), 1), 3)
}

export function signed(value: number, digits: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(digits)}`
}

/** 1234567 as $1.2 million. */
export function dollars(value: number): string {
  if (value >= 1e9) return `$${(value / 1e9).toFixed(1)} billion`
  return value >= 1e6 ? `$${(value / 1e6).toFixed(1)} million` : `$${Math.round(value / 1000)},000`
}
