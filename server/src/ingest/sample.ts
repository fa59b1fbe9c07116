import type { Clock } from '../clock.ts'
import { sampleWorld } from '../sources/sample/world.ts'
import type { Store } from '../store/store.ts'

const BATCH = 1_000

/**
 * Fills an empty store with the sample world. The world depends only on the time it was first asked for, which the
 * store remembers: a load that was cut off goes on where it was.
 */
export async function loadSample(store: Store, clock: Clock): Promise<void> {
  const isStarted = (await store.facts.find('sample-now')) !== undefined
  if (!isStarted && (await store.entries.total()) > 0) return
  if ((await store.facts.find('sample-loaded')) !== undefined) return

  const now = Number(await store.facts.remember('sample-now', String(clock.now())))
  const world = sampleWorld(now)
  await store.publishers.insert(world.publishers, now)
  await store.assets.insert(world.assets, now)
  await store.topics.insert(world.topics, now)
  await store.counts.settle(clock.now())
  for (let start = 0; start < world.entries.length; start += BATCH) {
    await store.entries.insert(world.entries.slice(start, start + BATCH))
  }
  await store.facts.remember('sample-loaded', 'yes')
}
