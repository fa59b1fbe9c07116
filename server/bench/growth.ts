import { DAY, isoTime } from '../src/model/time.ts'
import { sampleEntries } from '../src/sample/world/entries.ts'
import { openSqlite } from '../src/store/engines/sqlite.ts'
import { createStore } from '../src/store/store.ts'
import { compare, get, printGrowth } from './pages.ts'
import { filled, median, type Service, type Settings, serve } from './service.ts'

const QUERIES: Record<string, string> = {
  page: '',
  'page by publishedAt': 'sortBy=publishedAt:desc',
  'assetKey (common)': 'assetKey=AAPL',
  'assetKey (rare)': 'assetKey=SAP.DE',
  'assetKey, two': 'assetKey=AAPL,MSFT',
  topicSlug: 'topicSlug=earnings',
  publisherSlug: 'publisherSlug=PUBLISHER',
  language: 'language=de',
  countryCode: 'countryCode=GB',
  hasAssets: 'hasAssets=false',
  sentimentScoreMin: 'sentimentScoreMin=0.5',
  publishedAfter: 'publishedAfter=AGO',
  publishedBefore: 'publishedBefore=AGO',
  'language and sentiment': 'language=en&sentimentScoreMin=0.5',
  'asset and language': 'assetKey=AAPL&language=de',
  'search, one word': 'search=profit',
  'search, two words': 'search=profit+guidance',
  'search, phrase': 'search=%22central+bank%22',
  'search, rare word': 'search=silver',
  'search and filter': 'search=profit&language=en',
}

/** Measures median times of pages, filters, searches and totals of entries, with the small and the large store. */
export async function benchGrowth(settings: Settings): Promise<void> {
  const { small, large } = settings
  const services = [await serve(await filled(settings, small)), await serve(await filled(settings, large))] as const
  for (const [name, template] of Object.entries(QUERIES)) {
    await compare(name, services, async (service) => `/api/v1/entries?${await resolve(template, service)}`)
  }
  for (const service of services) await service.stop()
  printGrowth(
    'total after each new entry',
    await totalAfterInsert(settings, small),
    await totalAfterInsert(settings, large),
  )
}

async function resolve(template: string, service: Service): Promise<string> {
  const [newest] = (await get(service, '/api/v1/entries?limit=1')).data
  const publisher = newest?.urlDomain.replace('.example', '') ?? ''
  return template.replace('AGO', isoTime(Date.now() - 3 * DAY)).replace('PUBLISHER', publisher)
}

/** Returns the median time to update a total after an insert of one entry. */
async function totalAfterInsert(settings: Settings, count: number): Promise<number> {
  const store = createStore(openSqlite(await filled(settings, count)))
  const now = Date.now()
  const times: number[] = []
  for (const entry of sampleEntries({ count: 60, from: now, to: now + 60_000, seed: `total ${now}` })) {
    await store.entries.insert([entry])
    const from = performance.now()
    await store.entries.page({ filters: { language: ['en'] }, sort: 'createdAt:desc', limit: 1, from: undefined })
    times.push(performance.now() - from)
  }
  await store.close()
  return median(times)
}
