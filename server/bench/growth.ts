import { join } from 'node:path'
import { DAY, isoTime } from '../src/model/time.ts'
import { sampleEntries } from '../src/sample/world/entries.ts'
import { type SampleWorld, sampleWorld } from '../src/sample/world/world.ts'
import { type BenchList, pathsOf } from './bench-list.ts'
import { candleLists } from './candle-lists.ts'
import { insertCopies } from './copies.ts'
import { print, printFigure } from './figures.ts'
import { measureList } from './lists.ts'
import { residentMb } from './machine.ts'
import { compare, comparePast, compareQueries, get, printGrowth } from './pages.ts'
import { removeStore } from './places.ts'
import { withRequestLog } from './request-log.ts'
import { filled, median, type Service, type Settings, serve, withStore } from './service.ts'

/** The large store has a hundred times as many rows as the small one. */
const FACTOR = 100
const MAX_GROWTH = 2
const MAX_RESIDENT_MB = 400
/** A week; see candle-lists.ts. */
const MINUTES_PER_MARKET = 10_000

const ENTRY_QUERIES: Record<string, string> = {
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

/** Words that are searched in all their forms, and exactly in quotes. */
const INFLECTED = ['rate', 'profit', 'bank', 'rise']
const MAX_FORMS_COST = 1.3

const ACCOUNT_QUERIES: Record<string, string> = {
  account: '/account',
  usage: '/account/usage',
  logs: '/account/logs',
  'logs, page 20': '/account/logs?offset=950',
  'logs by method': '/account/logs?method=GET',
  'logs by statusCode (rare)': '/account/logs?statusCode=404',
  'logs by path': '/account/logs?path=/api/v1/entries',
  'logs of the last day': '/account/logs?createdAfter=AGO',
  'billing history': '/billing/history',
}

/** Measures how median times grow with the numbers of entries, logged requests, assets and candles. */
export async function benchGrowth(settings: Settings): Promise<void> {
  const { entries, logged, assets, candles } = settings.growth
  const now = Date.now()
  const world = sampleWorld(now)
  const sizes = (large: number) => ({ small: Math.floor(large / FACTOR), large, maxGrowth: MAX_GROWTH })
  await entryGrowth(settings, sizes(entries))
  await logGrowth(settings, sizes(logged))
  // The section `lists` fills stores of the same names in another way.
  const apart = { ...settings, folder: join(settings.folder, 'growth') }
  await measureList(apart, assetList(world, now), sizes(assets), world, now)
  const markets = Math.max(1, Math.floor(candles / FACTOR / MINUTES_PER_MARKET))
  await measureList(apart, candleLists(world, now, markets), sizes(candles), world, now)
}

interface Sizes {
  small: number
  large: number
}

async function entryGrowth(settings: Settings, { small, large }: Sizes): Promise<void> {
  print(`entries, ${small} and ${large}`, '')
  const services = [await serve(await filled(settings, small)), await serve(await filled(settings, large))] as const
  for (const [name, template] of Object.entries(ENTRY_QUERIES)) {
    const queryOf = async (service: Service) => `/api/v1/entries?${await resolve(template, service)}`
    await compare(`entries: ${name}`, services, MAX_GROWTH, queryOf)
    await comparePast(`entries: ${name}, asOf`, services[1], await queryOf(services[1]), Date.now())
  }
  for (const word of INFLECTED) {
    const queries = [`/api/v1/entries?search=%22${word}%22`, `/api/v1/entries?search=${word}`] as const
    await compareQueries(`entries: search=${word} against "${word}"`, services[1], queries, MAX_FORMS_COST)
  }
  const resident = Math.round(residentMb(services[1].child.pid))
  printFigure(`resident with ${large} entries`, resident, 'at most', MAX_RESIDENT_MB, { unit: 'MB' })
  for (const service of services) await service.stop()
  const before = await totalAfterInsert(settings, small)
  const after = await totalAfterInsert(settings, large)
  printGrowth('entries: total after each new entry', before, after, MAX_GROWTH)
}

async function logGrowth(settings: Settings, { small, large }: Sizes): Promise<void> {
  print(`logged requests, ${small} and ${large}`, '')
  const services = [await serveWithLog(settings, small), await serveWithLog(settings, large)] as const
  for (const [name, path] of Object.entries(ACCOUNT_QUERIES)) {
    const query = `/api/v1${path.replace('AGO', isoTime(Date.now() - DAY))}`
    await compare(`log: ${name}`, services, MAX_GROWTH, async () => [query])
  }
  for (const service of services) {
    await service.stop()
    if (!settings.isFolderKept) await removeStore(service.folder)
  }
}

async function serveWithLog({ folder }: Settings, count: number): Promise<Service> {
  const place = join(folder, `log-${count}`)
  const account = await withRequestLog(place, count, async () => {
    const service = await serve(place)
    await service.stop()
    return service.account
  })
  return serve(place, { account })
}

function assetList({ assets }: SampleWorld, now: number): BenchList {
  return {
    name: 'assets',
    rows: {
      tables: [],
      fill: ({ store, count }) =>
        insertCopies(
          assets,
          { count, now, idOf: ({ id }) => id },
          (asset, { id, round }) => ({
            ...asset,
            id: id(asset.id),
            key: `${asset.key}.${round}`,
            symbol: `${asset.symbol}.${round}`,
            name: `${asset.name} ${round}`,
          }),
          (batch) => store.assets.insert(batch, now),
        ),
    },
    queries: pathsOf('/assets', {
      page: '',
      'by symbol': 'sortBy=symbol:asc',
      'by entryCount24h': 'sortBy=entryCount24h:desc',
      'by updatedAt': 'sortBy=updatedAt:desc',
      type: 'type=equity',
      symbol: 'symbol=AAPL',
      hasEntries: 'hasEntries=false',
      search: 'search=corp',
    }),
  }
}

async function resolve(template: string, service: Service): Promise<string> {
  const [newest] = (await get(service, '/api/v1/entries?limit=1')).data
  const publisher = newest?.urlDomain.replace('.example', '') ?? ''
  return template.replace('AGO', isoTime(Date.now() - 3 * DAY)).replace('PUBLISHER', publisher)
}

/** Returns the median time to update a total after an insert of one entry. */
async function totalAfterInsert(settings: Settings, count: number): Promise<number> {
  const now = Date.now()
  const times: number[] = []
  await withStore(await filled(settings, count), async (store) => {
    for (const entry of sampleEntries({ count: 60, from: now, to: now + 60_000, seed: `total ${now}` })) {
      await store.entries.insert([entry])
      const from = performance.now()
      await store.entries.page({ filters: { language: ['en'] }, sort: 'createdAt:desc', limit: 1, from: undefined })
      times.push(performance.now() - from)
    }
  })
  return median(times)
}
