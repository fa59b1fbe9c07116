import { isDeepStrictEqual } from 'node:util'
import type { Signal } from '../../model/signals.ts'

export interface Threshold {
  default: number
  minimum: number
  maximum: number
  isInteger?: boolean
  meaning: string
}

/** All numbers that detectors use, with their defaults. `every_kind` and `outcome` apply to all kinds. */
export const THRESHOLDS = {
  sentiment_shift: {
    leastZ: { default: 3, minimum: 1, maximum: 100, meaning: 'Robust z-score of the mean sentiment' },
    leastShift: { default: 0.25, minimum: 0, maximum: 2, meaning: 'Distance from the usual sentiment' },
    leastEntries: count(5, 'Entries with a sentiment in the last 24 hours'),
    leastPublishers: count(3, 'Publishers of the entries'),
    leastDays: { ...count(10, 'Earlier days with a sentiment'), minimum: 3, maximum: 28 },
    scoreSpread: {
      default: 0.4,
      minimum: 0.01,
      maximum: 1,
      meaning: 'Least standard deviation of single scores',
    },
    halfPublishers: count(3, 'Publishers for half of full confidence'),
  },
  news_volume_spike: {
    leastZ: { default: 4, minimum: 1, maximum: 100, meaning: 'Robust z-score of the number of entries' },
    leastEntries: count(5, 'Entries in the last 24 hours'),
    leastPublishers: count(3, 'Publishers of the entries'),
    leastDays: { ...count(14, 'Known earlier days'), minimum: 3, maximum: 28 },
    leastCoverage: {
      default: 0.2,
      minimum: 0,
      maximum: 1,
      meaning: 'A day is known if its entries about other assets are at least this share of those of the last 24 hours',
    },
    halfPublishers: count(3, 'Publishers for half of full confidence'),
  },
  breaking_cluster: {
    windowHours: { ...count(6, 'Hours to look back'), maximum: 23 },
    leastPublishers: count(4, 'Publishers of entries about the asset in that time'),
    leastVelocity: {
      default: 1,
      minimum: 0,
      maximum: 1000,
      meaning: 'Entries per hour since the first entry in that time',
    },
    leastMentions: {
      default: 0.5,
      minimum: 0.01,
      maximum: 1,
      meaning: 'Share of entries mainly about an asset that makes the cluster about it',
    },
    halfEntries: count(4, 'Entries for half of full confidence'),
  },
  insider_cluster_buy: {
    windowDays: { ...count(14, 'Days in which the purchases were filed'), maximum: 180 },
    leastInsiders: { ...count(3, 'Officers and directors who bought'), minimum: 2 },
    leastValue: dollars(200_000, 'Total value of the purchases in dollars'),
    halfValue: dollars(1_000_000, 'Dollars for half of the strength that depends on dollars'),
    halfInsiders: count(2, 'Insiders for half of full confidence'),
  },
  insider_large_sale: {
    windowDays: { ...count(7, 'Days in which the sales of one insider are added up'), maximum: 180 },
    leastValue: dollars(1_000_000, 'Total value of the sales in dollars'),
    leastShare: { default: 0.1, minimum: 0, maximum: 1, meaning: 'Share of the holding that was sold' },
    leastSales: count(5, 'Earlier sales in other filings needed for a comparison'),
    leastZ: {
      default: 1,
      minimum: 0,
      maximum: 100,
      meaning: 'Robust z-score of the logarithm of the value among sales of the company',
    },
    halfValue: dollars(10_000_000, 'Dollars for half of the strength that depends on dollars'),
    halfShare: share(0.25, 'Share of the holding for half of the strength that depends on it'),
    confidence: share(0.5, 'Confidence, unless all sales were under a trading plan'),
    plannedConfidence: share(0.3, 'Confidence if all sales were under a trading plan'),
    comparedConfidence: share(0.1, 'Added confidence if there were sales to compare with'),
  },
  activist_stake: {
    leastPercent: { default: 5, minimum: 0, maximum: 100, meaning: 'Percent of the class in a first report' },
    leastRise: {
      default: 1,
      minimum: 0.01,
      maximum: 100,
      meaning: 'Increase of a reported stake in percentage points',
    },
    halfPercent: { default: 8, minimum: 0.01, maximum: 100, meaning: 'Percent for half of full strength' },
    confidence: share(0.55, 'Confidence'),
  },
  material_event: {
    leastWeight: { default: 0.4, minimum: 0, maximum: 1, meaning: 'Weight of the heaviest item of the report' },
    confidence: share(0.6, 'Confidence'),
    openConfidence: share(0.4, 'Confidence if neither the item nor the news is good or bad'),
  },
  prediction_market_move: {
    leastZ: { default: 3.5, minimum: 1, maximum: 100, meaning: 'Robust z-score of the move' },
    leastMove: { default: 0.08, minimum: 0.001, maximum: 1, meaning: 'Move of the probability' },
    leastDays: { ...count(7, 'Known earlier moves'), minimum: 3, maximum: 28 },
    leastSpread: { default: 0.01, minimum: 0.0001, maximum: 1, meaning: 'Least spread of daily moves' },
    halfMove: {
      default: 0.15,
      minimum: 0.001,
      maximum: 1,
      meaning: 'Move for half of the strength that depends on it',
    },
    leastConfidence: share(0.4, 'Confidence if no earlier moves are known'),
    mostConfidence: share(0.7, 'Confidence if all earlier moves are known'),
  },
  price_news_divergence: {
    leastSentiment: { default: 0.3, minimum: 0, maximum: 1, meaning: 'Mean sentiment of the last 24 hours' },
    leastEntries: count(4, 'Entries with a sentiment in the last 24 hours'),
    leastPublishers: count(3, 'Publishers of the entries'),
    priceDays: { ...count(3, 'Days of the price move'), maximum: 20 },
    leastMovePercent: { default: 2, minimum: 0, maximum: 100, meaning: 'Move of the price in percent' },
    leastZ: { default: 1.5, minimum: 0, maximum: 100, meaning: 'Move in robust deviations for that number of days' },
    leastDays: { ...count(20, 'Known daily returns'), maximum: 60 },
    halfPublishers: count(4, 'Publishers for half of full confidence'),
  },
  every_kind: {
    leaningSentiment: {
      default: 0.12,
      minimum: 0,
      maximum: 0.5,
      meaning: 'Mean sentiment from which news counts as positive or negative',
    },
    leastScored: count(3, 'Entries with a sentiment needed for a mean; with fewer the news is neutral'),
    staleEntryHours: {
      default: 6,
      minimum: 0.1,
      maximum: 24,
      meaning: 'Hours after which an entry is no longer news',
    },
    staleFilingDays: {
      default: 4,
      minimum: 0.1,
      maximum: 30,
      meaning: 'Days after which a filing is no longer news',
    },
    updateStep: {
      default: 0.1,
      minimum: 0.01,
      maximum: 1,
      meaning: 'Increase of the strength that causes an update',
    },
    updateGrowth: {
      default: 2,
      minimum: 1.1,
      maximum: 100,
      meaning: 'Growth factor of the evidence since the last update that causes an update',
    },
  },
  outcome: {
    neutralPercentIntraday: percent(1),
    neutralPercent1d: percent(2),
    neutralPercent1w: percent(4),
    neutralPercent1mo: percent(8),
  },
} as const satisfies Record<Signal['kind'] | 'every_kind' | 'outcome', Record<string, Threshold>>

type Table = typeof THRESHOLDS

export type Thresholds = { [Group in keyof Table]: { [Name in keyof Table[Group]]: number } }

export const DEFAULT_THRESHOLDS: Thresholds = mergeThresholds({})

export class ThresholdError extends Error {}

/** Merges the operator's JSON into the defaults. Throws a `ThresholdError` that names the field and the problem. */
export function mergeThresholds(given: unknown): Thresholds {
  const groups = objectOf(given, 'the thresholds')
  refuseDotted(Object.keys(groups))
  refuseUnknown(Object.keys(groups), Object.keys(THRESHOLDS), 'kind')
  const merged = Object.entries<Record<string, Threshold>>(THRESHOLDS).map(([group, table]) => [
    group,
    mergeGroup(group, table, groups[group]),
  ])
  return Object.fromEntries(merged)
}

/** Returns the groups with a threshold that differs from its default. */
export function changedGroups(thresholds: Thresholds): string[] {
  const defaults = new Map<string, object>(Object.entries(DEFAULT_THRESHOLDS))
  return Object.entries(thresholds)
    .filter(([group, values]) => !isDeepStrictEqual(values, defaults.get(group)))
    .map(([group]) => group)
}

function mergeGroup(group: string, table: Record<string, Threshold>, given: unknown): Record<string, number> {
  const values = given === undefined ? {} : objectOf(given, group)
  refuseUnknown(
    Object.keys(values).map((name) => `${group}.${name}`),
    Object.keys(table).map((name) => `${group}.${name}`),
    'threshold',
  )
  const merged = Object.entries(table).map(([name, threshold]): [string, number] => [
    name,
    name in values ? numberOf(values[name], threshold, `${group}.${name}`) : threshold.default,
  ])
  return Object.fromEntries(merged)
}

function objectOf(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new ThresholdError(`${field} must be an object`)
}

/** The documentation names thresholds with a dot, so operators may write them that way. */
function refuseDotted(given: readonly string[]): void {
  const dotted = given.find((name) => name.includes('.'))
  if (dotted === undefined) return
  const [group, name] = dotted.split('.')
  throw new ThresholdError(`${dotted} must be nested: {"${group}": {"${name}": …}}`)
}

function refuseUnknown(given: readonly string[], known: readonly string[], what: string): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new ThresholdError(`${unknown} is not a ${what} of signals; allowed are ${known.join(', ')}`)
  }
}

function numberOf(value: unknown, { minimum, maximum, isInteger = false }: Threshold, field: string): number {
  const isRight = isInteger ? Number.isInteger(value) : Number.isFinite(value)
  if (typeof value === 'number' && isRight && value >= minimum && value <= maximum) return value
  throw new ThresholdError(`${field} must be a ${isInteger ? 'whole ' : ''}number from ${minimum} to ${maximum}`)
}

function count(value: number, meaning: string) {
  return { default: value, minimum: 1, maximum: 1000, isInteger: true, meaning }
}

function share(value: number, meaning: string) {
  return { default: value, minimum: 0, maximum: 1, meaning }
}

function dollars(value: number, meaning: string) {
  return { default: value, minimum: 0, maximum: 1e12, meaning }
}

function percent(value: number) {
  return {
    default: value,
    minimum: 0,
    maximum: 100,
    meaning: 'Largest price move in percent for which a neutral signal of this horizon counts as right',
  }
}
