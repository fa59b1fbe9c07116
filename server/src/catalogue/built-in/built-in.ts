import type { EnrichCatalogue } from '../../enrich/enrich.ts'
import type { Store } from '../../store/store.ts'
import { builtInAssets } from './assets.ts'
import { builtInTopics } from './topics.ts'

/** Returns the assets and topics that ship with Mintick. */
export function builtInCatalogue(): EnrichCatalogue {
  const slugs = new Map(builtInTopics.map(({ id, slug }) => [id, slug]))
  const topics = builtInTopics.map(({ slug, name, parentId }) => ({
    slug,
    name,
    parentSlug: slugs.get(parentId ?? '') ?? null,
    terms: null,
  }))
  return { assets: builtInAssets, topics }
}

/** Loads the built-in assets and topics into a store that has none; returns whether it did. */
export async function loadBuiltInCatalogue(store: Store, now: number): Promise<boolean> {
  const known = (await store.assets.count()) + (await store.topics.count())
  if (known > 0) return false
  await store.assets.insert(builtInAssets, now)
  await store.topics.insert(builtInTopics, now)
  return true
}
