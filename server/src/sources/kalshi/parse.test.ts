import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KALSHI, KALSHI_CANDLESTICKS, KALSHI_EVENTS, KALSHI_MARKET } from '../../../test/vendor-answers.ts'
import { ParseError } from '../answer.ts'
import { parseKalshi } from './parse.ts'

const parse = (value: unknown) => parseKalshi(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const parseMarket = (changes: object) => parse({ market: { ...KALSHI_MARKET, ...changes } }).markets[0]

describe('Kalshi', () => {
  test('a market with its event', () => {
    const { markets, rejected, cursor } = parse(KALSHI_EVENTS)
    assert.deepEqual(rejected, [])
    assert.equal(cursor, null)
    assert.deepEqual(markets, [
      {
        slug: 'kalshi-kxfed-26mar-t4.00',
        venue: 'kalshi',
        venueMarketId: 'KXFED-26MAR-T4.00',
        eventTitle: 'Fed funds rate in March?',
        url: 'https://kalshi.com/markets/kxfed#kxfed-26mar-t4.00',
        imageUrl: null,
        question: 'Will the upper bound be above 4.00%?',
        description: 'Above 4.00%',
        category: 'Economics',
        type: 'binary',
        status: 'open',
        isRealMoney: true,
        currency: 'USD',
        probability: 0.42,
        outcomes: [
          {
            id: 'yes',
            label: 'Yes',
            probability: 0.42,
            bestBid: 0.41,
            bestAsk: 0.43,
            lastPrice: 0.42,
            priceChange24h: -0.03,
            isWinner: null,
          },
          {
            id: 'no',
            label: 'No',
            probability: 0.58,
            bestBid: 0.57,
            bestAsk: 0.59,
            lastPrice: 0.58,
            priceChange24h: 0.03,
            isWinner: null,
          },
        ],
        volume: 1200,
        volume24h: 35.5,
        liquidity: 150.25,
        openInterest: 800,
        priceChange24h: -0.03,
        priceChange7d: null,
        openAt: '2026-01-01T15:00:00.000Z',
        closeAt: '2026-03-18T17:55:00.000Z',
        resolvedAt: null,
        resolution: null,
        rules: 'Yes if above 4.00%.\n\nNo otherwise.',
        resolutionSource: 'Federal Reserve',
      },
    ])
  })

  test('lists, single markets and recordings of them are read; a page names the next one', () => {
    const { markets, cursor } = parse(KALSHI)
    assert.equal(cursor, 'next')
    assert.deepEqual(parse({ market: KALSHI_MARKET }).markets, markets)
    assert.deepEqual(parse([KALSHI_MARKET]).markets, markets)
    assert.deepEqual(parse(`{"_metadata":{"endpoint":"markets"},"response":${KALSHI}}`).markets, markets)
  })

  test('integers of older answers are cents', () => {
    const cents = {
      yes_bid: 41,
      yes_ask: 43,
      last_price: 42,
      previous_price: 45,
      volume: 1200,
      volume_24h: 35.5,
      open_interest: 800,
      liquidity: 15_025,
    }
    const older = Object.entries(KALSHI_MARKET).filter(([name]) => !/_dollars$|_fp$/.test(name))
    assert.deepEqual(
      parse({ market: { ...Object.fromEntries(older), ...cents } }).markets,
      parse({ market: KALSHI_MARKET }).markets,
    )
  })

  test('markets that share the title of their event are told apart by the label of yes', () => {
    const market = { ...KALSHI_MARKET, title: 'Who wins?', yes_sub_title: 'Ada' }
    const { markets } = parse({ event: { title: 'Who wins?' }, markets: [market] })
    assert.equal(markets[0]?.question, 'Who wins? – Ada')
  })

  test('the probability is the last price within the spread', () => {
    const probability = (last: string, bid: string, ask: string) =>
      parseMarket({ last_price_dollars: last, yes_bid_dollars: bid, yes_ask_dollars: ask })?.probability
    assert.equal(probability('0.4200', '0.4000', '0.4500'), 0.42)
    assert.equal(probability('0.2000', '0.4000', '0.4500'), 0.4)
    assert.equal(probability('0.6000', '0.4000', '0.4500'), 0.45)
    assert.equal(probability('0.0000', '0.4000', '0.4500'), 0.425)
    assert.equal(probability('0.0000', '0.1000', '0.9000'), null)
    assert.equal(probability('0.0000', '0.0000', '0.0000'), null)
    assert.equal(probability('0.3000', '0.0000', '1.0000'), 0.3)
  })

  test('statuses and results', () => {
    const final = { settlement_ts: '2026-03-18T20:00:00Z', settlement_value_dollars: '1.0000' }
    const of = (status: string, result: string) => {
      const market = parseMarket({ ...final, status, result })
      return [market?.status, market?.resolution, market?.resolvedAt, market?.outcomes[0]?.isWinner]
    }
    const at = '2026-03-18T20:00:00.000Z'
    assert.deepEqual(of('active', ''), ['open', null, null, null])
    assert.deepEqual(of('initialized', ''), ['open', null, null, null])
    assert.deepEqual(of('closed', ''), ['closed', null, null, null])
    assert.deepEqual(of('determined', 'yes'), ['closed', null, null, null])
    assert.deepEqual(of('finalized', 'yes'), ['resolved', 'Yes', at, true])
    assert.deepEqual(of('settled', 'no'), ['resolved', 'No', at, false])
    assert.deepEqual(of('finalized', 'void'), ['cancelled', null, null, null])
    assert.equal(parseMarket({ ...final, status: 'finalized', result: 'yes' })?.probability, 1)
    const scalar = parseMarket({ status: 'finalized', result: 'scalar', settlement_value_dollars: '0.3500' })
    assert.equal(scalar?.resolution, '0.35')
  })

  test('candlesticks without a trade have the previous price, within the spread', () => {
    const { history, rejected } = parse(KALSHI_CANDLESTICKS)
    assert.deepEqual(rejected, [])
    assert.deepEqual(history, [
      { venueMarketId: 'KXFED-26MAR-T4.00', outcomeId: 'yes', at: 1767225600000, probability: 0.44 },
      { venueMarketId: 'KXFED-26MAR-T4.00', outcomeId: 'yes', at: 1767229200000, probability: 0.45 },
    ])
    const { ticker, candlesticks } = JSON.parse(KALSHI_CANDLESTICKS)
    assert.deepEqual(parse({ markets: [{ market_ticker: ticker, candlesticks }] }).history, history)
    assert.deepEqual(parse({ market_tickers: [ticker], market_candlesticks: [candlesticks] }).history, history)
  })

  test('events without their markets have none; other answers are errors', () => {
    assert.deepEqual(parse({ events: [{ event_ticker: 'KXFED-26MAR' }] }).markets, [])
    assert.throws(() => parse({ orderbook: {} }), new ParseError('has no markets, events or candlesticks'))
    assert.throws(
      () => parse({ error: { code: 'not_found', message: 'market not found' } }),
      new ParseError('is an error of the service: market not found'),
    )
  })
})
