import Type from 'typebox'
import { DEMO_LIST_CAP } from '../../admission/demo.ts'
import * as param from '../../http/params.ts'
import { CANDLE_INTERVALS, CHART_RANGES, MARKET_TYPES } from '../../model/markets.ts'

export const MarketQuery = Type.Object({
  ...param.catalogueList(),
  sortBy: param.sorts('symbol:asc', 'changePercent:desc', 'dayVolume:desc'),
  ...param.ownKeyFilters({
    type: param.enumList(MARKET_TYPES, 'Type of the market'),
    venue: param.textList('Venue', 'upper'),
    symbol: param.textList('Symbol of the market', 'upper'),
    assetKey: param.textList('Key of the asset', 'upper'),
    ticker: param.textList('Symbol of the asset', 'upper'),
    assetId: param.uuidList('Id of the asset'),
    quoteCurrency: param.textList('Currency of the prices', 'upper'),
  }),
})

export const ChartQuery = Type.Object({
  range: Type.Enum(CHART_RANGES, { default: '1mo', description: 'How far back from the last price' }),
})

export const CandleQuery = Type.Object({
  interval: Type.Enum(CANDLE_INTERVALS, {
    default: '1d',
    description: 'Interval of the candles; days are UTC days, weeks start on Monday',
  }),
  maxPoints: param.mark(
    Type.Integer({
      minimum: 1,
      maximum: 5_000,
      default: 500,
      description: `Maximum number of candles; ${DEMO_LIST_CAP} with the demo key. If more match, ascending order with openedAfter returns the oldest, otherwise the newest.`,
    }),
    { 'x-demo-maximum': DEMO_LIST_CAP },
  ),
  sortBy: param.sorts('openedAt:asc'),
  openedAfter: param.ownKey(param.instant('Opened at this time or later')),
  openedBefore: param.ownKey(param.instant('Opened at this time or earlier')),
})
