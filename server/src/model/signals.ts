import Type, { type Static } from 'typebox'
import { id, nullable, share, time } from './schema.ts'
import { SEC_DATASETS } from './sec/datasets.ts'

export const SIGNAL_KINDS = [
  'sentiment_shift',
  'news_volume_spike',
  'breaking_cluster',
  'insider_cluster_buy',
  'insider_large_sale',
  'activist_stake',
  'material_event',
  'prediction_market_move',
  'price_news_divergence',
] as const
export const SIGNAL_DIRECTIONS = ['bullish', 'bearish', 'neutral'] as const
export const SIGNAL_HORIZONS = ['intraday', '1d', '1w', '1mo'] as const
export const SIGNAL_STATUSES = ['active', 'expired', 'superseded'] as const

export const Signal = Type.Object({
  id: id(),
  kind: Type.Enum(SIGNAL_KINDS),
  direction: Type.Enum(SIGNAL_DIRECTIONS),
  strength: share(),
  confidence: share(),
  horizon: Type.Enum(SIGNAL_HORIZONS),
  assetId: id(),
  assetKey: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  entryIds: Type.Array(id()),
  clusterId: nullable(id()),
  secRecords: Type.Array(Type.Object({ dataset: Type.Enum(SEC_DATASETS), id: id() })),
  predictionMarketIds: Type.Array(id()),
  metrics: nullable(
    Type.Object({
      value: Type.Number(),
      baseline: nullable(Type.Number()),
      zScore: nullable(Type.Number()),
      window: Type.String(),
    }),
  ),
  referencePrice: nullable(Type.Number({ description: 'Price when the signal was generated' })),
  model: Type.Object({ name: Type.String(), version: Type.String() }),
  status: Type.Enum(SIGNAL_STATUSES),
  generatedAt: time(),
  expiresAt: time(),
  outcome: nullable(
    Type.Object(
      { evaluatedAt: time(), returnPercent: Type.Number(), isHit: Type.Boolean() },
      {
        description: 'Result, once the horizon has passed',
      },
    ),
  ),
  createdAt: time(),
})
export type Signal = Static<typeof Signal>

/** A signal to insert. */
export interface NewSignal extends Omit<Signal, 'assetId' | 'status' | 'createdAt'> {
  isSuperseded: boolean
}

/** A historical signal, or a version of one. */
export interface PastSignal extends NewSignal {
  /** When it became known; `generatedAt` by default. */
  knownFrom?: number
}

/** A change that detectors report. An update replaces the existing signal with the same id. */
export type SignalChange =
  | { type: 'new'; signal: NewSignal; supersedes: readonly string[] }
  | { type: 'update'; signal: NewSignal }

/** An item of the signal log, which streams read: a new or changed signal. */
export interface SignalEvent extends Pick<Signal, 'kind' | 'direction' | 'assetKey' | 'strength' | 'confidence'> {
  /** Its position in the log, in commit order. */
  id: number
  /** The signal as JSON. */
  doc: string
}
