import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { NewAsset } from '../../model/assets.ts'
import type { NewCluster } from '../../model/clusters.ts'
import type { NewEntry } from '../../model/entries.ts'
import type { NewMarket } from '../../model/markets.ts'
import type { NewPredictionMarket } from '../../model/prediction-markets.ts'
import type { NewPublisher } from '../../model/publishers.ts'
import { DAY } from '../../model/time.ts'
import type { NewTopic } from '../../model/topics.ts'
import { sampleClusters } from './clusters.ts'
import { sampleReports } from './entries.ts'
import { sampleMarkets } from './markets.ts'
import { samplePredictionMarkets } from './prediction-markets/prediction-markets.ts'
import { createPrices, type Prices } from './prices/prices.ts'
import { samplePublishers } from './publishers.ts'
import { type SampleSec, sampleSec } from './sec/sec.ts'
import { SAMPLE_ENTRIES } from './size.ts'

export interface SampleWorld {
  publishers: NewPublisher[]
  assets: NewAsset[]
  topics: NewTopic[]
  entries: NewEntry[]
  clusters: NewCluster[]
  markets: NewMarket[]
  /** Candles by asset key. */
  prices: Prices
  predictionMarkets: NewPredictionMarket[]
  sec: SampleSec
}

export const SAMPLE_SEED = 'mintick-sample'
const SPAN_DAYS = 90

/**
 * Creates the whole synthetic world as of `now`. It is the same on every machine; only its dates depend on `now`.
 * Everything derives from the news: prices follow news, filings and odds follow both.
 */
export const sampleWorld = (now: number): SampleWorld => lazyWorld(now).whole()

/** Returns functions that create the parts of the world when they are first called. */
export function lazyWorld(now: number) {
  const seed = SAMPLE_SEED
  const reports = once(() => [...sampleReports({ count: SAMPLE_ENTRIES, from: now - SPAN_DAYS * DAY, to: now, seed })])
  const entries = once(() => reports().map(({ entry }) => entry))
  const clusters = once(() => sampleClusters(reports()))
  const prices = once(() => createPrices({ now, reports: reports(), seed }))
  const predictionMarkets = once(() => samplePredictionMarkets({ now, reports: reports(), prices: prices() }))
  const sec = once(() => sampleSec({ now, reports: reports(), priceAt: prices().at, seed }))
  const whole = (): SampleWorld => ({
    publishers: samplePublishers,
    assets: builtInAssets,
    topics: builtInTopics,
    entries: entries(),
    clusters: clusters(),
    markets: sampleMarkets,
    prices: prices(),
    predictionMarkets: predictionMarkets(),
    sec: sec(),
  })
  return { entries, clusters, prices, predictionMarkets, sec, whole }
}

function once<T extends object>(create: () => T): () => T {
  let created: T | undefined
  return () => {
    created ??= create()
    return created
  }
}
