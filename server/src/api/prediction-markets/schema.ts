import Type from 'typebox'
import * as param from '../../http/params.ts'
import {
  HISTORY_INTERVALS,
  PREDICTION_STATUSES,
  PREDICTION_TYPES,
  PREDICTION_VENUES,
} from '../../model/prediction-markets.ts'

export const PredictionMarketQuery = Type.Object({
  ...param.pageList(),
  sortBy: param.sorts('volume:desc', 'closeAt:asc', 'probability:desc', 'priceChange24h:desc', 'createdAt:desc'),
  ...param.ownKeyFilters({
    venue: param.enumList(PREDICTION_VENUES, 'Venue'),
    status: param.enumList(PREDICTION_STATUSES, 'Status'),
    type: param.enumList(PREDICTION_TYPES, 'Type'),
    category: param.textList('Category', 'lower'),
    topicSlug: param.textList('Slug of a topic; includes topics below it', 'lower'),
    assetKey: param.textList('Key of an asset', 'upper'),
    ticker: param.textList('Symbol of an asset', 'upper'),
    symbol: param.textList('The same as ticker', 'upper'),
    probabilityMin: param.number(0, 1, 'Minimum probability'),
    probabilityMax: param.number(0, 1, 'Maximum probability'),
    volumeMin: param.amount('Minimum volume'),
    closeAfter: param.plannedInstant('Closes at this time or later'),
    closeBefore: param.plannedInstant('Closes at this time or earlier'),
  }),
})

export const PredictionMarketDetailQuery = Type.Object({
  interval: Type.Optional(
    Type.Enum(HISTORY_INTERVALS, {
      description:
        'Time between two points of the history, which has the newest 500. By default the finest that the data has and that covers all of it',
    }),
  ),
})
