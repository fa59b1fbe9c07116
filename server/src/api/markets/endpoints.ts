import { filtersOf } from '../../http/params.ts'
import { ApiError } from '../../model/errors.ts'
import { Candle, CandleMeta, Chart, Market } from '../../model/markets.ts'
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
    summary: 'Get a market with its last price, by id, symbol or asset key',
    description:
      'The key of an asset names its only active market, or the only one in the currency of the asset: `BTC` is `BTC-USD`.',
    cost: { credits: 1 },
    params: idPath('Id or symbol of the market, such as BTC-USD'),
    returns: 'object',
    data: Market,
    handle: ({ params }, { store }) => getNamed(store, params.id, store.markets.find),
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
      'Intervals without trades are omitted. Minute and hour candles often reach less far back than day candles: `meta.historyStartAt` says how far. If `meta.hasMore` is true, repeat the request with `openedAfter` set to `meta.nextOpenedAfter`, or with `openedBefore` set to `meta.nextOpenedBefore`, whichever is not null.',
    cost: { credits: 2 },
    params: idPath('Id or symbol of the market, such as BTC-USD'),
    query: CandleQuery,
    returns: 'series',
    data: Candle,
    meta: CandleMeta,
    async handle({ params, query }, { store, clock }) {
      const range = { ...query, sort: query.sortBy }
      return store.candles.page(await getSeries(store, params.id), filtersOf(range), clock.now())
    },
  }),
]

const getSeries = (store: Store, name: string): Promise<Series> => getNamed(store, name, store.markets.findSeries)

/** Finds a market by id or symbol, or by the key of an asset with one primary market. */
async function getNamed<T>(store: Store, name: string, find: (name: string) => Promise<T | undefined>): Promise<T> {
  const found = await find(name)
  if (found !== undefined) return found
  const { primary, symbols } = await store.markets.namesOfAsset(name)
  if (primary !== undefined) return orNotFound(await find(primary), 'market')
  if (symbols.length === 0) throw new ApiError('NOT_FOUND', 'No market has this id or symbol, and no asset this key')
  const candidates = symbols.slice(0, MAX_CANDIDATES).join(', ')
  throw new ApiError('NOT_FOUND', `The asset has several markets; use the symbol of one of them: ${candidates}`)
}

const MAX_CANDIDATES = 20
