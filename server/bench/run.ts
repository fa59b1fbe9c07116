/** `npm run bench`: figures with the floors they are held against, measured in the same run. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seed } from '../src/ingest/seed.ts'
import { sampleEntries } from '../src/sources/sample/entries.ts'
import { migrate } from '../src/store/engines/migrate.ts'
import { openSqlite } from '../src/store/engines/sqlite.ts'
import { createStore } from '../src/store/store.ts'
import { killHard, ready, spawnService } from '../test/spawn.ts'
import { load } from './load.ts'

const { values: options } = parseArgs({
  options: {
    /** Where the stores are built; kept and used again when given. */
    folder: { type: 'string' },
    small: { type: 'string', default: '100000' },
    large: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '1000000' },
    only: { type: 'string', default: 'throughput,growth,start,memory' },
  },
})
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'mintick-bench-'))
const small = Number(options.small)
const large = Number(options.large)
const CONNECTIONS = 16
const NO_LIMITS = { requestsPerMinute: 1e9, requestsPerHour: 1e9, requestsPerDay: 1e9, burst: 1e9 }

const sections: Record<string, () => Promise<void>> = { throughput, growth, start, memory }
for (const name of options.only.split(',')) {
  process.stdout.write(`\n${name}\n`)
  await sections[name]?.()
}
if (options.folder === undefined) rmSync(folder, { recursive: true })

/** The newest page through the whole pipeline, and a filtered page that no cache holds, against the bare floors. */
async function throughput(): Promise<void> {
  const service = await serve(await filled(small))
  const floor = await serveFloor(service.folder)
  const uncached = await crawl(service)
  const contenders: Record<string, { port: number; paths: string[] }> = {
    'bare Fastify, pre-serialised': { port: floor.port, paths: ['/pre-serialised'] },
    'bare Fastify + node:sqlite, built per request': { port: floor.port, paths: ['/built'] },
    'the same without its total': { port: floor.port, paths: ['/built-without-total'] },
    'newest 50, whole pipeline': { port: service.port, paths: ['/api/v1/entries'] },
    'filtered 50, no cache': { port: service.port, paths: uncached },
  }
  const rounds: { name: string; requestsPerSecond: number }[] = []
  for (let round = 0; round < 7; round += 1) {
    for (const [name, { port, paths }] of Object.entries(contenders)) {
      const { headers } = service
      const { requestsPerSecond, failures } = await load({ port, paths, headers, connections: CONNECTIONS, seconds: 3 })
      if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
      // The first round warms up.
      if (round > 0) rounds.push({ name, requestsPerSecond })
    }
  }
  await service.stop()
  await floor.stop()

  const rate = (of: string) =>
    median(rounds.filter(({ name }) => name === of).map(({ requestsPerSecond }) => requestsPerSecond))
  for (const name of Object.keys(contenders)) print(name, `${Math.round(rate(name))} requests/s`)
  const [preSerialised = '', built = '', partly = '', newest = '', filtered = ''] = Object.keys(contenders)
  printRatio('newest 50 / pre-serialised', rate(newest) / rate(preSerialised), 'at least', 0.25)
  printRatio('newest 50 / built per request', rate(newest) / rate(built), 'at least', 1.5)
  printRatio('filtered 50 / built per request', rate(filtered) / rate(built), 'at least', 0.8)
  print('filtered 50 / built without total', (rate(filtered) / rate(partly)).toFixed(2))
}

/** Pages 2 to 20 of many lists, as callers with different interests read them: behind a cursor nothing is cached. */
async function crawl(service: Service): Promise<string[]> {
  const lists = [
    ...['en', 'de', 'fr', 'ja'].map((language) => `language=${language}`),
    ...['US', 'GB', 'DE'].map((code) => `countryCode=${code}`),
    ...['AAPL', 'BTC', 'NVDA', 'TSLA'].map((key) => `assetKey=${key}`),
    'topicSlug=earnings',
    'hasAssets=false',
  ]
  const paths: string[] = []
  for (const list of lists) paths.push(...(await distinctPages(service, list, 20)).slice(1))
  return paths
}

/** The median time of pages, filters, searches and totals, at a tenth of the size and at the whole. */
async function growth(): Promise<void> {
  const services = [await serve(await filled(small)), await serve(await filled(large))] as const
  const questions: Record<string, string> = {
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
    publishedAfter: 'publishedAfter=AGO:3',
    publishedBefore: 'publishedBefore=AGO:3',
    'language and sentiment': 'language=en&sentimentScoreMin=0.5',
    'asset and language': 'assetKey=AAPL&language=de',
    'search, one word': 'search=profit',
    'search, two words': 'search=profit+guidance',
    'search, phrase': 'search=%22central+bank%22',
    'search, rare word': 'search=silver',
    'search and filter': 'search=profit&language=en',
  }
  for (const [name, template] of Object.entries(questions)) {
    const medians: number[] = []
    for (const service of services) {
      const query = await resolve(template, service)
      // Every request asks for another page, so that none is answered from the cache of pages.
      const paths = await distinctPages(service, query, 120)
      const { headers, port } = service
      await load({ port, paths, headers, connections: 1, requests: paths.length })
      const { p50, failures } = await load({ port, paths: paths.toReversed(), headers, connections: 1, requests: 400 })
      if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
      medians.push(p50)
    }
    const [before = Number.NaN, after = Number.NaN] = medians
    printRatio(`${name}: ${before.toFixed(2)} → ${after.toFixed(2)} ms`, after / before, 'at most', 1.5)
  }
  for (const service of services) await service.stop()

  const [before = Number.NaN, after = Number.NaN] = [await totalAfterInsert(small), await totalAfterInsert(large)]
  printRatio(
    `total, a new entry each time: ${before.toFixed(2)} → ${after.toFixed(2)} ms`,
    after / before,
    'at most',
    1.5,
  )
}

/** What it takes to bring a total up to date: median over as many new entries, each in a transaction of its own. */
async function totalAfterInsert(count: number): Promise<number> {
  const store = createStore(openSqlite(await filled(count)))
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

async function start(): Promise<void> {
  const place = join(folder, `start-${process.pid}`)
  for (const [name, limit] of [
    ['first start, empty folder', 5_000],
    ['later start', 1_500],
  ] as const) {
    const from = performance.now()
    const { child, url } = await spawnService(environment(place, { SAMPLE_DATA: 'on' }))
    await fetch(`${url}/health`)
    printRatio(name, Math.round(performance.now() - from), 'at most', limit, 'ms')
    await killHard(child)
  }
  rmSync(place, { recursive: true })
}

async function memory(): Promise<void> {
  const service = await serve(await filled(small))
  const pages = await distinctPages(service, 'language=en', 300)
  const paths = pages.flatMap((page) => [page, ...Array<string>(9).fill('/api/v1/entries')])
  const { headers, port } = service
  const requests = Number(options.requests)
  const { failures } = await load({ port, paths, headers, connections: CONNECTIONS, requests })
  if (failures > 0) throw new Error(`${failures} requests failed`)
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
  printRatio(`resident after ${requests} requests`, Math.round(resident), 'at most', 250, 'MB')
  await service.stop()
}

interface Service {
  folder: string
  port: number
  pid: number | undefined
  headers: Record<string, string>
  stop(): Promise<void>
}

/** A folder with a store of this many entries, built on first use. */
async function filled(count: number): Promise<string> {
  const place = join(folder, String(count))
  mkdirSync(place, { recursive: true })
  const db = openSqlite(place)
  await migrate(db, Date.now())
  const store = createStore(db)
  if ((await store.entries.total()) < count) {
    const from = performance.now()
    await seed(store, { entries: count, to: Date.now(), now: Date.now() })
    print(`filled ${count} entries`, `${Math.round(count / ((performance.now() - from) / 1_000))} entries/s`)
  }
  await store.close()
  return place
}

async function serve(place: string): Promise<Service> {
  const env = environment(place)
  const { child, url } = await spawnService(env)
  const admin = { authorization: `Bearer ${env.ADMIN_TOKEN}` }
  const post = async (method: string, path: string, body: object) => {
    const response = await fetch(url + path, { method, headers: admin, body: JSON.stringify(body) })
    return ((await response.json()) as { data: { account: { id: string }; apiKey: string } }).data
  }
  const email = `bench-${process.pid}-${performance.now()}@test.example`
  const opened = await post('POST', '/admin/accounts', { email, plan: 'custom', credits: 1e9 })
  await post('PATCH', `/admin/accounts/${opened.account.id}`, { overrides: NO_LIMITS })
  return {
    folder: place,
    port: Number(new URL(url).port),
    pid: child.pid,
    headers: { authorization: `Bearer ${opened.apiKey}` },
    stop: () => killHard(child),
  }
}

function environment(place: string, more: Record<string, string> = {}): Record<string, string> {
  const logs = { LOG_LEVEL: 'info' }
  return { DATA_DIR: place, PORT: '0', SAMPLE_DATA: 'off', ADMIN_TOKEN: 'bench-bench-bench', ...logs, ...more }
}

async function serveFloor(place: string): Promise<{ port: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts'), place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { port: Number(new URL(await ready(child)).port), stop: () => killHard(child) }
}

/** Paths of as many different pages of one list as there are, up to `count`. */
async function distinctPages(service: Service, query: string, count: number): Promise<string[]> {
  const paths: string[] = []
  let path = `/api/v1/entries?${query}`
  while (paths.length < count) {
    paths.push(path)
    const { meta } = await get(service, path)
    if (meta.nextCursor === null) break
    path = `/api/v1/entries?${query}&after=${meta.nextCursor}`
  }
  return paths
}

async function get(service: Service, path: string) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: service.headers })
  return (await response.json()) as { data: { urlDomain: string }[]; meta: { nextCursor: string | null } }
}

async function resolve(template: string, service: Service): Promise<string> {
  const daysAgo = /AGO:(\d+)/.exec(template)?.[1]
  const time = new Date(Date.now() - Number(daysAgo ?? 0) * 86_400_000).toISOString()
  const [newest] = (await get(service, '/api/v1/entries?limit=1')).data
  const publisher = newest?.urlDomain.replace('.example', '') ?? ''
  return template.replace(/AGO:\d+/, time).replace('PUBLISHER', publisher)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function print(name: string, value: string): void {
  process.stdout.write(`  ${name.padEnd(60)} ${value}\n`)
}

function printRatio(name: string, value: number, bound: 'at least' | 'at most', target: number, unit = ''): void {
  const isMet = bound === 'at least' ? value >= target : value <= target
  const shown = unit === '' ? value.toFixed(2) : `${value} ${unit}`
  print(name, `${shown.padEnd(10)} ${bound} ${target}${unit && ` ${unit}`}${isMet ? '' : '   MISSED'}`)
}
