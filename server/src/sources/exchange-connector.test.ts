import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import type { NewCandle, StoredInterval } from '../model/markets.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts'
import type { Connector, PollContext, PollEnd } from './connector.ts'
import { type Exchange, exchangeConnector } from './exchange-connector.ts'

const START = Date.parse('2026-03-02T10:20:30Z')
const LENGTHS: Record<string, number> = { '1m': MINUTE, '1h': HOUR, '1d': DAY }
const INTERVALS = ['1d', '1h', '1m'] as const

/** How exchanges answer: with the first candles, with those of a window, or with the newest that they have. */
type Style = 'first' | 'window' | 'newest'
const PAGE = 300
const KEPT = 720

/** An exchange with a clock of its own. Minutes in `quiet` have no trades. The volume of a candle is its age in seconds. */
class FakeExchange {
  readonly #style: Style
  readonly #quiet: ReadonlySet<number>
  skewMs = 0
  requests: string[] = []

  constructor(style: Style, quiet: ReadonlySet<number> = new Set()) {
    this.#style = style
    this.#quiet = quiet
  }

  answer(url: string, now: number): NewCandle[] {
    this.requests.push(url)
    const { searchParams } = new URL(url)
    const length = LENGTHS[searchParams.get('interval') ?? ''] ?? 0
    const time = now + this.skewMs
    let from = Number(searchParams.get('from'))
    let to = time
    if (this.#style === 'newest') from = Math.max(from, Math.floor(time / length) * length - (KEPT - 1) * length)
    if (this.#style === 'window') to = Math.min(to, from + (PAGE - 1) * length)
    const candles: NewCandle[] = []
    for (let openedAt = Math.ceil(from / length) * length; openedAt <= to; openedAt += length) {
      if (length === MINUTE && this.isQuiet(openedAt)) continue
      candles.push(candleOf(openedAt, Math.min(length, time - openedAt) / SECOND))
    }
    return this.#style === 'first' ? candles.slice(0, PAGE) : candles
  }

  isQuiet = (openedAt: number) => this.#quiet.has(Math.floor(openedAt / MINUTE) % 60)
}

const candleOf = (openedAt: number, volume: number): NewCandle => ({
  openedAt,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume,
  quoteVolume: null,
  tradeCount: null,
})

/** Reads a fake exchange as the runner does: each batch is stored, then its state. */
class Reader {
  readonly stored = new Map(INTERVALS.map((interval) => [interval, new Map<number, number>()]))
  readonly #connector: Connector
  state = {}

  constructor(style: Style) {
    const exchange: Exchange = {
      kind: 'kraken',
      venue: 'Test',
      url: 'http://exchange.example',
      gapMs: 0,
      pageSize: style === 'newest' ? KEPT : PAGE,
      ...(style === 'newest' && { kept: KEPT }),
      urlOf: (base, _pair, interval, from) => `${base}/?interval=${interval}&from=${from}`,
    }
    this.#connector = exchangeConnector(exchange) as unknown as Connector
  }

  /** Fails at the request with the number `failAt`. */
  async poll(exchange: FakeExchange, now: number, failAt = Number.POSITIVE_INFINITY): Promise<PollEnd | undefined> {
    let requests = 0
    const context = {
      options: { pairs: ['BTC/USD'] },
      state: this.state,
      now,
      fetch: async ({ url }: { url: string }) => {
        requests += 1
        assert.ok(requests < 100, 'the run does not end')
        if (requests > failAt) throw new Error('interrupted')
        return { body: exchange.answer(url, now) }
      },
      parse: async (_kind: string, body: unknown) => ({ candles: body, rejected: [] }),
    } as unknown as PollContext<never, never>
    const batches = this.#connector.poll(context)
    try {
      for (;;) {
        const next = await batches.next()
        if (next.done) return next.value
        const { items, state } = next.value
        assert.ok(items.kind === 'candles')
        for (const { openedAt, volume } of items.candles) this.candles(items.interval).set(openedAt, volume)
        this.state = state
      }
    } catch (error) {
      assert.match(String(error), /interrupted/)
      return undefined
    }
  }

  candles(interval: StoredInterval): Map<number, number> {
    return this.stored.get(interval as '1m') ?? new Map()
  }
}

const style = fc.constantFrom<Style>('first', 'window', 'newest')
const quiet = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 50 }).map((minutes) => new Set(minutes))

describe('exchange connector', () => {
  test('whatever fails and however clocks differ, in the end every candle is stored in its last form', async () => {
    await fc.assert(
      fc.asyncProperty(
        style,
        quiet,
        fc.integer({ min: -50, max: 50 }),
        fc.array(
          fc.record({ pauseMs: fc.integer({ min: MINUTE, max: 8 * HOUR }), failAt: fc.integer({ min: 0, max: 6 }) }),
          {
            maxLength: 12,
          },
        ),
        async (chosen, quietMinutes, skewSeconds, polls) => {
          const exchange = new FakeExchange(chosen, quietMinutes)
          exchange.skewMs = skewSeconds * SECOND
          const reader = new Reader(chosen)
          let now = START
          for (const { pauseMs, failAt } of polls) {
            await reader.poll(exchange, now, failAt)
            now += Math.min(pauseMs, chosen === 'newest' ? HOUR : pauseMs)
          }
          await reader.poll(exchange, now)
          const end = now
          await reader.poll(exchange, now + 3 * MINUTE)
          const minutes = reader.candles('1m')
          const first = Math.min(...minutes.keys(), end)
          for (let at = Math.ceil(first / MINUTE) * MINUTE; at + MINUTE <= end - MINUTE; at += MINUTE) {
            assert.equal(minutes.get(at), exchange.isQuiet(at) ? undefined : 60, new Date(at).toISOString())
          }
          for (const interval of ['1h', '1d'] as const) {
            const length = LENGTHS[interval] ?? 0
            for (const [at, volume] of reader.candles(interval)) {
              if (at + length + MINUTE > end) continue
              assert.equal(volume, length / SECOND, `${interval} ${new Date(at).toISOString()}`)
              assert.ok(at + 2 * length > end || reader.candles(interval).has(at + length), 'no gap')
            }
          }
        },
      ),
      { numRuns: runs(30, 300) },
    )
  })

  test('the first run reads days, hours and minutes, the finer ones from the start of a coarser candle', async () => {
    const reader = new Reader('first')
    await reader.poll(new FakeExchange('first'), START)
    const [day, hour, minute] = INTERVALS.map((interval) => Math.min(...reader.candles(interval).keys()))
    assert.equal(reader.candles('1d').size, 720)
    assert.equal((day ?? 1) % DAY, 0)
    assert.equal((hour ?? 1) % DAY, 0)
    assert.equal((minute ?? 1) % HOUR, 0)
  })

  test('an interrupted first run continues with the page that failed', async () => {
    const reader = new Reader('window')
    const exchange = new FakeExchange('window')
    await reader.poll(exchange, START, 4)
    const before = exchange.requests.length
    assert.equal(before, 4)
    await reader.poll(exchange, START)
    assert.equal(new Set(exchange.requests).size, exchange.requests.length, 'no page is read twice')
  })

  test('a run with nothing new takes one request', async () => {
    for (const chosen of ['first', 'window', 'newest'] as const) {
      const reader = new Reader(chosen)
      const exchange = new FakeExchange(chosen)
      await reader.poll(exchange, START)
      exchange.requests = []
      await reader.poll(exchange, START + MINUTE)
      assert.equal(exchange.requests.length, 1, chosen)
    }
  })

  test('a market without any trades ends its runs and stays where it is', async () => {
    const reader = new Reader('window')
    const exchange = new FakeExchange('window', new Set(Array.from({ length: 60 }, (_, minute) => minute)))
    await reader.poll(exchange, START)
    await reader.poll(exchange, START + DAY)
    assert.equal(reader.candles('1m').size, 0)
  })

  test('after a pause that is longer than the exchange remembers, minutes go on at a full hour', async () => {
    const reader = new Reader('newest')
    const exchange = new FakeExchange('newest')
    await reader.poll(exchange, START)
    const before = Math.max(...reader.candles('1m').keys())
    const later = START + 3 * DAY
    await reader.poll(exchange, later)
    const resumed = Math.min(...[...reader.candles('1m').keys()].filter((at) => at > before))
    assert.equal(resumed % HOUR, 0)
    assert.ok(resumed >= later - 12 * HOUR)
    const hours = reader.candles('1h')
    for (let at = Math.ceil(START / HOUR) * HOUR; at + 2 * HOUR < later; at += HOUR) assert.ok(hours.has(at))
  })

  test('candles from the future and rows that were not asked for are left out', async () => {
    const reader = new Reader('first')
    const exchange = new FakeExchange('first')
    exchange.skewMs = DAY
    await reader.poll(exchange, START)
    assert.ok(Math.max(...reader.candles('1m').keys()) <= START)
  })
})
