import Type from 'typebox'
import { PREDICTION_STATUSES, PREDICTION_VENUES, type PredictionMarket } from '../../model/prediction-markets.ts'
import { itemId } from '../item-id.ts'
import { LINK_LENGTH, link, minute } from '../text.ts'
import { asset, choice, cursor, defineTool, number, renderList, rows, rowsOf, text, to } from '../tool.ts'

const SORTS = ['volume:desc', 'closeAt:asc', 'probability:desc', 'priceChange24h:desc', 'createdAt:desc'] as const

export const searchPredictionMarkets = defineTool({
  name: 'search_prediction_markets',
  title: 'Search prediction markets',
  description:
    'Odds of events at Polymarket, Kalshi and Manifold: question, probabilities, change over 24 hours, volume, end. Without arguments: the open markets with the most volume. 1 credit. get_item returns one with its rules and the history of its odds, for 2 credits.',
  input: Type.Object(
    {
      search: text('Words of the question'),
      asset: asset('Only questions about this asset'),
      topic: text('Only questions about this topic, by its slug such as elections'),
      venue: choice(PREDICTION_VENUES, 'Only markets at this venue'),
      status: Type.Optional(
        Type.Enum([...PREDICTION_STATUSES, 'any'], { default: 'open', description: 'any returns all' }),
      ),
      probabilityMin: number(0, 1, 'Least probability of the first outcome'),
      probabilityMax: number(0, 1, 'Greatest probability of the first outcome'),
      closesBefore: to('Closes'),
      sortBy: choice(SORTS, 'Order; volume:desc by default'),
      limit: rows(),
      cursor: cursor(),
    },
    { additionalProperties: false },
  ),
  example: { search: 'fed' },
  request: (args) => ({
    path: '/prediction-markets',
    params: {
      search: args.search,
      assetKey: args.asset,
      topicSlug: args.topic,
      venue: args.venue,
      status: args.status === 'any' ? undefined : (args.status ?? 'open'),
      probabilityMin: args.probabilityMin,
      probabilityMax: args.probabilityMax,
      closeBefore: args.closesBefore,
      sortBy: args.sortBy,
      limit: rowsOf(args),
      page: args.cursor,
    },
  }),
  render: (answer) =>
    renderList<PredictionMarket>(answer, {
      noun: 'prediction markets',
      columns: [
        { name: 'id', value: ({ id }) => itemId('prediction-market', id) },
        { name: 'question', value: ({ question }) => question },
        { name: 'odds', value: odds, maxLength: 100 },
        { name: 'change24h', value: ({ priceChange24h }) => priceChange24h },
        { name: 'volume', value: ({ volume, currency }) => `${Math.round(volume)} ${currency}` },
        { name: 'closes', value: ({ closeAt }) => minute(closeAt) },
        {
          name: 'status',
          value: ({ status, resolution }) => (resolution === null ? status : `${status}: ${resolution}`),
        },
        { name: 'venue', value: ({ venue }) => venue },
        { name: 'link', value: ({ url }) => link(url), maxLength: LINK_LENGTH },
      ],
      next: 'get_item with an id returns the rules and the history of the odds.',
      ifEmpty: 'Try fewer words, or status=any.',
    }),
})

/** Returns the likeliest outcomes, such as "Yes 0.62, No 0.38". */
function odds({ outcomes }: PredictionMarket): string {
  return outcomes
    .filter(({ probability }) => probability !== null)
    .sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0))
    .slice(0, 4)
    .map(({ label, probability }) => `${label} ${probability}`)
    .join(', ')
}
