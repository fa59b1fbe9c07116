import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PredictionMarket } from '../model/prediction-markets.ts'
import { HOUR } from '../model/time.ts'
import type { Connector, Items, PollContext } from './connector.ts'
import { FetchError } from './fetch/fetch-error.ts'
import { type Venue, venueConnector } from './venue-connector.ts'
import type { VenueAnswer } from './venue-market.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const NOTHING: VenueAnswer = { markets: [], history: [], cursor: null, rejected: [] }

const market = (venueMarketId: string, volume = 50_000, outcomes: object[] = [{ id: 'yes' }, { id: 'no' }]) =>
  ({ venueMarketId, volume, outcomes }) as unknown as VenueAnswer['markets'][number]

const stored = (id: string, outcomes = ['yes', 'no']) =>
  ({
    id,
    venueMarketId: id,
    place: 7,
    openAt: '2026-03-01T00:00:00Z',
    outcomes: outcomes.map((outcome) => ({ id: outcome })),
  }) as unknown as PredictionMarket

type OddsItems = Extract<Items, { kind: 'odds' }>

interface Given {
  /** Answers by path; a number is a status, and a missing path is a 404. */
  answers: Record<string, Partial<VenueAnswer> | number>
  cursor?: string | null
  unsettled?: PredictionMarket[]
  withoutHistory?: PredictionMarket[]
  venue?: Partial<Venue>
  /** Stops after this many batches. */
  batches?: number
}

async function poll({ answers, cursor = null, unsettled = [], withoutHistory = [], venue, batches = 1_000 }: Given) {
  const connector = venueConnector({
    kind: 'kalshi',
    url: 'http://venue.example',
    gapMs: 0,
    pageUrl: (base, page) => `${base}/list?${page ?? 'first'}`,
    marketUrl: (base, { venueMarketId }) => `${base}/market/${venueMarketId}`,
    historyUrls: (base, { outcomes }) =>
      outcomes.slice(0, outcomes.length === 2 ? 1 : undefined).map(({ id }) => ({
        url: `${base}/history/${id}`,
        outcomeId: id,
      })),
    ...venue,
  }) as unknown as Connector
  const requests: string[] = []
  const items: OddsItems[] = []
  let state: { cursor?: string | null; settledAfter?: number } = { cursor }
  const context = {
    options: {},
    state,
    now: NOW,
    fetch: async ({ url }: { url: string }) => {
      const path = url.replace('http://venue.example/', '')
      requests.push(path)
      const answer = answers[path] ?? 404
      if (typeof answer === 'number') throw new FetchError('status', { host: 'venue.example', status: answer })
      return { body: { ...NOTHING, ...answer } }
    },
    parse: async (_kind: string, body: unknown) => body,
    unsettled: async (_venue: string, after: number) => (after < 7 ? unsettled : []),
    withoutHistory: async (_venue: string, after: number) => (after < 7 ? withoutHistory : []),
  } as unknown as PollContext<never, never>
  let error: unknown
  try {
    for await (const batch of connector.poll(context)) {
      if (batch.items.kind === 'odds') items.push(batch.items)
      state = batch.state
      if (items.length >= batches) break
    }
  } catch (thrown) {
    error = thrown
  }
  const markets = items.flatMap((item) => item.markets.map(({ venueMarketId }) => venueMarketId))
  return { requests, items, markets, state, error }
}

const PAGES = {
  'list?first': { markets: [market('a')], cursor: '2' },
  'list?2': { markets: [market('b')], cursor: '3' },
  'list?3': { markets: [market('c')] },
}

describe('venue connector', () => {
  test('reads all pages and then starts again at the first', async () => {
    const { markets, state } = await poll({ answers: PAGES })
    assert.deepEqual(markets, ['a', 'b', 'c'])
    assert.equal(state.cursor, null)
  })

  test('an interrupted run continues with the next page', async () => {
    const first = await poll({ answers: PAGES, batches: 1 })
    assert.equal(first.state.cursor, '2')
    const second = await poll({ answers: PAGES, cursor: '2' })
    assert.deepEqual(second.markets, ['b', 'c'])
  })

  test('a page that fails leaves the run where it was', async () => {
    const { error, state } = await poll({ answers: { ...PAGES, 'list?2': 503 } })
    assert.match(String(error), /503/)
    assert.equal(state.cursor, '2')
  })

  test('a cursor that the venue no longer knows is given up', async () => {
    for (const status of [400, 404, 410, 422]) {
      const { markets, error } = await poll({ answers: { ...PAGES, 'list?old': status }, cursor: 'old' })
      assert.equal(error, undefined)
      assert.deepEqual(markets, ['a', 'b', 'c'])
    }
    const { error } = await poll({ answers: { ...PAGES, 'list?old': 429 }, cursor: 'old' })
    assert.match(String(error), /429/)
  })

  test('a cursor that leads to itself ends the run', async () => {
    const answers = { 'list?first': { cursor: 'x' }, 'list?x': { cursor: 'x' } }
    const { requests, state } = await poll({ answers })
    assert.deepEqual(requests, ['list?first', 'list?x'])
    assert.equal(state.cursor, null)
  })

  test('of a list that is sorted by changes, each run reads the first pages', async () => {
    const { markets, state } = await poll({ answers: PAGES, venue: { pages: 2 } })
    assert.deepEqual(markets, ['a', 'b'])
    assert.equal(state.cursor, null)
  })

  test('markets with a small volume are not followed', async () => {
    const answers = { 'list?first': { markets: [market('small', 9_999), market('large', 10_000)] } }
    assert.deepEqual((await poll({ answers })).markets, ['large'])
  })

  test('markets without outcomes and unsettled ones are looked up; those that are gone are counted', async () => {
    const answers = {
      'list?first': { markets: [market('whole'), market('half', 50_000, [])] },
      'market/half': { markets: [market('half')] },
      'market/ended': { markets: [market('ended')] },
    }
    const { markets, items, error } = await poll({ answers, unsettled: [stored('gone'), stored('ended')] })
    assert.equal(error, undefined)
    assert.deepEqual(markets, ['whole', 'half', 'ended'])
    assert.match(items.flatMap(({ reasons }) => reasons).join(), /answered 404/)
  })

  test('a lookup that fails for a while ends the run', async () => {
    const answers = { 'list?first': {}, 'market/ended': 503 }
    assert.match(String((await poll({ answers, unsettled: [stored('ended')] })).error), /503/)
  })

  test('the history has the last odds of each hour; of two outcomes, one gives the other', async () => {
    const point = (at: number, probability: number) => ({ venueMarketId: null, outcomeId: null, at, probability })
    const history = [point(NOW + HOUR, 0.5), point(NOW + 10, 0.2), point(NOW + 20, 0.3)]
    const answers = { 'list?first': {}, 'history/yes': { history } }
    const { items } = await poll({ answers, withoutHistory: [stored('m')] })
    assert.deepEqual(items.at(-1)?.history, [
      {
        id: 'm',
        odds: [
          { at: NOW + 20, probabilities: { yes: 0.3, no: 0.7 } },
          { at: NOW + HOUR, probabilities: { yes: 0.5, no: 0.5 } },
        ],
      },
    ])
  })

  test('of several outcomes, each has its own history, and one that is missing does not end the run', async () => {
    const at = (probability: number) => ({ venueMarketId: null, outcomeId: null, at: NOW, probability })
    const answers = { 'list?first': {}, 'history/a': { history: [at(0.2)] }, 'history/c': { history: [at(0.5)] } }
    const { items, error } = await poll({ answers, withoutHistory: [stored('m', ['a', 'b', 'c'])] })
    assert.equal(error, undefined)
    assert.deepEqual(items.at(-1)?.history[0]?.odds, [{ at: NOW, probabilities: { a: 0.2, c: 0.5 } }])
  })
})
