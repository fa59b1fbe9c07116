import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInAssets } from '../../../catalogue/built-in/assets.ts'
import type { NewCandle } from '../../../model/markets.ts'
import { DAY, HOUR, MINUTE } from '../../../model/time.ts'
import { sampleReports } from '../entries.ts'
import { sampleMarkets } from '../markets.ts'
import { newsOf } from '../news.ts'
import { getAsset } from '../popularity.ts'
import { nextMinutes } from './live-candles.ts'
import { priceModelOf } from './price-model.ts'
import { createPrices } from './prices.ts'
import { tradingHoursOf, tradingMinutes } from './trading-hours.ts'

const NOW = Date.UTC(2026, 2, 12, 15, 9, 26)
const TODAY = Date.UTC(2026, 2, 12)
const WEEK = TODAY - 7 * DAY
const SEED = 'prices'

const reports = [...sampleReports({ count: 6000, from: NOW - 90 * DAY, to: NOW, seed: 'test' })]
const news = newsOf(reports)
const prices = createPrices({ now: NOW, reports, seed: SEED })
const candles = sampleMarkets.map(({ symbol, assetKey, type }) => ({
  symbol,
  assetKey,
  type,
  daily: prices.daily(assetKey),
  minutes: prices.minutes(assetKey),
}))

test('there are about 50 markets of all types, on venues that are plainly not real', () => {
  assert.ok(sampleMarkets.length >= 48)
  assert.deepEqual(
    new Set(sampleMarkets.map((market) => market.type)),
    new Set(['stock', 'etf', 'index', 'crypto', 'fx', 'commodity']),
  )
  assert.equal(new Set(sampleMarkets.map((market) => market.symbol)).size, sampleMarkets.length)
  assert.equal(new Set(sampleMarkets.map((market) => market.id)).size, sampleMarkets.length)
  for (const market of sampleMarkets) {
    assert.match(market.venue, /^Sample /)
    assert.equal(market.symbol, market.symbol.toUpperCase())
    assert.equal(getAsset(market.assetKey).currency ?? 'USD', market.quoteCurrency)
    assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: market.timezone }))
  }
})

test('the same time and seed produce the same candles, another seed different ones', () => {
  const again = createPrices({ now: NOW, reports, seed: SEED })
  const other = createPrices({ now: NOW, reports, seed: 'another' })
  for (const { assetKey, daily, minutes } of candles.filter((_, index) => index % 9 === 0)) {
    assert.deepEqual(again.daily(assetKey), daily)
    assert.deepEqual(again.minutes(assetKey), minutes)
    assert.notDeepEqual(other.daily(assetKey), daily)
  }
})

test('candles are consistent: prices in order, each opening near the last close, no time twice', () => {
  for (const { symbol, assetKey, daily, minutes } of candles) {
    const { volatility, base } = priceModelOf(assetKey)
    let last: NewCandle | undefined
    for (const candle of [...daily, ...minutes]) {
      assert.ok(candle.low > 0 && candle.low <= Math.min(candle.open, candle.close), symbol)
      assert.ok(candle.high >= Math.max(candle.open, candle.close), symbol)
      assert.ok(candle.close > base / 4 && candle.close < base * 4, `${symbol} ${candle.close}`)
      if (last !== undefined) {
        assert.ok(candle.openedAt > last.openedAt, symbol)
        assert.ok(Math.abs(Math.log(candle.open / last.close)) < volatility, `${symbol} ${candle.open} ${last.close}`)
      }
      last = candle
    }
  }
})

test('days are whole UTC days of a year, minutes are those of the last week, and none opens after now', () => {
  for (const { daily, minutes } of candles) {
    assert.ok((daily[0]?.openedAt ?? NOW) <= TODAY - 362 * DAY)
    assert.ok((daily.at(-1)?.openedAt ?? 0) < WEEK)
    assert.ok((minutes[0]?.openedAt ?? 0) >= WEEK)
    assert.ok((minutes.at(-1)?.openedAt ?? NOW) <= NOW)
    assert.ok(daily.every((candle) => candle.openedAt % DAY === 0))
    assert.ok(minutes.every((candle) => candle.openedAt % MINUTE === 0))
  }
  assert.equal(candles.find(({ symbol }) => symbol === 'BTC-USD')?.minutes.at(-1)?.openedAt, NOW - (NOW % MINUTE))
  assert.equal(candles.find(({ symbol }) => symbol === 'BTC-USD')?.daily.length, 359)
})

test('each market trades within its hours', () => {
  const timesOf = (wanted: string) =>
    candles.find(({ symbol }) => symbol === wanted)?.minutes.map((candle) => new Date(candle.openedAt)) ?? []
  const clock = (date: Date) => date.getUTCHours() * 60 + date.getUTCMinutes()
  const spans: [string, number, number][] = [
    ['AAPL', 870, 1260],
    ['SPX', 870, 1260],
    ['SAP.DE', 480, 990],
    ['7203.T', 0, 360],
    ['0700.HK', 90, 480],
  ]
  for (const [symbol, from, to] of spans) {
    assert.ok(timesOf(symbol).length >= 5 * 30)
    for (const date of timesOf(symbol)) {
      assert.ok(clock(date) >= from && clock(date) < to, symbol)
      assert.ok(date.getUTCDay() >= 1 && date.getUTCDay() <= 5, symbol)
    }
  }
  for (const date of timesOf('EURUSD')) {
    assert.notEqual(date.getUTCDay(), 6)
    if (date.getUTCDay() === 0) assert.ok(date.getUTCHours() >= 22)
    if (date.getUTCDay() === 5) assert.ok(date.getUTCHours() < 22)
  }
  assert.equal(tradingMinutes(tradingHoursOf({ type: 'equity', countryCode: 'US' }), WEEK, WEEK + 7 * DAY), 5 * 390)
  assert.equal(tradingMinutes(tradingHoursOf({ type: 'currency', countryCode: null }), WEEK, WEEK + 7 * DAY), 5 * 1440)
})

test('volumes are whole for shares, absent for indices, and exact in the decimals of the market', () => {
  for (const [index, { type, daily, minutes }] of candles.entries()) {
    const decimals = sampleMarkets[index]?.volumeDecimals ?? 0
    if (type === 'stock' || type === 'etf') assert.equal(decimals, 0)
    for (const { volume, quoteVolume, tradeCount, low, high } of [...daily, ...minutes]) {
      if (type === 'index')
        assert.deepEqual({ volume, quoteVolume, tradeCount }, { volume: 0, quoteVolume: null, tradeCount: null })
      else {
        assert.ok(quoteVolume !== null && tradeCount !== null && volume > 0)
        assert.equal(Number(volume.toFixed(decimals)), volume)
        assert.ok(Number.isSafeInteger(tradeCount) && tradeCount > 0)
        assert.ok(quoteVolume >= volume * low - 1 && quoteVolume <= volume * high + 1)
      }
    }
  }
})

test('the price at a time is the close of the candle that covers it, or of the one before', () => {
  for (const { assetKey, daily, minutes } of candles) {
    for (const candle of daily.slice(2).filter((_, index) => index % 17 === 0)) {
      assert.equal(prices.at(assetKey, candle.openedAt), candle.close)
      assert.equal(prices.at(assetKey, candle.openedAt + DAY - 1), candle.close)
    }
    for (const candle of minutes.filter((_, index) => index % 97 === 0)) {
      assert.equal(prices.at(assetKey, candle.openedAt), candle.close)
      assert.equal(prices.at(assetKey, candle.openedAt + MINUTE - 1), candle.close)
    }
    assert.equal(prices.at(assetKey, NOW), minutes.at(-1)?.close)
    if ((minutes[0]?.openedAt ?? 0) > WEEK) assert.equal(prices.at(assetKey, WEEK), daily.at(-1)?.close)
  }
})

test('every asset has a price at every time of the last 366 days and at no other', () => {
  assert.equal(builtInAssets.length, 304)
  for (const { key } of builtInAssets) {
    for (let time = NOW; time >= NOW - 366 * DAY; time -= 7.3 * DAY) {
      const price = prices.at(key, time)
      assert.ok(price !== undefined && price > 0, `${key} ${time}`)
    }
    assert.ok(prices.at(key, NOW - 366 * DAY) !== undefined)
    assert.equal(prices.at(key, NOW + 1), undefined)
    assert.equal(prices.at(key, NOW - 366 * DAY - 1), undefined)
  }
  assert.equal(prices.at('NO-SUCH-ASSET', NOW), undefined)
  assert.ok(Math.abs((prices.at('USDT', NOW) ?? 0) - 1) < 0.01)
})

test('an asset without a market has no candles but moves between the closes of its days', () => {
  assert.deepEqual([prices.daily('PEP'), prices.minutes('PEP')], [[], []])
  const open = Date.UTC(2026, 2, 10, 14, 30)
  const [before, atOpen, midway, atClose] = [-HOUR, 0, 3.25 * HOUR, 6.5 * HOUR].map((after) =>
    prices.at('PEP', open + after),
  )
  assert.equal(before, atOpen)
  assert.ok(Math.abs((midway ?? 0) - ((atOpen ?? 0) + (atClose ?? 0)) / 2) <= 0.011)
})

test('after good news prices rise, after bad news they fall', () => {
  const withMarket = new Set(sampleMarkets.map((market) => market.assetKey))
  const overDays = news.filter((item) => item.at < NOW - 2 * DAY)
  const [goodDays, badDays] = meanReturns(overDays, -DAY, DAY)
  assert.ok(goodDays > 0.15 && badDays < -0.15, `two days around: ${goodDays} and ${badDays}`)
  const overMinutes = news.filter((item) => item.at >= WEEK && withMarket.has(item.assetKeys[0] ?? ''))
  const [goodHours, badHours] = meanReturns(overMinutes, 0, 18 * HOUR)
  assert.ok(goodHours > badHours + 0.3, `within 18 hours: ${goodHours} and ${badHours}`)
})

/** Mean moves of the main asset after good and after bad news, in average daily moves. */
function meanReturns(items: typeof news, from: number, to: number): [good: number, bad: number] {
  const returns: { good: number[]; bad: number[] } = { good: [], bad: [] }
  for (const { at, score, assetKeys } of items) {
    const key = assetKeys[0]
    if (key === undefined || score === 0) continue
    const before = prices.at(key, at + from)
    const after = prices.at(key, at + to)
    if (before === undefined || after === undefined) continue
    returns[score > 0 ? 'good' : 'bad'].push(Math.log(after / before) / priceModelOf(key).volatility)
  }
  assert.ok(returns.good.length > 20 && returns.bad.length > 20)
  return [mean(returns.good), mean(returns.bad)]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

test('an occurrence moves a price once, however many entries report it, and raises the volume', () => {
  const report = reports.find(
    ({ occurrence }) => occurrence.assets[0]?.key === 'AAPL' && occurrence.event.direction === 'positive',
  )
  assert.ok(report !== undefined)
  const entry = { publishedAt: NOW - 40 * DAY }
  const createWith = (count: number) =>
    createPrices({ now: NOW, reports: Array.from({ length: count }, () => ({ ...report, entry })), seed: SEED })
  assert.deepEqual(createWith(5).daily('AAPL'), createWith(1).daily('AAPL'))
  const volumeAfter = (count: number) =>
    createWith(count)
      .daily('AAPL')
      .filter(({ openedAt }) => openedAt > entry.publishedAt - DAY && openedAt < entry.publishedAt + 2 * DAY)
      .reduce((sum, candle) => sum + candle.volume, 0)
  assert.ok(volumeAfter(1) > 1.1 * volumeAfter(0))
})

test('live minutes follow the last candle: same inputs, same candles; no trading, no candles', () => {
  const last = candles.find(({ symbol }) => symbol === 'AAPL')?.minutes.at(-1)
  assert.ok(last !== undefined)
  const until = NOW + 30 * MINUTE
  const live = nextMinutes('AAPL', last, until, [], 'live')
  assert.equal(live.length, 30)
  assert.deepEqual(nextMinutes('AAPL', last, until, [], 'live'), live)
  assert.equal(live[0]?.openedAt, last.openedAt + MINUTE)
  assert.equal(live[0]?.open, last.close)
  assert.deepEqual(nextMinutes('AAPL', last, last.openedAt, [], 'live'), [])
  const atClose = { ...last, openedAt: Date.UTC(2026, 2, 13, 20, 59) }
  assert.deepEqual(nextMinutes('AAPL', atClose, Date.UTC(2026, 2, 16, 14, 29), [], 'live'), [])
  assert.equal(nextMinutes('AAPL', atClose, Date.UTC(2026, 2, 16, 14, 30), [], 'live').length, 1)
})

test('live minutes react to recent news from before and after the last candle', () => {
  const last = candles.find(({ symbol }) => symbol === 'BTC-USD')?.minutes.at(-1)
  assert.ok(last !== undefined)
  const endWith = (score: number, at: number) => {
    const item = { at, score, assetKeys: ['BTC'], topicSlugs: [] }
    return nextMinutes('BTC', last, NOW + 6 * HOUR, [item], 'live').at(-1)?.close ?? 0
  }
  for (const at of [NOW - HOUR, NOW + HOUR]) {
    assert.ok(endWith(0.8, at) > 1.002 * endWith(0, at))
    assert.ok(endWith(-0.8, at) < 0.998 * endWith(0, at))
  }
})
