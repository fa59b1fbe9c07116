import { SEC_DATASETS, type SecDataset } from '../model/sec/datasets.ts'
import type { KindOutcomes } from './signals/signal-outcomes.ts'
import type { Store } from './store.ts'

/** Numbers of records, the results of signals, and the time of the newest entry. */
export interface Totals {
  entries: number
  publishers: number
  assets: number
  topics: number
  clusters: number
  markets: number
  predictionMarkets: number
  secRecords: Record<SecDataset, number>
  signals: number
  signalOutcomes: KindOutcomes[]
  lastEntryAt: number | null
}

export async function readTotals(store: Omit<Store, 'totals'>): Promise<Totals> {
  const secTotals = await Promise.all(SEC_DATASETS.map(async (dataset) => [dataset, await store.sec.total(dataset)]))
  return {
    entries: await store.entries.total(),
    publishers: await store.publishers.count(),
    assets: await store.assets.count(),
    topics: await store.topics.count(),
    clusters: await store.clusters.total(),
    markets: await store.markets.count(),
    predictionMarkets: await store.predictionMarkets.total(),
    secRecords: Object.fromEntries(secTotals),
    signals: await store.signals.total(),
    signalOutcomes: await store.signals.listOutcomes(),
    lastEntryAt: await store.entries.lastCreatedAt(),
  }
}
