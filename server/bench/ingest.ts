import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { loadBuiltInCatalogue } from '../src/catalogue/built-in/built-in.ts'
import { systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { createIngest, openDb } from '../src/drivers.ts'
import { cleanText } from '../src/model/clean-text.ts'
import { DAY, MINUTE } from '../src/model/time.ts'
import { sampleEntries } from '../src/sample/world/entries.ts'
import { parseFeed } from '../src/sources/feed/parse-feed.ts'
import { Fetcher } from '../src/sources/fetch/fetcher.ts'
import { SourceRunner } from '../src/sources/runner.ts'
import { SourceSink } from '../src/sources/sink.ts'
import { createStore, type Store } from '../src/store/store.ts'
import { printFigure } from './figures.ts'
import { removeStore, storeAt } from './places.ts'
import type { Settings } from './service.ts'

const PARSED = 20_000
const ITEMS_PER_FEED = 50
const FEEDS = 1_000
const CANDLES = 500_000
const CANDLES_AT_ONCE = 1_000

/** Measures reading of sources: parsing, storing of candles, and polling of feeds that have not changed. */
export async function benchIngest({ folder }: Settings): Promise<void> {
  measureParsing()
  const place = mkdtempSync(join(folder, 'ingest-'))
  const config = readConfig({ ...(await storeAt(place)), EMBEDDINGS: 'off' })
  const store = createStore(await openDb(config, systemClock))
  await loadBuiltInCatalogue(store, Date.now())
  try {
    await measureCandles(store)
    await measurePolling(store, config)
  } finally {
    await store.close()
    await removeStore(place)
  }
}

/** Items of about one kilobyte, with HTML in their texts. */
function feedOf(number: number): string {
  const now = Date.now()
  const entries = sampleEntries({ count: ITEMS_PER_FEED, from: now - DAY, to: now, seed: `feed ${number}` })
  const items = [...entries].map(
    ({ id, url, title, content, author, publishedAt }) =>
      `<item><guid>${id}</guid><link>${url}</link><title>${escaped(title)}</title><author>${author}</author>
      <pubDate>${new Date(publishedAt).toUTCString()}</pubDate>
      <description>${escaped(`<p>${(content ?? title).slice(0, 400)}</p><img src="/a.png">`)}</description></item>`,
  )
  return `<rss version="2.0"><channel><title>Feed ${number}</title><link>https://x.example</link>${items.join('')}</channel></rss>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function measureParsing(): void {
  const feeds = Array.from({ length: 20 }, (_, number) => Buffer.from(feedOf(number)))
  const run = (count: number) => {
    for (let done = 0; done < count; done += ITEMS_PER_FEED) {
      const { items } = parseFeed(feeds[(done / ITEMS_PER_FEED) % feeds.length] ?? Buffer.alloc(0))
      for (const { title, content } of items) cleanText(`${title} ${content}`)
    }
  }
  run(PARSED / 10)
  const before = process.cpuUsage()
  run(PARSED)
  printFigure('feed items parsed and normalised, one core', PARSED / cpuSeconds(before), 'at least', 1_000, {
    unit: 'per second',
  })
}

async function measureCandles(store: Store): Promise<void> {
  const now = Math.floor(Date.now() / MINUTE) * MINUTE
  const market = {
    symbol: 'BENCH:BTC-USD',
    name: 'BTC / USD',
    assetKey: 'BTC',
    type: 'crypto',
    venue: 'Bench',
    baseCurrency: 'BTC',
    quoteCurrency: 'USD',
    timezone: 'UTC',
    status: 'active',
    volumeDecimals: 8,
    quoteVolumeDecimals: 4,
  } as const
  const id = '00000000-0000-5000-8000-000000000001'
  await store.markets.insert([{ ...market, id }], now)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = performance.now()
  for (let done = 0; done < CANDLES; done += CANDLES_AT_ONCE) {
    const candles = Array.from({ length: CANDLES_AT_ONCE }, (_, index) => {
      const openedAt = now - (CANDLES - done - index) * MINUTE
      const price = 100 + Math.sin(openedAt / DAY)
      return {
        openedAt,
        open: price,
        high: price + 1,
        low: price - 1,
        close: price,
        volume: 1.5,
        quoteVolume: 150,
        tradeCount: 3,
      }
    })
    await store.candles.insert(id, '1m', candles, now)
  }
  const seconds = (performance.now() - started) / 1_000
  delay.disable()
  printFigure('candles stored', CANDLES / seconds, 'at least', 50_000, { unit: 'per second' })
  printFigure('longest block of the main thread meanwhile', delay.max / 1e6, 'at most', 20, { unit: 'ms' })
}

async function measurePolling(store: Store, config: ReturnType<typeof readConfig>): Promise<void> {
  const feed = feedOf(0)
  const server = createServer((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"'
    response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? '' : feed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ingest = await createIngest(config, { store, clock: systemClock })
  const clock = { now: Date.now, elapsed: systemClock.elapsed }
  const runner = new SourceRunner({
    store,
    clock,
    sink: new SourceSink({ store, intake: ingest.intake, enrichment: ingest.enrichment, clock }),
    fetcher: new Fetcher({ allowHosts: ['127.0.0.1'], now: Date.now }),
    onError: (error) => {
      throw error
    },
    wait: async () => {},
  })
  const sources = Array.from({ length: FEEDS }, (_, number) => {
    const url = `${base}/${number}`
    return { key: url, kind: 'feed', options: { url }, by: 'bench' }
  })
  await store.sources.configure(sources, Date.now())
  await runner.runDue()
  for (const { key } of sources) await store.sources.runSoon(key, Date.now())
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const before = process.cpuUsage()
  await runner.runDue()
  const seconds = cpuSeconds(before)
  delay.disable()
  printFigure('polling 1,000 unchanged feeds, with the server that plays them', seconds, 'at most', 2, {
    unit: 's of CPU time',
  })
  printFigure('longest block of the main thread meanwhile', delay.max / 1e6, 'at most', 20, { unit: 'ms' })
  await runner.stop()
  await ingest.stop()
  server.close()
}

function cpuSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
