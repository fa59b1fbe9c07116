import assert from 'node:assert/strict'
import type { Clock } from '../src/clock.ts'
import { Ingest } from '../src/ingest/ingest.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../src/model/time.ts'
import { Fetcher } from '../src/sources/fetch/fetcher.ts'
import { SourceRunner } from '../src/sources/runner.ts'
import { SourceSink } from '../src/sources/sink.ts'
import { readSources } from '../src/sources/sources-file.ts'
import type { Store } from '../src/store/store.ts'
import {
  ENDS_AT,
  isCopied,
  isEnding,
  itemsOf,
  KALSHI,
  MANIFOLD,
  minuteOf,
  oddsOf,
  POLYMARKETS,
  SIMULATED_FEEDS,
  START,
} from './vendor-simulator.ts'

/** Starts what reads the sources of a file into a store. Waiting takes no time. */
export async function simulatedRunner(store: Store, clock: Clock, file: string) {
  const { sources, allowHosts } = readSources(file)
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const ingest = new Ingest({ store, clock, embedder: undefined, index: undefined, onError })
  const { intake, enrichment } = ingest
  const runner = new SourceRunner({
    store,
    clock,
    sink: new SourceSink({ store, intake, enrichment, clock }),
    fetcher: new Fetcher({ allowHosts, timeoutMs: 2_000, now: () => clock.now() }),
    onError,
    random: () => 0.5,
    wait: async () => {},
  })
  await store.sources.configure(sources, clock.now())
  return { runner, errors }
}

/** Checks that the store has exactly what the simulator offered until `end`. */
export async function checkStored(store: Store, end: number): Promise<void> {
  await checkEntries(store, end)
  for (const symbol of ['KRAKEN:BTC-USD', 'COINBASE:ETH-USD', 'BINANCE:SOL-USDT'])
    await checkMinutes(store, symbol, end)
  await checkOdds(store, end)
  await checkStates(store)
}

async function checkEntries(store: Store, end: number): Promise<void> {
  const stored = new Map<string, { title: string; publishedAt: string }>()
  let from: Parameters<Store['entries']['page']>[0]['from']
  for (;;) {
    const page = await store.entries.page({ filters: {}, sort: 'createdAt:desc', limit: 100, from })
    for (const { url, title, publishedAt } of page.data.parse()) {
      assert.ok(!stored.has(url), `${url} is stored twice`)
      stored.set(url, { title, publishedAt })
    }
    if (!page.hasMore || page.last === null) break
    from = { direction: 'after', key: page.last, inclusive: false }
  }
  const offered = SIMULATED_FEEDS.flatMap((feed) => itemsOf(feed, end).map((item, number) => ({ ...item, number })))
  for (const { url, title, publishedAt, number } of offered) {
    const entry = stored.get(url)
    assert.ok(entry, `${url} is missing`)
    const titles = isCopied(number) ? [title, `${title}, wie gemeldet`] : [title]
    assert.ok(
      titles.some((one) => entry.title.startsWith(one.replace(' (korrigiert)', ''))),
      `${entry.title} instead of ${title}`,
    )
    if (!isCopied(number)) assert.equal(entry.title, title)
    assert.equal(entry.publishedAt, isoTime(Math.floor(publishedAt / 1_000) * 1_000))
  }
  const urls = new Set(offered.map(({ url }) => url))
  assert.deepEqual(
    [...stored.keys()].filter((url) => !urls.has(url)),
    [],
  )
}

async function checkMinutes(store: Store, symbol: string, end: number): Promise<void> {
  const series = await store.markets.findSeries(symbol)
  assert.ok(series, symbol)
  const pair = symbol.replace(/^.*:/, '').replace('-', '/')
  for (let day = START; day < end; day += DAY) {
    const to = Math.min(day + DAY, Math.floor(end / MINUTE) * MINUTE) - 1
    const range = {
      interval: '1m',
      openedAfter: day,
      openedBefore: to,
      maxPoints: 1_440,
      sort: 'openedAt:asc',
    } as const
    const stored = await store.candles.list(series, range, end)
    const expected = Array.from({ length: Math.ceil((to - day) / MINUTE) }, (_, minute) =>
      minuteOf(pair, day + minute * MINUTE),
    )
    const told = stored.map(({ openedAt, open, close, volume }) => [openedAt, open, close, volume].join(' '))
    const offered = expected.flatMap((candle) =>
      candle ? [[isoTime(candle.openedAt), candle.open, candle.close, candle.volume].join(' ')] : [],
    )
    assert.deepEqual([missingIn(told, offered), missingIn(offered, told)], [[], []], symbol)
  }
}

function missingIn(there: readonly string[], wanted: readonly string[]): string[] {
  const known = new Set(there)
  return wanted.filter((text) => !known.has(text))
}

async function checkOdds(store: Store, end: number): Promise<void> {
  const find = async (slug: string) => {
    const found = await store.predictionMarkets.find(slug, end)
    assert.ok(found, slug)
    return JSON.parse(`{${found.parts.map((part) => part.slice(1, -1)).join(',')}}`)
  }
  assert.equal(await store.predictionMarkets.total(), POLYMARKETS.length + KALSHI.length + MANIFOLD.length)
  for (const number of POLYMARKETS) {
    const market = await find(`polymarket-bitcoin-${number}`)
    // A market may end before its history was read.
    assert.ok(isEnding(number) || market.history.points.length > 1, 'has a history')
    if (isEnding(number) && end >= ENDS_AT + 6 * HOUR) {
      assert.deepEqual([market.status, market.resolution, market.probability], ['resolved', 'Yes', 1])
    } else if (!isEnding(number)) assert.equal(market.probability, oddsOf(`poly ${number}`, end))
  }
  for (const ticker of KALSHI) {
    assert.equal((await find(`kalshi-${ticker.toLowerCase()}`)).probability, oddsOf(ticker, end))
  }
  for (const id of MANIFOLD) assert.equal((await find(`manifold-question-${id}`)).probability, oddsOf(id, end))
}

async function checkStates(store: Store): Promise<void> {
  const sources = new Map(
    (await store.sources.list()).map((source) => [new URL(source.key, 'http://x').pathname, source]),
  )
  assert.match(sources.get('/loop.xml')?.lastError ?? '', /redirects/)
  assert.match(sources.get('/inside.xml')?.lastError ?? '', /private address/)
  assert.match(sources.get('/gone.xml')?.stopped ?? '', /410/)
  assert.match(String(sources.get('/moved.xml')?.state.movedTo), /delta\.xml$/)
  const alpha = sources.get('/alpha.xml')
  assert.equal(alpha?.failures, 0)
  assert.ok((alpha?.rejections['title is missing'] ?? 0) > 0)
  assert.ok((alpha?.rejections['publishedAt lies in the future'] ?? 0) > 0)
}
