import { isDeepStrictEqual } from 'node:util'
import type { Signal } from '../../model/signals.ts'

export interface Threshold {
  default: number
  minimum: number
  maximum: number
  isInteger?: boolean
  meaning: string
}

/** Every number that a detector goes by, with its default: the one table of them. `every_kind` and `outcome` are about all. */
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
    halfPublishers: count(3, 'Publishers that make for half of full confidence'),
  },
  news_volume_spike: {
    leastZ: { default: 4, minimum: 1, maximum: 100, meaning: 'Robust z-score of the number of entries' },
    leastEntries: count(5, 'Entries in the last 24 hours'),
    leastPublishers: count(3, 'Publishers of the entries'),
    leastDays: { ...count(14, 'Earlier days that are known'), minimum: 3, maximum: 28 },
    leastCoverage: {
      default: 0.2,
      minimum: 0,
      maximum: 1,
      meaning: 'A day is known when the entries about other assets were this share of those of the last 24 hours',
    },
    halfPublishers: count(3, 'Publishers that make for half of full confidence'),
  },
  breaking_cluster: {
    windowHours: { ...count(6, 'Hours that are looked at'), maximum: 23 },
    leastPublishers: count(4, 'Publishers that told the story about the asset in that time'),
    leastVelocity: { default: 1, minimum: 0, maximum: 1000, meaning: 'Entries per hour since the first of that time' },
    leastMentions: {
      default: 0.5,
      minimum: 0.01,
      maximum: 1,
      meaning: 'Share of the entries that are mainly about an asset for the story to be about it',
    },
    halfEntries: count(4, 'Entries that make for half of full confidence'),
  },
  insider_cluster_buy: {
    windowDays: { ...count(14, 'Days in which the purchases were filed'), maximum: 180 },
    leastInsiders: { ...count(3, 'Officers and directors who bought'), minimum: 2 },
    leastValue: dollars(200_000, 'What they paid together, in dollars'),
    halfValue: dollars(1_000_000, 'Dollars that make for half of full strength, as far as it is about dollars'),
    halfInsiders: count(2, 'Insiders that make for half of full confidence'),
  },
  insider_large_sale: {
    windowDays: { ...count(7, 'Days in which the sales of one insider are added up'), maximum: 180 },
    leastValue: dollars(1_000_000, 'What they were worth, in dollars'),
    leastShare: { default: 0.1, minimum: 0, maximum: 1, meaning: 'Share of the holding that was sold' },
    leastSales: count(5, 'Earlier sales of other filings from which on these are compared with'),
    leastZ: {
      default: 1,
      minimum: 0,
      maximum: 100,
      meaning: 'Robust z-score of the logarithm of the value among those of the company',
    },
    halfValue: dollars(10_000_000, 'Dollars that make for half of full strength, as far as it is about dollars'),
    halfShare: share(0.25, 'Share of the holding that makes for half of full strength, as far as it is about that'),
    confidence: share(0.5, 'Confidence, unless all was sold under a trading plan'),
    plannedConfidence: share(0.3, 'Confidence when all was sold under a trading plan'),
    comparedConfidence: share(0.1, 'Confidence to add where there were sales to compare with'),
  },
  activist_stake: {
    leastPercent: { default: 5, minimum: 0, maximum: 100, meaning: 'Percent of the class that are reported first' },
    leastRise: { default: 1, minimum: 0.01, maximum: 100, meaning: 'Points by which a reported stake has grown' },
    halfPercent: { default: 8, minimum: 0.01, maximum: 100, meaning: 'Percent that make for half of full strength' },
    confidence: share(0.55, 'Confidence'),
  },
  material_event: {
    leastWeight: { default: 0.4, minimum: 0, maximum: 1, meaning: 'Weight of the heaviest item of the report' },
    confidence: share(0.6, 'Confidence'),
    openConfidence: share(0.4, 'Confidence where neither the item nor the news says whether it is good or bad'),
  },
  prediction_market_move: {
    leastZ: { default: 3.5, minimum: 1, maximum: 100, meaning: 'Robust z-score of the move' },
    leastMove: { default: 0.08, minimum: 0.001, maximum: 1, meaning: 'Move of the probability' },
    leastDays: { ...count(7, 'Earlier moves that are known'), minimum: 3, maximum: 28 },
    leastSpread: { default: 0.01, minimum: 0.0001, maximum: 1, meaning: 'Least spread of the moves of a day' },
    halfMove: {
      default: 0.15,
      minimum: 0.001,
      maximum: 1,
      meaning: 'Move that makes for half of full strength, as far as it is about that',
    },
    leastConfidence: share(0.4, 'Confidence where no earlier moves are known'),
    mostConfidence: share(0.7, 'Confidence where all earlier moves are known'),
  },
  price_news_divergence: {
    leastSentiment: { default: 0.3, minimum: 0, maximum: 1, meaning: 'Mean sentiment of the last 24 hours' },
    leastEntries: count(4, 'Entries with a sentiment in the last 24 hours'),
    leastPublishers: count(3, 'Publishers of the entries'),
    priceDays: { ...count(3, 'Days over which the price has moved'), maximum: 20 },
    leastMovePercent: { default: 2, minimum: 0, maximum: 100, meaning: 'Percent that the price has moved' },
    leastZ: { default: 1.5, minimum: 0, maximum: 100, meaning: 'That move in robust deviations of such a span' },
    leastDays: { ...count(20, 'Daily returns that are known'), maximum: 60 },
    halfPublishers: count(4, 'Publishers that make for half of full confidence'),
  },
  every_kind: {
    leaningSentiment: {
      default: 0.12,
      minimum: 0,
      maximum: 0.5,
      meaning: 'Mean sentiment from which on news is for or against an asset',
    },
    leastScored: count(
      3,
      'Entries with a sentiment, for their mean to say where news leans; with fewer it leans neither way',
    ),
    staleEntryHours: {
      default: 6,
      minimum: 0.1,
      maximum: 24,
      meaning: 'Hours after which an entry is no news any more',
    },
    staleFilingDays: {
      default: 4,
      minimum: 0.1,
      maximum: 30,
      meaning: 'Days after which a filing is no news any more',
    },
    updateStep: {
      default: 0.1,
      minimum: 0.01,
      maximum: 1,
      meaning: 'Growth of the strength that is told as an update',
    },
    updateGrowth: {
      default: 2,
      minimum: 1.1,
      maximum: 100,
      meaning: 'Times the evidence, as it was last told, that are told as an update',
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

/** The defaults, with what `given` (the JSON of an operator) says otherwise. Throws what is wrong with it, and where. */
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

/** The groups in which something differs from its default. */
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

/** The documentation names thresholds with a dot, and so do those who have read it. */
function refuseDotted(given: readonly string[]): void {
  const dotted = given.find((name) => name.includes('.'))
  if (dotted === undefined) return
  const [group, name] = dotted.split('.')
  throw new ThresholdError(`${dotted} must be nested: {"${group}": {"${name}": …}}`)
}

function refuseUnknown(given: readonly string[], known: readonly string[], what: string): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new ThresholdError(`${unknown} is no ${what} of signals; there are ${known.join(', ')}`)
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
    meaning: 'Percent that a price may move for a neutral signal of this horizon to have been right',
  }
}
