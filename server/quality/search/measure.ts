import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { createIngest, openDb } from '../../src/drivers.ts'
import { SemanticSearch } from '../../src/search/semantic-search.ts'
import { createStore } from '../../src/store/store.ts'
import { fixtureEntries } from '../clusters/fixture.ts'
import { heldOutThemes } from '../clusters/held-out.ts'
import { readArticles, readQuestions } from './articles.ts'
import { plainBm25 } from './plain-bm25.ts'

const TOP = 10

/** A query and the addresses of the entries that it should find. */
interface Question {
  query: string
  /** The entry whose title is the query, which is not an answer. */
  own?: string
  answers: ReadonlySet<string>
  isHeldBack: boolean
}

/** The mean nDCG@10 of the tuned and of the held-back questions. */
type Scores = [tuned: number, heldBack: number]

interface SearchScores {
  headlines: Scores
  questions: Scores
  /** BM25 over the words of titles and texts, with the usual parameters. */
  plainWords: Scores
}

/**
 * Asks for headlines, each of which should find the others of its cluster, and asks questions that articles of several
 * paragraphs answer. One store has both, so that an article competes with headlines.
 */
export async function measureSearch(): Promise<SearchScores> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-quality-'))
  const config = readConfig({ DATA_DIR: folder })
  const store = createStore(await openDb(config, systemClock))
  const ingest = await createIngest(config, { store, clock: systemClock })
  try {
    const { entries, headlines, questions } = searchSample()
    await ingest.intake.take(entries)
    await ingest.indexing.catchUp()
    const search = new SemanticSearch({ store, ...ingest, now: () => systemClock.now(), onError: rethrow })
    const find = async (query: string) => {
      const request = { query, filters: {}, sort: 'relevance:desc', limit: TOP + 1, from: undefined } as const
      return (await search.page(request)).data.parse().map(({ url }) => url)
    }
    return {
      headlines: await meanGain(headlines, find),
      questions: await meanGain(questions, find),
      plainWords: await meanGain(questions, plainBm25(entries)),
    }
  } finally {
    await ingest.stop()
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

function searchSample() {
  const tuned = fixtureEntries().map((entry) => ({ ...entry, isHeldBack: false }))
  const heldOut = fixtureEntries(heldOutThemes).map((entry) => ({
    ...entry,
    cluster: -1 - entry.cluster,
    isHeldBack: true,
  }))
  const told = [...tuned, ...heldOut].map(({ title, cluster, isHeldBack }, index) => ({
    cluster,
    isHeldBack,
    entry: { title, url: `https://quality.example/${index}`, language: 'en' },
  }))
  const headlines = [...Map.groupBy(told, ({ cluster }) => cluster).values()].flatMap((members) =>
    members.map(
      ({ entry: { title, url }, isHeldBack }): Question => ({
        query: title,
        own: url,
        answers: new Set(members.map((member) => member.entry.url).filter((other) => other !== url)),
        isHeldBack,
      }),
    ),
  )
  const urlOf = (id: string) => `https://quality.example/articles/${id}`
  const articles = readArticles().map(({ id, title, content }) => ({ title, content, url: urlOf(id), language: 'en' }))
  const questions = readQuestions().map(
    ({ question, ids }, index): Question => ({
      query: question,
      answers: new Set(ids.map(urlOf)),
      isHeldBack: index % 3 === 2,
    }),
  )
  return {
    entries: [...told.map(({ entry }) => entry), ...articles],
    headlines: headlines.filter(({ answers }) => answers.size > 0),
    questions,
  }
}

async function meanGain(
  questions: readonly Question[],
  find: (query: string) => readonly string[] | Promise<readonly string[]>,
): Promise<Scores> {
  const gains: [tuned: number[], heldBack: number[]] = [[], []]
  for (const { query, own, answers, isHeldBack } of questions) {
    const found = (await find(query)).filter((url) => url !== own).slice(0, TOP)
    const best = gain(Array(Math.min(TOP, answers.size)).fill(true))
    gains[isHeldBack ? 1 : 0].push(gain(found.map((url) => answers.has(url))) / best)
  }
  return [mean(gains[0]), mean(gains[1])]
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const gain = (hits: readonly boolean[]) =>
  hits.reduce((sum, hit, place) => sum + (hit ? 1 / Math.log2(place + 2) : 0), 0)

function rethrow(error: unknown): never {
  throw error
}
