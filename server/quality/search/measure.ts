import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { createIngest, openDb } from '../../src/main.ts'
import { FUSIONS, type Fusion } from '../../src/search/fusion.ts'
import { SemanticSearch } from '../../src/search/semantic-search.ts'
import { createStore } from '../../src/store/store.ts'
import { fixtureEntries } from '../clusters/fixture.ts'
import { heldOutThemes } from '../clusters/held-out.ts'

const SHOWN = 10

/**
 * Each headline of a story is a question, to which the other headlines of the story are the answers: the mean nDCG@10 of
 * each way to join vectors and words, with the headlines in a store of their own.
 */
export async function measureSearch(): Promise<Record<Fusion, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-quality-'))
  const config = readConfig({ DATA_DIR: folder })
  const store = createStore(await openDb(config, systemClock))
  const ingest = await createIngest(config, store, systemClock)
  try {
    const tuned = fixtureEntries()
    const later = fixtureEntries(heldOutThemes).map((entry) => ({ ...entry, story: entry.story + 1_000_000 }))
    const told = [...tuned, ...later].map(({ title, story }, index) => ({
      title,
      story,
      url: `https://quality.example/${index}`,
      language: 'en',
    }))
    await ingest.intake.take(told)
    await ingest.indexing.catchUp()
    const storyOf = new Map(told.map(({ url, story }) => [url, story]))
    const sizes = Map.groupBy(told, ({ story }) => story)
    const questions = told.filter(({ story }) => (sizes.get(story)?.length ?? 0) > 1)
    const scores: [string, number][] = []
    for (const fusion of Object.keys(FUSIONS) as Fusion[]) {
      const search = new SemanticSearch({ store, ...ingest, fusion, onError: rethrow })
      let sum = 0
      for (const { title, url, story } of questions) {
        const request = {
          query: title,
          filters: {},
          sort: 'relevance:desc',
          limit: SHOWN + 1,
          from: undefined,
        } as const
        const found = (await search.page(request)).data.parse().filter((entry) => entry.url !== url)
        const hits = found.slice(0, SHOWN).map((entry) => storyOf.get(entry.url) === story)
        sum += gain(hits) / gain(Array(Math.min(SHOWN, (sizes.get(story)?.length ?? 1) - 1)).fill(true))
      }
      scores.push([fusion, sum / questions.length])
    }
    return Object.fromEntries(scores) as Record<Fusion, number>
  } finally {
    await ingest.close()
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

const gain = (hits: readonly boolean[]) =>
  hits.reduce((sum, hit, place) => sum + (hit ? 1 / Math.log2(place + 2) : 0), 0)

function rethrow(error: unknown): never {
  throw error
}
