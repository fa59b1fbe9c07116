/** The parsers over recorded answers of the vendors, which are not part of the project. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { VENDOR_ANSWERS } from '../../test/vendor-answers.ts'
import type { NewCandle } from '../model/markets.ts'
import { ParseError } from './answer.ts'
import { parseCoinbaseCandles } from './coinbase/parse.ts'
import { parseDailyCsv } from './daily-csv/parse.ts'
import { parseKalshi } from './kalshi/parse.ts'
import { parseKrakenOhlc } from './kraken/parse.ts'
import { PARSERS } from './parsers.ts'
import { parsePolymarket } from './polymarket/parse.ts'

const ROOT = join(import.meta.dirname, '../../../../shared/data')
const skip = !existsSync(ROOT) && '../shared/data is not here'
const NOW = Date.UTC(2026, 10, 1)

const read = (path: string) => readFileSync(join(ROOT, path))
const list = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort()

/** Returns the number of records of each file; files that are errors are left out. */
function countRecords(kind: string, pattern: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const path of list(pattern)) {
    try {
      const { records = [], rejected } = PARSERS[kind]?.(read(path), NOW) ?? {}
      assert.deepEqual(rejected, [], path)
      counts[path.split('/').at(-1) ?? path] = [...records].length
    } catch (error) {
      assert.ok(error instanceof ParseError, `${path}: ${error}`)
    }
  }
  return counts
}

const pricesOf = ({ openedAt, open, high, low, close, volume }: NewCandle) => [
  new Date(openedAt).toISOString(),
  ...[open, high, low, close, volume],
]

describe('recorded answers', { skip }, () => {
  const kraken = 'candles/JKorf_Kraken.Net/Kraken.Net.UnitTests'
  const coinbase = 'candles/JKorf_Coinbase.Net/Coinbase.Net.UnitTests'

  test('Kraken: four candles of the API, one in each other form', () => {
    const { candles, lastClosedAt } = parseKrakenOhlc(read(`${kraken}/Endpoints/Spot/ExchangeData/GetKlines.txt`))
    assert.deepEqual(candles.map(pricesOf)[0], [
      '2023-07-06T19:20:00.000Z',
      ...[30306.1, 30306.2, 30305.7, 30305.7, 3.39243896],
    ])
    assert.deepEqual([candles.length, candles[0]?.tradeCount, lastClosedAt], [4, 23, 1688672160000])
    for (const path of [
      'Endpoints/Futures/ExchangeData/GetKlines.txt',
      'JsonResponses/FuturesExchangeData/GetKlinesAsync.txt',
      'Subscriptions/Spot/Kline.txt',
    ]) {
      assert.equal(parseKrakenOhlc(read(`${kraken}/${path}`)).candles.length, 1)
    }
  })

  test('Coinbase: a candle of the API and one of its channel', () => {
    const { candles } = parseCoinbaseCandles(read(`${coinbase}/Endpoints/AdvancedTrade/ExchangeData/GetKlines.txt`))
    assert.deepEqual(candles.map(pricesOf), [['2021-12-14T18:54:10.000Z', 140.21, 140.21, 140.21, 140.21, 56437345]])
    const message = parseCoinbaseCandles(read(`${coinbase}/Subscriptions/AdvancedTrade/Klines.txt`))
    assert.deepEqual(message.candles.map(pricesOf), [
      ['2023-07-10T14:10:00.000Z', 1867.38, 1867.72, 1865.63, 1866.81, 0.20269406],
    ])
  })

  test('Tiingo: CSV and JSON of the same prices are the same candles', () => {
    const folder = 'prices/tiingo/bodies'
    const twins = [
      ['ticker_price_with_date_csv.csv', 'ticker_price_with_date.json', 2],
      ['ticker_price_pandas_daily_csv.csv', 'ticker_price_pandas_daily_metric_name.json', 10],
    ] as const
    for (const [csv, json, count] of twins) {
      const { candles } = parseDailyCsv(read(`${folder}/${csv}`))
      assert.equal(candles.length, count)
      assert.deepEqual(parseDailyCsv(read(`${folder}/${json}`)).candles, candles)
    }
    const counts = Object.entries(countRecords('daily-csv', `${folder}/*.{csv,json}`))
    assert.deepEqual(
      counts.filter(([name]) => !/^(?:ticker|intraday)_price/.test(name)),
      [],
    )
    assert.equal(counts.length, 17)
    assert.equal(
      counts.reduce((sum, [, count]) => sum + count, 0),
      88,
    )
  })

  test('Polymarket: 40 markets, all of them open and binary', () => {
    assert.deepEqual(countRecords('polymarket', 'predict/polymarket/*.json'), {
      'Polymarket_agents.ten_markets.json': 10,
      'Polymarket_agents.ten_markets.v2.json': 10,
      'Polymarket_agents.twenty_markets.json': 20,
    })
    const { markets } = parsePolymarket(read('predict/polymarket/Polymarket_agents.twenty_markets.json'))
    assert.equal(new Set(markets.map(({ slug }) => slug)).size, 20)
    for (const { status, type, outcomes, probability, eventTitle } of markets) {
      assert.deepEqual([status, type, outcomes.length], ['open', 'binary', 2])
      assert.ok(probability !== null && eventTitle !== null)
      const sum = outcomes.reduce((total, outcome) => total + (outcome.probability ?? 0), 0)
      assert.ok(Math.abs(sum - 1) < 1e-9)
    }
  })

  test('Kalshi: markets, events without and with markets, candlesticks without trades', () => {
    assert.deepEqual(countRecords('kalshi', 'predict/kalshi/*.json'), {
      'candlesticks_batch_response.json': 90,
      'event_candlesticks_response.json': 90,
      'event_single_response.json': 1,
      'events_list_response.json': 0,
      'events_multivariate_list_response.json': 0,
      'market_single_response.json': 1,
      'markets_list_response.json': 5,
      'series_candlesticks_response.json': 90,
    })
    const [market] = parseKalshi(read('predict/kalshi/event_single_response.json')).markets
    assert.deepEqual(
      [market?.slug, market?.category, market?.probability, market?.volume, market?.liquidity, market?.openInterest],
      ['kalshi-kxelonmars-99', 'World', 0.06, 35_001, 68_148.06, 13_679],
    )
    const { history } = parseKalshi(read('predict/kalshi/candlesticks_batch_response.json'))
    assert.ok(history.every(({ venueMarketId, outcomeId }) => venueMarketId === 'KXELONMARS-99' && outcomeId === 'yes'))
  })

  test('no other recording makes a parser fail in another way than with a reason', () => {
    for (const path of list('{candles,prices,predict}/**/*.{txt,json,csv}')) {
      for (const kind of Object.keys(VENDOR_ANSWERS)) {
        try {
          PARSERS[kind]?.(read(path), NOW)
        } catch (error) {
          assert.ok(error instanceof ParseError, `${path}: ${error}`)
        }
      }
    }
  })
})
