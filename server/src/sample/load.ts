import type { Clock } from '../clock.ts'
import { markOlderEntries } from '../ingest/entries/reindex.ts'
import { CLUSTER_TASK } from '../ingest/indexing/cluster-task.ts'
import { SEC_DATASETS } from '../model/sec/datasets.ts'
import type { Lease } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import { samplePublishers } from './world/publishers.ts'

const BATCH = 1_000

/** Set when the operator begins to remove the sample, which is then not loaded again, and when all of it is removed. */
export const CLEARED = 'sample-cleared'
export const CLEARED_WHOLLY = 'sample-cleared-wholly'

/** Warns about real data beside the sample. */
export const SAMPLE_WARNING =
  'The store contains the invented data of the sample beside your own; run "mintick sample clear" to remove it.'

/** Increase this number when the world grows, so that stores with a smaller number get the additional data. */
const LOADED = 'sample-loaded-2'

/**
 * Fills an empty store with the sample world. The world depends only on the time of the first attempt, which the store
 * keeps: an interrupted load continues where it stopped.
 */
export async function loadSample(store: Store, clock: Clock, say: (line: string) => void = () => {}): Promise<void> {
  if ((await hasSample(store)) || (await isCleared(store))) return
  // When several instances start at once, the first one loads and the others wait.
  await store.leases.run('sample', (lease) => load(store, clock, say, lease))
}

/**
 * A load that lost its lease repeats inserts, which is harmless: they add missing rows or write the same values.
 * Clusters and progress change once others work on the loaded sample, so only the holder of the lease writes them.
 */
async function load(store: Store, clock: Clock, say: (line: string) => void, lease: Lease): Promise<void> {
  const isStarted = (await store.metadata.find('sample-now')) !== undefined
  if (!isStarted && (await store.entries.total()) > 0) return
  if ((await hasSample(store)) || (await isCleared(store))) return

  say('Loading the sample data …')
  const now = Number(await store.metadata.remember('sample-now', String(clock.now())))
  // Not loaded by a start that needs no sample.
  const [{ builtInAssets }, { builtInTopics }, { sampleMarkets }, { WorldParts }] = await Promise.all([
    import('../catalogue/built-in/assets.ts'),
    import('../catalogue/built-in/topics.ts'),
    import('./world/markets.ts'),
    import('./world-parts.ts'),
  ])
  const world = new WorldParts(now, sampleMarkets)
  try {
    await store.publishers.insert(samplePublishers, now)
    await store.assets.insert(builtInAssets, now)
    await store.topics.insert(builtInTopics, now)
    await store.counts.settle(clock.now())
    await markOlderEntries(store)
    for await (const batch of world.entries()) await store.entries.insert(batch)
    // The sample brings its own clusters; the cluster task starts after its entries.
    await store.progress.save(CLUSTER_TASK, { low: 0, high: (await store.entries.head()).seq }, lease)
    await inBatches(await world.records('clusters'), (batch) => store.clusters.upsert(batch, now, lease))
    await store.markets.insert(sampleMarkets, now)
    await store.candles.insertAll(world.candles(), now)
    await store.predictionMarkets.insert(await world.records('predictionMarkets'), now)
    for (const dataset of SEC_DATASETS) await store.sec.insert(dataset, await world.records(dataset), now)
    await store.signals.insert(await world.records('signals'), now)
  } finally {
    await world.close()
  }
  await store.metadata.remember(LOADED, 'yes')
}

/** Returns whether the store holds the sample world, or a rest of it. */
export async function hasSample(store: Store): Promise<boolean> {
  return (await isKnown(store, LOADED)) && !(await isKnown(store, CLEARED_WHOLLY))
}

const isCleared = (store: Store) => isKnown(store, CLEARED)
const isKnown = async (store: Store, fact: string) => (await store.metadata.find(fact)) !== undefined

async function inBatches<T>(all: readonly T[], write: (batch: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < all.length; start += BATCH) await write(all.slice(start, start + BATCH))
}
