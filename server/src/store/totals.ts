import { SEC_DATASETS, type SecDataset } from '../model/sec/datasets.ts'
import type { Db } from './db.ts'
import type { KindOutcomes } from './signals/signal-outcomes.ts'
import type { Store } from './store.ts'

/** Numbers of records, and what else GET /stats reports about the store. */
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

/** Returns a function that reads the totals. It returns the same object until something in the store changes. */
export function totalsReader(db: Db, store: Omit<Store, 'totals'>): () => Promise<Totals> {
  let known: { version: number; totals: Promise<Totals> } | undefined
  return async () => {
    // Every change increments a number of a feed, so their sum is a version. It is read before the totals, which may be
    // newer than their version, but not older.
    const [feeds] = await db.query<{ version: number }>(
      'select cast(sum(last_seq) + sum(epoch) as bigint) as version from feeds',
    )
    const version = feeds?.version ?? 0
    if (known?.version === version) return known.totals
    const read = { version, totals: readTotals(store) }
    known = read
    read.totals.catch(() => {
      if (known === read) known = undefined
    })
    return read.totals
  }
}

async function readTotals(store: Omit<Store, 'totals'>): Promise<Totals> {
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
