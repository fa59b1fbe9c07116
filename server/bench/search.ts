import { join } from 'node:path'
import { systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { createIngest, openDb } from '../src/drivers.ts'
import { unitVector } from '../src/enrich/embed/embedder.ts'
import { vectorTask } from '../src/search/vector-index.ts'
import { createStore } from '../src/store/store.ts'
import { print, printFigure } from './figures.ts'
import { storeAt } from './places.ts'
import { filled, median, type Settings, serve } from './service.ts'

const EMBEDDED = 1_000
const SPREAD = 0.03
const CHUNK = 500

const SUBJECTS = 'oil gold shares banks chipmakers airlines retailers carmakers bitcoin bonds'.split(' ')
const EVENTS = [
  'slide after weak demand',
  'rally on strong results',
  'face a new probe',
  'cut thousands of jobs',
  'buy back their own stock',
  'warn of rising costs',
  'win a large contract',
  'are hit by sanctions',
]

/** Measures semantic search with a vector for every entry, including the embedding of the question. */
export async function benchSearch(settings: Settings): Promise<void> {
  const { folder, vectors } = settings
  const place = await withVectors(await filled({ folder: join(folder, 'search') }, vectors))
  const service = await serve(place)
  const ask = async (params: Record<string, string>) => {
    const from = performance.now()
    const url = `http://127.0.0.1:${service.port}/api/v1/entries?${new URLSearchParams(params)}`
    const response = await fetch(url, { headers: service.headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a search returned status ${response.status}`)
    return performance.now() - from
  }
  await ask({ query: 'to load the model' })
  const questions = SUBJECTS.flatMap((subject) => EVENTS.map((event) => `${subject} ${event}`))
  for (const [name, filters] of Object.entries({
    'a question': {},
    'a question, one language': { language: 'en' },
    'a question, one asset': { assetKey: 'AAPL' },
  })) {
    const times: number[] = []
    for (const query of questions) times.push(await ask({ query, ...filters }))
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
    printFigure(`${name} at ${vectors} vectors, p50`, median(times), 'at most', 40, { unit: 'ms' })
    print(`${name} at ${vectors} vectors, p95`, `${Math.round(p95)} ms`)
  }
  await service.stop()
}

/**
 * Assigns each entry one of a thousand real vectors plus noise, because embedding all entries would take 15 minutes.
 */
async function withVectors(place: string): Promise<string> {
  const config = readConfig(await storeAt(place))
  const store = createStore(await openDb(config, systemClock))
  const ingest = await createIngest(config, { store, clock: systemClock })
  const { embedder, index } = ingest
  const { seq: head } = await store.entries.head()
  if (embedder === undefined || index === undefined) throw new Error('the bench needs an embedding model')
  const some = await store.vectors.list(embedder.model, { from: 0, to: head, limit: 1, order: 'asc' })
  if (some.length === 0) {
    const sources = await store.entries.listSources({
      from: 0,
      to: head,
      limit: EMBEDDED,
      order: 'asc',
      contentLength: 0,
    })
    const real = await embedder.embed(sources.map(({ entry }) => entry.title))
    for (let start = 1; start <= head; start += CHUNK) {
      const seqs = Array.from({ length: Math.min(CHUNK, head - start + 1) }, (_, place) => start + place)
      await store.vectors.upsert(
        embedder.model,
        seqs.map((seq) => ({ seq, lastChange: 0, vector: withNoise(real[seq % real.length] ?? new Float32Array()) })),
      )
    }
    await store.progress.save(vectorTask(embedder.model), { low: 0, high: head })
  }
  const from = performance.now()
  await index.follow()
  print(`index of ${head} vectors built in`, `${((performance.now() - from) / 1_000).toFixed(1)} s`)
  await ingest.stop()
  await store.close()
  return place
}

const withNoise = (vector: Float32Array) =>
  unitVector(vector.map((value) => value + (Math.random() - 0.5) * 2 * SPREAD))
