import { setImmediate } from 'node:timers/promises'
import type { Entry } from '../model/entries.ts'
import { PREDICTION_VENUES } from '../model/prediction-markets.ts'
import { SEC_DATASETS } from '../model/sec/datasets.ts'
import type { Store } from '../store/store.ts'
import { CLEARED, CLEARED_WHOLLY } from './load.ts'
import { samplePublishers } from './world/publishers.ts'

/** Rows per transaction: few enough that requests wait only shortly. */
const PORTION = 1_000
/** More, since each portion updates the counts of all assets and topics. */
const ENTRIES_PORTION = 4_000

/** Numbers of removed records. */
export interface Cleared {
  entries: number
  publishers: number
  markets: number
  predictionMarkets: number
  secRecords: number
  signals: number
}

/**
 * Removes the sample world, what SAMPLE_LIVE and `mintick seed` added to it, and the signals that only its records
 * prove. Records from elsewhere stay, and so do the built-in assets and topics. A later start does not load the sample
 * again. Ends early if `mayGoOn` says so; the next call continues.
 */
export async function clearSample(
  store: Store,
  now: number,
  { mayGoOn = () => true, onPortion }: { mayGoOn?(): boolean; onPortion?(removed: Cleared): void } = {},
): Promise<{ isDone: boolean; removed: Cleared }> {
  await store.metadata.remember(CLEARED, 'yes')
  const removed: Cleared = { entries: 0, publishers: 0, markets: 0, predictionMarkets: 0, secRecords: 0, signals: 0 }
  for (const [name, portions] of STEPS) {
    for await (const count of portions(store, now)) {
      removed[name] += count
      onPortion?.(removed)
      if (!mayGoOn()) return { isDone: false, removed }
      await setImmediate()
    }
  }
  // Load-test entries are sample entries, too.
  await store.progress.forgetSeeded()
  await store.metadata.remember(CLEARED_WHOLLY, 'yes')
  return { isDone: true, removed }
}

type Portions = (store: Store, now: number) => AsyncGenerator<number>

/**
 * In this order: detectors start anew once entries are removed, publishers must have lost their entries, and signals
 * their evidence.
 */
const STEPS: readonly [keyof Cleared, Portions][] = [
  ['markets', (store, now) => once(() => store.markets.removeSample(now))],
  ['predictionMarkets', clearPredictionMarkets],
  ['secRecords', clearSec],
  ['entries', clearEntries],
  ['publishers', (store) => once(() => store.publishers.removeUnused(samplePublishers.map(({ id }) => id)))],
  ['signals', clearSignals],
]

async function* once(remove: () => Promise<number>): AsyncGenerator<number> {
  yield await remove()
}

/** The addresses of sample entries: /2026/pair-up-1043283bb550. */
const PATH = /^\/\d{4}\/[a-z-]+-[0-9a-f]{12}$/

/** An operator's own entries may belong to a sample publisher, but have other addresses. */
async function* clearEntries(store: Store, now: number): AsyncGenerator<number> {
  const domains = new Map(samplePublishers.map(({ id, domain }) => [id, domain]))
  const isSample = (publisherId: string, { url }: Entry) => {
    const { host, pathname } = new URL(url)
    return host === domains.get(publisherId) && PATH.test(pathname)
  }
  await store.entries.pauseMerges(true)
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: EntryRow[] = await store.entries.listAfter(after, ENTRIES_PORTION)
    const sample = rows.filter(
      ({ publisherId, doc }) => domains.has(publisherId) && isSample(publisherId, JSON.parse(doc)),
    )
    const ids = sample.map(({ doc }): string => JSON.parse(doc).id)
    if (ids.length > 0) {
      yield await store.entries.remove(ids, now)
    }
    after = rows.at(-1)?.seq
  }
  await store.entries.pauseMerges(false)
}

type EntryRow = Awaited<ReturnType<Store['entries']['listAfter']>>[number]

async function* clearPredictionMarkets(store: Store, now: number): AsyncGenerator<number> {
  for (const venue of PREDICTION_VENUES) {
    const address = `"url":"https://${venue}.sample.example/`
    yield* untilNone(() => store.predictionMarkets.removeContaining(address, PORTION, now))
  }
}

async function* clearSec(store: Store, now: number): AsyncGenerator<number> {
  const address = '"filingUrl":"https://sec.sample.example/'
  for (const dataset of SEC_DATASETS) {
    yield* untilNone(() => store.sec.removeContaining(dataset, address, PORTION, now))
  }
}

async function* clearSignals(store: Store): AsyncGenerator<number> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { removed, last }: { removed: number; last: number | undefined } = await store.signals.removeUnproven(
      after,
      PORTION,
    )
    // Streams must not repeat removed signals.
    if (removed > 0) await store.signalLog.prune(Number.MAX_SAFE_INTEGER)
    after = last
    yield removed
  }
}

async function* untilNone(remove: () => Promise<number>): AsyncGenerator<number> {
  for (let count = await remove(); count > 0; count = await remove()) yield count
}
