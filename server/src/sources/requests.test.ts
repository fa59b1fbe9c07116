import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BINANCE_URL, binanceKlinesUrl } from './binance/requests.ts'
import { coinbaseCandlesUrl } from './coinbase/requests.ts'
import { kalshiCandlesticksUrl, kalshiEventsUrl } from './kalshi/requests.ts'
import { KRAKEN_URL, krakenOhlcUrl } from './kraken/requests.ts'
import { manifoldBetsUrl, manifoldMarketsUrl, manifoldMarketUrl } from './manifold/requests.ts'
import { polymarketEventsUrl, polymarketHistoryUrl } from './polymarket/requests.ts'

describe('addresses of requests', () => {
  const from = Date.UTC(2026, 0, 1)
  const to = from + 86_400_000
  const base = 'http://127.0.0.1:9/x'

  test('Kraken pages by Unix seconds', () => {
    assert.equal(
      krakenOhlcUrl(KRAKEN_URL, 'XBTUSD', '1h', from),
      'https://api.kraken.com/0/public/OHLC?pair=XBTUSD&interval=60&since=1767225600',
    )
    assert.equal(krakenOhlcUrl(base, 'XBTUSD', '1d', null), `${base}/0/public/OHLC?pair=XBTUSD&interval=1440`)
  })

  test('Coinbase gets a range of 300 candles', () => {
    const { searchParams } = new URL(coinbaseCandlesUrl(base, 'BTC-USD', '1m', from))
    assert.deepEqual(Object.fromEntries(searchParams), {
      granularity: '60',
      start: '2026-01-01T00:00:00.000Z',
      end: '2026-01-01T04:59:00.000Z',
    })
  })

  test('Binance gets milliseconds', () => {
    assert.equal(
      binanceKlinesUrl(BINANCE_URL, 'BTCUSDT', '1d', from),
      'https://data-api.binance.vision/api/v3/klines?symbol=BTCUSDT&interval=1d&startTime=1767225600000&limit=1000',
    )
  })

  test('venues get their cursor, and none on the first page', () => {
    assert.equal(polymarketEventsUrl(base, false, null), `${base}/events/keyset?limit=100&closed=false`)
    assert.equal(
      polymarketEventsUrl(base, true, 'a=b'),
      `${base}/events/keyset?limit=100&closed=true&after_cursor=a%3Db`,
    )
    assert.equal(
      kalshiEventsUrl(base, 'open', 'c'),
      `${base}/events?with_nested_markets=true&status=open&limit=200&cursor=c`,
    )
    assert.equal(manifoldMarketsUrl(base, 'id'), `${base}/markets?sort=updated-time&limit=1000&before=id`)
    assert.equal(manifoldMarketUrl(base, 'a/b'), `${base}/market/a%2Fb`)
    assert.equal(manifoldBetsUrl(base, 'id', null), `${base}/bets?contractId=id&limit=1000`)
  })

  test('histories are hourly', () => {
    assert.equal(
      polymarketHistoryUrl(base, '123', from, to),
      `${base}/prices-history?market=123&startTs=1767225600&endTs=1767312000&fidelity=60`,
    )
    assert.equal(
      kalshiCandlesticksUrl(base, 'KXBTC', 'KXBTC-26', from, to),
      `${base}/series/KXBTC/markets/KXBTC-26/candlesticks?start_ts=1767225600&end_ts=1767312000&period_interval=60`,
    )
  })
})
