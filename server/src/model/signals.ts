import Type, { type Static } from 'typebox'
import { addedAt, assetId, assetKey, flag, id, ids, nullable, number, share, text, time } from './schema.ts'
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

export const Signal = Type.Object(
  {
    id: id('Stays the same if the signal becomes stronger; not the id of a stream event'),
    kind: Type.Enum(SIGNAL_KINDS, {
      description: 'What was detected; the reference of signals has the rule of each kind',
    }),
    direction: Type.Enum(SIGNAL_DIRECTIONS, { description: 'Expected effect on the price of the asset' }),
    strength: share('Size of the finding, computed for each kind in its own way'),
    confidence: share('How well the evidence supports the finding'),
    horizon: Type.Enum(SIGNAL_HORIZONS, { description: 'How long it applies: from generatedAt to expiresAt' }),
    assetId: assetId(),
    assetKey: assetKey(),
    title: text('The finding in a few words'),
    summary: text('The finding in a sentence, with its figures'),
    entryIds: ids('Evidence: ids of entries in the order of arrival, at most 20; empty for other kinds'),
    clusterId: nullable(id('Evidence: id of a cluster; null for other kinds')),
    secRecords: Type.Array(
      Type.Object({
        dataset: Type.Enum(SEC_DATASETS, { description: 'Dataset of the record, as in /sec/insider-trades' }),
        id: id('Id of the record'),
      }),
      { description: 'Evidence: SEC records in the order of filing, at most 50; empty for other kinds' },
    ),
    predictionMarketIds: ids('Evidence: ids of prediction markets; empty for other kinds'),
    metrics: nullable(
      Type.Object(
        {
          value: number('Measured value; its unit depends on the kind'),
          baseline: nullable(number('Usual value, in the same unit; null if the kind has none')),
          zScore: nullable(number('Distance of the value from the baseline in deviations; null if the kind has none')),
          window: text('Time in which the value was measured, such as 24h or 7d'),
        },
        { description: 'Figures behind the finding; null for material_event' },
      ),
    ),
    referencePrice: nullable(number('Price of the asset when the signal was generated; null if unknown')),
    model: Type.Object(
      { name: text('Name of the rules'), version: text('Changes if the rules change') },
      { description: 'The rules that generated the signal' },
    ),
    status: Type.Enum(SIGNAL_STATUSES, {
      description: 'expired: expiresAt has passed; superseded: another signal replaced it before',
    }),
    generatedAt: time('Time of the finding; stays the same if the signal becomes stronger'),
    expiresAt: time('End of its horizon'),
    outcome: nullable(
      Type.Object(
        {
          evaluatedAt: time('When the outcome was computed'),
          returnPercent: number('Change from referencePrice to the last price before expiresAt: 1.5 is 1.5%'),
          isHit: flag('Whether the price moved in the direction, or hardly at all for a neutral signal'),
        },
        { description: 'Result once the horizon has passed; null before, and if a price is unknown' },
      ),
    ),
    createdAt: addedAt(),
    updatedAt: time(
      'When it was found, last changed or superseded. Expiry and outcome have their own times, expiresAt and outcome.evaluatedAt',
    ),
  },
  { description: 'A finding about an asset, with its evidence' },
)
export type Signal = Static<typeof Signal>

/** A signal to insert. */
export interface NewSignal extends Omit<Signal, 'assetId' | 'status' | 'createdAt' | 'updatedAt'> {
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

export const EVENT_CHANGES = ['new', 'updated'] as const

/** An item of the signal log, which streams read: a new or changed signal. */
export interface SignalEvent extends Pick<Signal, 'kind' | 'direction' | 'assetKey' | 'strength' | 'confidence'> {
  /** Its position in the log, in commit order. */
  id: number
  change: (typeof EVENT_CHANGES)[number]
  /** The signal as JSON. */
  doc: string
}
