import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { loadBuiltInCatalogue } from '../src/catalogue/built-in/built-in.ts'
import { systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { createIngest, openDb } from '../src/drivers.ts'
import { Enricher } from '../src/enrich/enrich.ts'
import type { Ingest } from '../src/ingest/ingest.ts'
import { DAY } from '../src/model/time.ts'
import { sampleEntries } from '../src/sample/world/entries.ts'
import { createStore, type Store } from '../src/store/store.ts'
import { printFigure } from './figures.ts'
import { removeStore, storeAt } from './places.ts'
import { median, type Settings } from './service.ts'

const READ = 3_000
const EMBEDDED = 600
const ROUNDS = 5

/** Measures the speed of enrichment, alone and with intake and indexing, and how long it blocks the main thread. */
export async function benchEnrich({ folder }: Settings): Promise<void> {
  const place = mkdtempSync(join(folder, 'enrich-'))
  const now = Date.now()
  const entries = [...sampleEntries({ count: 3 * READ, from: now - DAY, to: now, seed: 'bench' })].filter(
    ({ language }) => language === 'en',
  )

  await withIngest(place, 'off', async (store, { intake, indexing }) => {
    await loadBuiltInCatalogue(store, now)
    const enricher = new Enricher({ assets: await store.assets.listAll(), topics: await store.topics.listWords() })
    const rates: number[] = []
    // The first round warms the thread up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      rates.push(
        await rate(READ, async () => {
          for (const entry of entries.slice(0, READ)) enricher.read(entry)
        }),
      )
    }
    printFigure('texts enriched, one thread', median(rates.slice(1)), 'at least', 1_300, { unit: 'per second' })
    indexing.start(() => {})
    const taken = await rate(READ, async () => {
      await take(intake, entries.slice(0, READ))
      await indexing.catchUp()
    })
    printFigure('entries added, without vectors', taken, 'at least', 1_000, { unit: 'per second' })
  })
  await removeStore(place)

  await withIngest(place, 'on', async (store, { intake, indexing }) => {
    await loadBuiltInCatalogue(store, now)
    await take(intake, entries.slice(EMBEDDED, EMBEDDED + 50))
    await indexing.catchUp()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    indexing.start(() => {})
    const taken = await rate(EMBEDDED, async () => {
      await take(intake, entries.slice(0, EMBEDDED))
      await indexing.catchUp()
    })
    delay.disable()
    printFigure('entries added, with vectors and clusters', taken, 'at least', 100, { unit: 'per second' })
    printFigure('longest block of the main thread meanwhile', delay.max / 1e6, 'at most', 20, { unit: 'ms' })
  })
  await removeStore(place)
}

async function withIngest(
  place: string,
  embeddings: 'on' | 'off',
  work: (store: Store, ingest: Ingest) => Promise<void>,
): Promise<void> {
  const config = readConfig({ ...(await storeAt(place)), EMBEDDINGS: embeddings })
  const store = createStore(await openDb(config, systemClock))
  const ingest = await createIngest(config, { store, clock: systemClock })
  await work(store, ingest)
  await ingest.stop()
  await store.close()
}

async function take(intake: Ingest['intake'], entries: readonly object[]): Promise<void> {
  for (let start = 0; start < entries.length; start += 200) await intake.take(entries.slice(start, start + 200))
}

async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await work()
  return Math.round(count / ((performance.now() - from) / 1_000))
}
