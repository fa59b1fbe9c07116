import type { PredictionMarket } from '../../model/prediction-markets.ts'
import type { SecDataset, SecRecords } from '../../model/sec/datasets.ts'

/** Input of the detectors, in the order in which the store received it. */
export type Observation = EntryObservation | FilingObservation | OddsObservation

export interface EntryObservation {
  type: 'entry'
  /** When the store received it. */
  at: number
  publishedAt: number
  id: string
  title: string
  publisherId: string
  assetKeys: readonly string[]
  sentimentScore: number | null
  /** Its cluster, with the members up to and including this entry. */
  cluster: ObservedCluster | undefined
}

export interface ObservedCluster {
  id: string
  title: string
  members: readonly { id: string; publisherId: string; publishedAt: number; sentimentScore: number | null }[]
}

export type FilingObservation = {
  [Dataset in SecDataset]: { type: 'filing'; at: number; dataset: Dataset; record: SecRecords[Dataset] }
}[SecDataset]

export interface OddsObservation {
  type: 'odds'
  at: number
  market: Pick<PredictionMarket, 'id' | 'question' | 'type' | 'assetKeys' | 'status'>
  /** Probability of yes, or of the first outcome. */
  probability: number
}

/** Prices of assets as they were known at a time. */
export interface AssetPrices {
  at(assetKey: string, time: number): number | undefined
  /** Returns up to `count` closes of days that had ended by then, oldest first. */
  dailyCloses(assetKey: string, time: number, count: number): readonly number[]
}
