import { filtersOf } from '../../http/params.ts'
import { Candle, Chart, Market } from '../../model/markets.ts'
import type { Series } from '../../store/markets/markets.ts'
import type { Store } from '../../store/store.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { CandleQuery, ChartQuery, MarketQuery } from './schema.ts'

export const marketsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/markets',
    access: 'key',
    summary: 'List markets with their last prices',
    cost: { credits: 1 },
    query: MarketQuery,
    returns: 'page-list',
    data: Market,
    handle: ({ query, page }, { store }) =>
      store.markets.page({ filters: filtersOf(query), sort: query.sortBy, ...page }),
  }),

  endpoint({
    method: 'GET',
    path: '/markets/:id',
    access: 'key',
    summary: 'Get a market with its last price, by id or symbol',
    cost: { credits: 1 },
    params: idPath('Id or symbol of the market, such as BTC-USD'),
    returns: 'object',
    data: Market,
    handle: async ({ params }, { store }) => orNotFound(await store.markets.find(params.id), 'market', 'id or symbol'),
  }),

  endpoint({
    method: 'GET',
    path: '/markets/:id/chart',
    access: 'key',
    summary: 'Get the prices of a market over a range, for a chart',
    description:
      'The range ends at the last price. The interval is the finest that covers the whole range with at most 500 points.',
    cost: { credits: 1 },
    params: idPath('Id or symbol of the market, such as BTC-USD'),
    query: ChartQuery,
    returns: 'object',
    data: Chart,
    async handle({ params, query }, { store }) {
      return store.candles.chartJson(await getSeries(store, params.id), query.range)
    },
  }),

  endpoint({
    method: 'GET',
    path: '/markets/:id/candles',
    access: 'key',
    summary: 'List the candles of a market',
    description:
      'Intervals without trades are omitted. Minute and hour candles often reach less far back than day candles.',
    cost: { credits: 2 },
    params: idPath('Id or symbol of the market, such as BTC-USD'),
    query: CandleQuery,
    returns: 'list',
    data: Candle,
    async handle({ params, query }, { store, clock }) {
      const range = { ...query, sort: query.sortBy }
      return store.candles.listJson(await getSeries(store, params.id), filtersOf(range), clock.now())
    },
  }),
]

async function getSeries(store: Store, idOrSymbol: string): Promise<Series> {
  return orNotFound(await store.markets.findSeries(idOrSymbol), 'market', 'id or symbol')
}
