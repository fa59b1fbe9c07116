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
const ENTRY_COUNT = 6000
const SPAN_DAYS = 90

/**
 * Creates the whole synthetic world as of `now`. It is the same on every machine; only its dates depend on `now`.
 * Everything derives from the news: prices follow news, filings and odds follow both.
 */
export function sampleWorld(now: number): SampleWorld {
  const seed = SAMPLE_SEED
  const reports = [...sampleReports({ count: ENTRY_COUNT, from: now - SPAN_DAYS * DAY, to: now, seed })]
  const clusters = sampleClusters(reports)
  const prices = createPrices({ now, reports, seed })
  const predictionMarkets = samplePredictionMarkets({ now, reports, prices })
  const sec = sampleSec({ now, reports, priceAt: prices.at, seed })
  return {
    publishers: samplePublishers,
    assets: builtInAssets,
    topics: builtInTopics,
    entries: reports.map(({ entry }) => entry),
    clusters,
    markets: sampleMarkets,
    prices,
    predictionMarkets,
    sec,
  }
}
