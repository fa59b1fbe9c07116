import type { EnrichCatalogue } from '../../enrich/enrich.ts'
import type { Store } from '../../store/store.ts'
import { sampleAssets } from './assets.ts'
import { sampleTopics } from './topics.ts'

/** The assets and topics that come with Mintick. */
export function builtInCatalogue(): EnrichCatalogue {
  const slugs = new Map(sampleTopics.map(({ id, slug }) => [id, slug]))
  const topics = sampleTopics.map(({ slug, name, parentId }) => ({
    slug,
    name,
    parentSlug: slugs.get(parentId ?? '') ?? null,
    terms: null,
  }))
  return { assets: sampleAssets, topics }
}

/** Gives a store without any assets and topics those that come with Mintick; true if it did. */
export async function loadCatalogue(store: Store, now: number): Promise<boolean> {
  const known = (await store.assets.count()) + (await store.topics.count())
  if (known > 0) return false
  await store.assets.insert(sampleAssets, now)
  await store.topics.insert(sampleTopics, now)
  return true
}
