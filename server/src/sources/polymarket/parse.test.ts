import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { POLYMARKET, POLYMARKET_EVENTS, POLYMARKET_HISTORY, POLYMARKET_MARKET } from '../../../test/vendor-answers.ts'
import { ParseError } from '../answer.ts'
import { parsePolymarket } from './parse.ts'

const parse = (value: unknown) =>
  parsePolymarket(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const parseMarket = (changes: object) => parse([{ ...POLYMARKET_MARKET, ...changes }]).markets[0]

describe('Polymarket', () => {
  test('a market of Gamma', () => {
    const { markets, rejected, cursor } = parse(POLYMARKET)
    assert.deepEqual(rejected, [])
    assert.equal(cursor, null)
    assert.deepEqual(markets, [
      {
        slug: 'polymarket-fed-cut-in-march',
        venue: 'polymarket',
        venueMarketId: '501',
        eventTitle: 'Fed decision in March',
        url: 'https://polymarket.com/event/fed-in-march/fed-cut-in-march',
        imageUrl: 'https://images.example/fed.png',
        question: 'Will the Fed cut rates in March?',
        description: 'Resolves to Yes if the target range is lowered.',
        category: 'Economy',
        type: 'binary',
        status: 'open',
        isRealMoney: true,
        currency: 'USD',
        probability: 0.345,
        outcomes: [
          {
            id: '111',
            label: 'Yes',
            probability: 0.345,
            bestBid: 0.34,
            bestAsk: 0.35,
            lastPrice: 0.35,
            priceChange24h: -0.02,
            isWinner: null,
          },
          {
            id: '222',
            label: 'No',
            probability: 0.655,
            bestBid: 0.65,
            bestAsk: 0.66,
            lastPrice: 0.65,
            priceChange24h: 0.02,
            isWinner: null,
          },
        ],
        volume: 1234.57,
        volume24h: 50.5,
        liquidity: 900.1,
        openInterest: null,
        priceChange24h: -0.02,
        priceChange7d: 0.1,
        openAt: '2026-01-01T10:00:00.000Z',
        closeAt: '2026-03-18T18:00:00.000Z',
        resolvedAt: null,
        resolution: null,
        rules: null,
        resolutionSource: null,
      },
    ])
  })

  test('events bring their title and a tag to their markets; a page names the next one', () => {
    const { markets, cursor } = parse(POLYMARKET_EVENTS)
    assert.deepEqual(
      markets.map(({ slug, eventTitle, category }) => [slug, eventTitle, category]),
      [
        ['polymarket-fed-cut-in-march', 'Fed decision in March', 'Fed Rates'],
        ['polymarket-fed-hike-in-march', 'Fed decision in March', 'Fed Rates'],
      ],
    )
    assert.equal(cursor, 'abc')
  })

  test('a market is resolved by its status, or by final prices if it has none', () => {
    const settled = { closed: true, closedTime: '2026-03-18 19:30:00+00', outcomePrices: '["0", "1"]' }
    for (const umaResolutionStatus of ['resolved', undefined]) {
      const market = parseMarket({ ...settled, umaResolutionStatus })
      assert.equal(market?.status, 'resolved')
      assert.equal(market?.resolution, 'No')
      assert.equal(market?.resolvedAt, '2026-03-18T19:30:00.000Z')
      assert.deepEqual(
        market?.outcomes.map(({ isWinner }) => isWinner),
        [false, true],
      )
    }
    assert.equal(parseMarket({ closed: true, outcomePrices: '["0.0000004","0.9999996"]' })?.resolution, 'No')
    for (const umaResolutionStatus of ['proposed', 'disputed']) {
      const market = parseMarket({ ...settled, umaResolutionStatus })
      assert.deepEqual([market?.status, market?.resolution, market?.resolvedAt], ['closed', null, null])
    }
    const split = parseMarket({ closed: true, umaResolutionStatus: 'resolved', outcomePrices: '["0.5","0.5"]' })
    assert.deepEqual([split?.status, split?.resolution], ['resolved', '50-50'])
  })

  test('missing and impossible figures are null', () => {
    const market = parseMarket({
      outcomePrices: '["0", "0"]',
      bestBid: 0,
      bestAsk: 1,
      lastTradePrice: 1.2,
      oneDayPriceChange: 'NaN',
      volume24hr: -1,
      volumeNum: null,
      volume: null,
    })
    assert.deepEqual(market?.outcomes[0], {
      id: '111',
      label: 'Yes',
      probability: null,
      bestBid: null,
      bestAsk: null,
      lastPrice: null,
      priceChange24h: null,
      isWinner: null,
    })
    assert.deepEqual([market?.volume, market?.volume24h], [0, null])
  })

  test('more than two outcomes are categorical, and lists may be real lists', () => {
    const market = parseMarket({ outcomes: ['A', 'B', 'C'], outcomePrices: [0.5, 0.3, 0.2], clobTokenIds: null })
    assert.equal(market?.type, 'categorical')
    assert.deepEqual(
      market?.outcomes.map(({ id, probability }) => [id, probability]),
      [
        ['a', 0.5],
        ['b', 0.3],
        ['c', 0.2],
      ],
    )
  })

  test('history belongs to the token of the request', () => {
    assert.deepEqual(parse(POLYMARKET_HISTORY).history, [
      { venueMarketId: null, outcomeId: null, at: 1767225600000, probability: 0.3 },
      { venueMarketId: null, outcomeId: null, at: 1767229200000, probability: 0.31 },
    ])
  })

  test('bad markets are listed, the others are kept', () => {
    const { markets, rejected } = parse([{ id: 1 }, POLYMARKET_MARKET, 7])
    assert.equal(markets.length, 1)
    assert.deepEqual(rejected, [
      { row: 1, reason: 'question is missing' },
      { row: 3, reason: 'id is missing' },
    ])
  })

  test('an error of the service is named', () => {
    const text = '{"type":"validation error","error":"offset too large"}'
    assert.throws(() => parse(text), new ParseError('is an error of the service: offset too large'))
  })
})
