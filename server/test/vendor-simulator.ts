import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '../src/model/time.ts'

/** The first moment of the simulation. */
export const START = Date.parse('2026-03-02T00:00:00Z')
const FEEDS = ['alpha', 'beta', 'gamma']
const LISTED = 40
/** Feeds copy every fifth item of the one before them, in other words. */
const COPIED = 5

/** An item of a feed as it is from a time on. */
interface SimItem {
  guid: string
  url: string
  title: string
  publishedAt: number
}

/**
 * Plays feeds, exchanges and prediction venues, with everything that goes wrong on the network. What it offers depends
 * only on the time that a request is for, so that tests know what has to be stored in the end.
 */
export class VendorSimulator {
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #now: () => number
  readonly #faults: () => number
  readonly #counts = new Map<string, number>()
  requests = 0
  /** Called before each answer. */
  onRequest = (): void => {}

  /** `faults` returns the share of requests that fail in some way. */
  constructor(now: () => number, faults: () => number) {
    this.#now = now
    this.#faults = faults
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.url
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The SOURCES file for everything that is played. */
  settings(): object {
    const { url } = this
    return {
      allowHosts: ['127.0.0.1'],
      sources: [
        ...FEEDS.map((name) => ({ kind: 'feed', url: `${url}/${name}.xml`, publisher: `Sim ${name}`, country: 'DE' })),
        { kind: 'feed', url: `${url}/loop.xml` },
        { kind: 'feed', url: `${url}/inside.xml` },
        { kind: 'feed', url: `${url}/gone.xml` },
        { kind: 'feed', url: `${url}/moved.xml` },
        { kind: 'kraken', pairs: ['BTC/USD'], url },
        { kind: 'coinbase', pairs: ['ETH/USD'], url },
        { kind: 'binance', pairs: ['SOL/USDT'], url },
        { kind: 'polymarket', minVolume: 0, url, historyUrl: url },
        { kind: 'kalshi', minVolume: 0, url: `${url}/kalshi` },
        { kind: 'manifold', minVolume: 0, url: `${url}/manifold` },
      ],
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1
    this.onRequest()
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sim')
    const count = (this.#counts.get(pathname) ?? 0) + 1
    this.#counts.set(pathname, count)
    if (pathname === '/loop.xml') return redirect(response, 302, '/loop.xml')
    if (pathname === '/inside.xml') return redirect(response, 302, 'http://10.1.2.3/admin.xml')
    if (pathname === '/gone.xml') return answer(response, 410, 'gone')
    if (pathname === '/moved.xml') return redirect(response, 301, '/delta.xml')
    const body = this.#bodyOf(pathname, searchParams)
    if (body === undefined) return answer(response, 404, 'not found')
    const etag = `"${createHash('md5').update(body).digest('hex')}"`
    const dice = randomOf(`${pathname} ${count}`)
    const faults = this.#faults()
    if (dice < faults) return this.#fail(response, body, dice / faults)
    if (request.headers['if-none-match'] === etag) return answer(response, 304, '')
    const packed = dice > 0.7 ? gzipSync(body) : undefined
    response.writeHead(200, {
      etag,
      'content-type': pathname.endsWith('.xml') ? 'application/xml; charset=iso-8859-1' : 'application/json',
      ...(packed !== undefined && { 'content-encoding': 'gzip' }),
    })
    response.end(packed ?? body)
  }

  #fail(response: ServerResponse, body: string, kind: number): void {
    if (kind < 0.25) {
      response.setHeader('retry-after', '120')
      answer(response, 429, 'slow down')
    } else if (kind < 0.5) {
      answer(response, 503, '<html><body>Service Unavailable</body></html>')
    } else if (kind < 0.75) {
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) })
      response.write(body.slice(0, body.length / 2), () => response.destroy())
    } else if (kind < 0.98) {
      answer(response, 200, '<html><body>Checking your browser</body></html>')
    } else {
      // Drips until the reader gives up.
      response.writeHead(200)
      const drip = setInterval(() => response.write('<'), 50)
      response.on('close', () => clearInterval(drip))
    }
  }

  #bodyOf(path: string, query: URLSearchParams): string | undefined {
    const now = this.#now()
    const feed = /^\/(\w+)\.xml$/.exec(path)?.[1]
    if (feed !== undefined) return feedXml(feed, now)
    const from = (name: string) => Number(query.get(name))
    if (path === '/0/public/OHLC') {
      const length = from('interval') * MINUTE
      const oldest = Math.max(from('since') * SECOND + 1, Math.floor(now / length) * length - 719 * length)
      return krakenJson(candlesOf('BTC/USD', length, oldest, now))
    }
    if (path === '/products/ETH-USD/candles') {
      const length = from('granularity') * SECOND
      const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')]
      return coinbaseJson(candlesOf('ETH/USD', length, start, Math.min(now, end)))
    }
    if (path === '/api/v3/klines') {
      const length = { '1m': MINUTE, '1h': HOUR, '1d': DAY }[query.get('interval') ?? ''] ?? DAY
      return binanceJson(candlesOf('SOL/USDT', length, from('startTime'), now).slice(0, 1_000))
    }
    if (path === '/events/keyset') return polymarketJson(query.get('after_cursor'), now)
    if (path.startsWith('/markets/')) return JSON.stringify(polymarketMarket(Number(path.slice(9)), now))
    if (path === '/prices-history') return historyJson(query.get('market') ?? '', from('startTs') * SECOND, now)
    if (path === '/kalshi/events') return kalshiJson(now)
    if (path.startsWith('/kalshi/markets/')) return JSON.stringify({ market: kalshiMarket(path.slice(16), now) })
    if (path.endsWith('/candlesticks')) return JSON.stringify({ candlesticks: [] })
    if (path === '/manifold/markets')
      return query.has('before') ? '[]' : JSON.stringify(MANIFOLD.map((id) => manifoldMarket(id, now)))
    if (path.startsWith('/manifold/market/')) return JSON.stringify(manifoldMarket(path.slice(17), now))
    if (path === '/manifold/bets') return '[]'
    return undefined
  }
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html' })
  response.end(body)
}

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location })
  response.end()
}

/** Returns a number from 0 to 1 that depends only on the text: FNV-1a, mixed. A cryptographic hash takes too long. */
export function randomOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Lists the items of a feed, as they are at a time. */
export function itemsOf(feed: string, now: number): SimItem[] {
  const items: SimItem[] = []
  for (let number = 0; ; number += 1) {
    const publishedAt = START + Math.round((number + randomOf(`${feed} ${number}`)) * 90 * MINUTE)
    if (publishedAt > now) return items
    const isRevised = number % 3 === 0 && now >= publishedAt + 4 * HOUR
    const isMoved = number % 7 === 0 && now >= publishedAt + 5 * HOUR
    items.push({
      guid: `${feed}-${number}`,
      url: `https://news.example/${feed}/${number}${isMoved ? '-moved' : ''}`,
      title: `Bericht ${number} über ${feed}${isRevised ? ' (korrigiert)' : ''}`,
      publishedAt,
    })
  }
}

/** Whether the next feed has the item as well, in other words. */
export const isCopied = (number: number) => number % COPIED === 0 && number % 7 !== 0

/** Lists all feeds that are played at addresses that work. */
export const SIMULATED_FEEDS = [...FEEDS, 'delta']

function feedXml(feed: string, now: number): string {
  const items = itemsOf(feed, now).slice(-LISTED)
  const before = FEEDS[FEEDS.indexOf(feed) - 1]
  const copies =
    before === undefined
      ? []
      : itemsOf(before, now - HOUR)
          .filter((_, number) => isCopied(number))
          .slice(-8)
  const xml = [
    ...items.map(({ guid, url, title, publishedAt }) => itemXml(guid, `${url}?utm_source=${feed}`, title, publishedAt)),
    ...copies.map(({ guid, url, title, publishedAt }) =>
      itemXml(`copy-${guid}`, url, `${title}, wie gemeldet`, publishedAt),
    ),
    // Without a title, and from a clock that is days ahead: both are rejected.
    '<item><guid isPermaLink="false">bad</guid></item>',
    itemXml('late', 'https://news.example/late', 'Aus der Zukunft', now + 3 * DAY),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE rss [<!ENTITY x "expanded">]>
<rss version="2.0"><channel><title>Sim ${feed}</title><link>https://news.example/${feed}</link>${xml.join('\n')}</channel></rss>`
}

const itemXml = (guid: string, url: string, title: string, publishedAt: number) =>
  `<item><guid isPermaLink="false">${guid}</guid><link>${url.replace('&', '&amp;')}</link><title>${title}</title>
  <description>Text zu ${guid}.</description><pubDate>${new Date(publishedAt).toUTCString()}</pubDate></item>`

export interface SimCandle {
  openedAt: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** Prices of whole minutes; longer candles are made of them. Some minutes of ETH have no trades. */
export function minuteOf(pair: string, openedAt: number): SimCandle | undefined {
  const dice = randomOf(`${pair} ${openedAt}`)
  if (pair === 'ETH/USD' && dice < 0.1) return undefined
  const price = Math.round((1_000 + 100 * Math.sin(openedAt / DAY) + 10 * dice) * 100) / 100
  return {
    openedAt,
    open: price,
    high: price + 2,
    low: price - 1,
    close: price + 1,
    volume: Math.round(dice * 1e6) / 1e6,
  }
}

/** Longer candles than hours are made of every hour's first minute, which is enough and fast. */
function candlesOf(pair: string, length: number, from: number, now: number): SimCandle[] {
  const candles: SimCandle[] = []
  for (let openedAt = Math.ceil(from / length) * length; openedAt <= now; openedAt += length) {
    const candle = length === MINUTE ? minuteOf(pair, openedAt) : longCandle(pair, openedAt, length, now)
    if (candle !== undefined) candles.push(candle)
  }
  return candles
}

export function longCandle(pair: string, openedAt: number, length: number, now: number): SimCandle | undefined {
  const minutes: SimCandle[] = []
  const step = length === DAY ? HOUR : MINUTE
  for (let at = openedAt; at < openedAt + length && at <= now; at += step)
    minutes.push(...[minuteOf(pair, at) ?? []].flat())
  const [first] = minutes
  const last = minutes.at(-1)
  if (first === undefined || last === undefined) return undefined
  return {
    openedAt,
    open: first.open,
    high: Math.max(...minutes.map(({ high }) => high)),
    low: Math.min(...minutes.map(({ low }) => low)),
    close: last.close,
    volume: Math.round(minutes.reduce((sum, { volume }) => sum + volume, 0) * 1e6) / 1e6,
  }
}

const krakenJson = (candles: readonly SimCandle[]) =>
  JSON.stringify({
    error: [],
    result: {
      XXBTZUSD: candles.map(({ openedAt, open, high, low, close, volume }) => [
        openedAt / SECOND,
        `${open}`,
        `${high}`,
        `${low}`,
        `${close}`,
        `${open}`,
        `${volume}`,
        3,
      ]),
      last: (candles.at(-2)?.openedAt ?? 0) / SECOND,
    },
  })

const coinbaseJson = (candles: readonly SimCandle[]) =>
  JSON.stringify(
    candles
      .toReversed()
      .map(({ openedAt, open, high, low, close, volume }) => [openedAt / SECOND, low, high, open, close, volume]),
  )

const binanceJson = (candles: readonly SimCandle[]) =>
  JSON.stringify(
    candles.map(({ openedAt, open, high, low, close, volume }) => [
      openedAt,
      `${open}`,
      `${high}`,
      `${low}`,
      `${close}`,
      `${volume}`,
      openedAt + 1,
      '1',
      5,
      '0',
      '0',
      '0',
    ]),
  )

/** The odds of a market, which change every three hours. */
export function oddsOf(market: string, now: number): number {
  return Math.round((0.1 + 0.8 * randomOf(`${market} ${Math.floor(now / (3 * HOUR))}`)) * 1_000) / 1_000
}

export const POLYMARKETS = Array.from({ length: 25 }, (_, index) => index + 1)
const PAGE = 10
/** Every fifth market ends on the first day, and is settled three hours later. */
export const isEnding = (number: number) => number % 5 === 0
export const ENDS_AT = START + 12 * HOUR
const SETTLED_AFTER = 3 * HOUR

function polymarketMarket(number: number, now: number): object {
  const isClosed = isEnding(number) && now >= ENDS_AT
  const isSettled = isEnding(number) && now >= ENDS_AT + SETTLED_AFTER
  const yes = isSettled ? 1 : oddsOf(`poly ${number}`, isClosed ? ENDS_AT : now)
  return {
    id: String(number),
    question: `Will Bitcoin close above ${number}000 dollars?`,
    slug: `bitcoin-${number}`,
    outcomes: '["Yes", "No"]',
    outcomePrices: JSON.stringify([String(yes), String(Math.round((1 - yes) * 1_000) / 1_000)]),
    clobTokenIds: JSON.stringify([`${number}1`, `${number}2`]),
    startDate: isoTime(START - 3 * DAY),
    endDate: isoTime(isEnding(number) ? ENDS_AT : START + 90 * DAY),
    closed: isClosed,
    ...(isClosed && { umaResolutionStatus: isSettled ? 'resolved' : 'proposed' }),
    ...(isSettled && { closedTime: isoTime(ENDS_AT + SETTLED_AFTER) }),
    volumeNum: 1_000 * number,
  }
}

function polymarketJson(cursor: string | null, now: number): string {
  const open = POLYMARKETS.filter((number) => !(isEnding(number) && now >= ENDS_AT))
  const start = Number(cursor ?? 0)
  const events = open.slice(start, start + PAGE).map((number) => ({
    title: `Bitcoin ${number}`,
    slug: `bitcoin-event-${number}`,
    markets: [polymarketMarket(number, now)],
  }))
  return JSON.stringify({ events, next_cursor: start + PAGE < open.length ? String(start + PAGE) : null })
}

function historyJson(token: string, from: number, now: number): string {
  const history: object[] = []
  for (let at = Math.ceil(from / HOUR) * HOUR; at <= now; at += HOUR) {
    history.push({ t: at / SECOND, p: oddsOf(`poly ${token.slice(0, -1)}`, at) })
  }
  return JSON.stringify({ history })
}

export const KALSHI = ['KXFED-26MAR-T1', 'KXFED-26MAR-T2', 'KXCPI-26MAR-T3']

function kalshiMarket(ticker: string, now: number): object {
  const price = oddsOf(ticker, now)
  return {
    ticker,
    event_ticker: ticker.replace(/-T\d$/, ''),
    title: `Will ${ticker} happen?`,
    status: 'active',
    last_price_dollars: price.toFixed(4),
    yes_bid_dollars: (price - 0.01).toFixed(4),
    yes_ask_dollars: (price + 0.01).toFixed(4),
    volume_fp: '5000.00',
    open_time: isoTime(START - DAY),
    close_time: isoTime(START + 60 * DAY),
  }
}

const kalshiJson = (now: number) =>
  JSON.stringify({
    events: KALSHI.map((ticker) => ({
      event_ticker: ticker.replace(/-T\d$/, ''),
      title: `Event of ${ticker}`,
      markets: [kalshiMarket(ticker, now)],
    })),
    cursor: '',
  })

export const MANIFOLD = ['m1', 'm2', 'm3']

const manifoldMarket = (id: string, now: number) => ({
  id,
  slug: `question-${id}`,
  url: `https://manifold.markets/user/question-${id}`,
  question: `Does ${id} come true?`,
  outcomeType: 'BINARY',
  probability: oddsOf(id, now),
  volume: 700,
  createdTime: START - DAY,
  closeTime: START + 60 * DAY,
  isResolved: false,
})
