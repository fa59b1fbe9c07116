import type { NewEntry } from '../src/model/entries.ts'
import { DAY } from '../src/model/time.ts'
import { sampleAssets } from '../src/sources/sample/assets.ts'
import { sampleEntries } from '../src/sources/sample/entries.ts'
import { samplePublishers } from '../src/sources/sample/publishers.ts'
import { sampleTopics } from '../src/sources/sample/topics.ts'
import type { Store } from '../src/store/store.ts'

const BATCH = 2_000

/** Fills a store with sample entries up to `to`, spread so that a million of them cover about a year and a half. */
export async function fill(store: Store, count: number, to: number): Promise<void> {
  await store.publishers.insert(samplePublishers, to)
  await store.assets.insert(sampleAssets, to)
  await store.topics.insert(sampleTopics, to)
  const from = to - (count / 2_000) * DAY
  let batch: NewEntry[] = []
  for (const entry of sampleEntries({ count, from, to, seed: 'bench' })) {
    batch.push(entry)
    if (batch.length < BATCH) continue
    await store.entries.insert(batch)
    batch = []
  }
  await store.entries.insert(batch)
}
