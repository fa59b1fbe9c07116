import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { createIngest, openDb } from '../../src/drivers.ts'
import { FUSIONS, type Fusion } from '../../src/search/fusion.ts'
import { SemanticSearch } from '../../src/search/semantic-search.ts'
import { createStore } from '../../src/store/store.ts'
import { fixtureEntries } from '../clusters/fixture.ts'
import { heldOutThemes } from '../clusters/held-out.ts'

const TOP = 10

/**
 * Uses each headline of a cluster as a query that should find the cluster's other headlines. Returns the mean nDCG@10
 * of each fusion of vectors and words.
 */
export async function measureSearch(): Promise<Record<Fusion, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-quality-'))
  const config = readConfig({ DATA_DIR: folder })
  const store = createStore(await openDb(config, systemClock))
  const ingest = await createIngest(config, { store, clock: systemClock })
  try {
    const tuned = fixtureEntries()
    const heldOut = fixtureEntries(heldOutThemes).map((entry) => ({ ...entry, cluster: entry.cluster + 1_000_000 }))
    const headlines = [...tuned, ...heldOut].map(({ title, cluster }, index) => ({
      title,
      cluster,
      url: `https://quality.example/${index}`,
      language: 'en',
    }))
    await ingest.intake.take(headlines)
    await ingest.indexing.catchUp()
    const clusterByUrl = new Map(headlines.map(({ url, cluster }) => [url, cluster]))
    const sizes = Map.groupBy(headlines, ({ cluster }) => cluster)
    const queries = headlines.filter(({ cluster }) => (sizes.get(cluster)?.length ?? 0) > 1)
    const scores: [string, number][] = []
    for (const fusion of Object.keys(FUSIONS) as Fusion[]) {
      const search = new SemanticSearch({ store, ...ingest, fusion, now: () => systemClock.now(), onError: rethrow })
      let sum = 0
      for (const { title, url, cluster } of queries) {
        const request = {
          query: title,
          filters: {},
          sort: 'relevance:desc',
          limit: TOP + 1,
          from: undefined,
        } as const
        const found = (await search.page(request)).data.parse().filter((entry) => entry.url !== url)
        const hits = found.slice(0, TOP).map((entry) => clusterByUrl.get(entry.url) === cluster)
        sum += gain(hits) / gain(Array(Math.min(TOP, (sizes.get(cluster)?.length ?? 1) - 1)).fill(true))
      }
      scores.push([fusion, sum / queries.length])
    }
    return Object.fromEntries(scores) as Record<Fusion, number>
  } finally {
    await ingest.stop()
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

const gain = (hits: readonly boolean[]) =>
  hits.reduce((sum, hit, place) => sum + (hit ? 1 / Math.log2(place + 2) : 0), 0)

function rethrow(error: unknown): never {
  throw error
}
