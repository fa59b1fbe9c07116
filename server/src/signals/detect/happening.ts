import type { PredictionMarket } from '../../model/prediction-markets.ts'
import type { SecDataset, SecRecords } from '../../model/sec/datasets.ts'

/** What detectors look at, in the order in which the store learned of it. */
export type Happening = EntryHappening | FilingHappening | OddsHappening

export interface EntryHappening {
  type: 'entry'
  /** When the store learned of it. */
  at: number
  publishedAt: number
  id: string
  title: string
  publisherId: string
  assetKeys: readonly string[]
  sentimentScore: number | null
  /** The cluster it is in, with the entries of it that the store knew of when this one came, this one among them. */
  story: HappeningCluster | undefined
}

export interface HappeningCluster {
  id: string
  title: string
  members: readonly { id: string; publisherId: string; publishedAt: number; sentimentScore: number | null }[]
}

export type FilingHappening = {
  [Dataset in SecDataset]: { type: 'filing'; at: number; dataset: Dataset; record: SecRecords[Dataset] }
}[SecDataset]

export interface OddsHappening {
  type: 'odds'
  at: number
  market: Pick<PredictionMarket, 'id' | 'question' | 'type' | 'assetKeys' | 'status'>
  /** Of yes, or of the first outcome. */
  probability: number
}

/** What was paid for assets, as far as it was known at a time. */
export interface AssetPrices {
  at(assetKey: string, time: number): number | undefined
  /** The last closes of days that had ended by then, oldest first; fewer where there are not so many. */
  dailyCloses(assetKey: string, time: number, count: number): readonly number[]
}
