import { sampleAssets } from '../sources/sample/assets.ts'
import { sampleTopics } from '../sources/sample/topics.ts'
import type { Store } from '../store/store.ts'

/** Gives a store without any assets and topics those that come with Mintick; true if it did. */
export async function loadCatalogue(store: Store, now: number): Promise<boolean> {
  const known = (await store.assets.count()) + (await store.topics.count())
  if (known > 0) return false
  await store.assets.insert(sampleAssets, now)
  await store.topics.insert(sampleTopics, now)
  return true
}
