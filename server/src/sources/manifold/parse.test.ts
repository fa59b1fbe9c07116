import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  MANIFOLD,
  MANIFOLD_BETS,
  MANIFOLD_CHOICE,
  MANIFOLD_MARKET,
  MANIFOLD_NUMERIC,
} from '../../../test/vendor-answers.ts'
import { ParseError } from '../answer.ts'
import { parseManifold } from './parse.ts'

const NOW = Date.UTC(2026, 5, 1)
const parse = (value: unknown, now = NOW) =>
  parseManifold(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), now)
const outcomesOf = (market: object) =>
  parse(market).markets[0]?.outcomes.map(({ id, label, probability, isWinner }) => [id, label, probability, isWinner])
const resultOf = (market: object) => {
  const { status, resolution, resolvedAt } = parse(market).markets[0] ?? {}
  return [status, resolution, resolvedAt]
}

describe('Manifold', () => {
  test('a binary market in play money', () => {
    const [market] = parse(MANIFOLD_MARKET).markets
    const { outcomes, ...rest } = market ?? {}
    assert.deepEqual(rest, {
      slug: 'manifold-will-it-rain',
      venue: 'manifold',
      venueMarketId: 'AbC123',
      eventTitle: null,
      url: 'https://manifold.markets/Ada/will-it-rain',
      imageUrl: null,
      question: 'Will it rain?',
      description: null,
      category: null,
      type: 'binary',
      status: 'open',
      isRealMoney: false,
      currency: 'MANA',
      probability: 0.25,
      volume: 321.5,
      volume24h: 12,
      liquidity: 1000,
      openInterest: null,
      priceChange24h: null,
      priceChange7d: null,
      openAt: '2026-01-01T00:00:00.000Z',
      closeAt: '2027-01-01T00:00:00.000Z',
      resolvedAt: null,
      resolution: null,
      rules: null,
      resolutionSource: null,
    })
    assert.deepEqual(outcomesOf(MANIFOLD_MARKET), [
      ['yes', 'Yes', 0.25, null],
      ['no', 'No', 0.75, null],
    ])
  })

  test('a list, and the id before which the next page starts', () => {
    const { markets, cursor } = parse(MANIFOLD)
    assert.deepEqual(
      markets.map(({ type }) => type),
      ['binary', 'categorical', 'scalar'],
    )
    assert.equal(cursor, 'Numeric1')
    assert.deepEqual(parse('[]'), { markets: [], history: [], cursor: null, rejected: [] })
  })

  test('a market is closed after its closing time', () => {
    assert.equal(parse(MANIFOLD_MARKET, MANIFOLD_MARKET.closeTime).markets[0]?.status, 'closed')
    assert.equal(parse({ ...MANIFOLD_MARKET, closeTime: undefined }).markets[0]?.status, 'open')
  })

  test('answers are the outcomes of multiple choice', () => {
    assert.deepEqual(outcomesOf(MANIFOLD_CHOICE), [
      ['a1', 'Ada', 0.7, null],
      ['a2', 'Bob', 0.3, null],
    ])
    const [market] = parse(MANIFOLD_CHOICE).markets
    assert.deepEqual([market?.description, market?.category], ['The winner of the final.', 'chess'])
  })

  test('resolutions', () => {
    const done = { isResolved: true, resolutionTime: 1767312000000 }
    const at = '2026-01-02T00:00:00.000Z'
    const binary = { ...MANIFOLD_MARKET, ...done }
    assert.deepEqual(resultOf({ ...binary, resolution: 'YES' }), ['resolved', 'Yes', at])
    assert.deepEqual(outcomesOf({ ...binary, resolution: 'NO' }), [
      ['yes', 'Yes', 0.25, false],
      ['no', 'No', 0.75, true],
    ])
    assert.deepEqual(resultOf({ ...binary, resolution: 'CANCEL' }), ['cancelled', null, null])
    assert.deepEqual(resultOf({ ...binary, resolution: 'MKT', resolutionProbability: 0.37 }), ['resolved', '37%', at])
    const choice = { ...MANIFOLD_CHOICE, ...done }
    assert.deepEqual(resultOf({ ...choice, resolution: 'a2' }), ['resolved', 'Bob', at])
    const shared = { ...choice, resolution: 'CHOOSE_MULTIPLE', resolutions: { a1: 50, a2: 50 } }
    assert.deepEqual(resultOf(shared), ['resolved', 'Ada, Bob', at])
    const numeric = { ...MANIFOLD_NUMERIC, ...done, resolution: 'MKT', resolutionProbability: 0.5 }
    assert.deepEqual(resultOf(numeric), ['resolved', '50', at])
    assert.deepEqual(resultOf({ ...numeric, min: 0, max: 99, isLogScale: true }), ['resolved', '9', at])
  })

  test('polls and bad records are listed, the others are kept', () => {
    const { markets, rejected } = parse([{ ...MANIFOLD_MARKET, outcomeType: 'POLL' }, MANIFOLD_MARKET, null])
    assert.equal(markets.length, 1)
    assert.deepEqual(rejected, [
      { row: 1, reason: 'questions of the type POLL have no odds' },
      { row: 3, reason: 'id is missing' },
    ])
  })

  test('bets are the history', () => {
    assert.deepEqual(parse(MANIFOLD_BETS), {
      markets: [],
      history: [
        { venueMarketId: 'AbC123', outcomeId: 'yes', at: 1767225600000, probability: 0.2 },
        { venueMarketId: 'AbC123', outcomeId: 'yes', at: 1767229200000, probability: 0.25 },
      ],
      cursor: 'b1',
      rejected: [],
    })
  })

  test('an error of the service is named', () => {
    const text = '{"message":"Contract not found"}'
    assert.throws(() => parse(text), new ParseError('is an error of the service: Contract not found'))
  })
})
