import Type, { type Static } from 'typebox'
import { flag, id, ids, nullable, score, share, text, texts, time } from './schema.ts'

export const PREDICTION_VENUES = ['polymarket', 'kalshi', 'manifold'] as const
export const PREDICTION_TYPES = ['binary', 'categorical', 'scalar'] as const
export const PREDICTION_STATUSES = ['open', 'closed', 'resolved', 'cancelled'] as const

const Outcome = Type.Object({
  id: text('Id at the venue, such as yes; history refers to it'),
  label: text('Name for people, such as Yes'),
  probability: nullable(
    share('Probability that the prices imply; null if there is no price. The sum over all outcomes may differ from 1'),
  ),
  bestBid: nullable(share('Highest price that a buyer offers for a contract that pays 1; null if unknown or none')),
  bestAsk: nullable(share('Lowest price that a seller asks for; null if unknown or none')),
  lastPrice: nullable(share('Price of the last trade; null if unknown or none')),
  priceChange24h: nullable(score('Change of the price over 24 hours: 0.05 is five points; null if unknown')),
  isWinner: nullable(flag('Whether the market was resolved to this outcome; null until it is resolved')),
})

const amount = (description: string) => Type.Number({ minimum: 0, description })

export const PredictionMarket = Type.Object(
  {
    id: id('Never changes'),
    slug: text('Unique name in lower case'),
    venue: Type.Enum(PREDICTION_VENUES, { description: 'Where it is traded' }),
    venueMarketId: text('Id of the market at its venue'),
    eventTitle: nullable(text('Title of the event, which several markets may share; null if it has none')),
    url: text('Page of the market at its venue'),
    imageUrl: nullable(text('Image of the market at its venue')),
    question: text('The question that the market answers'),
    description: nullable(text('Explanation by the venue')),
    category: nullable(text('Category or first tag at the venue, in its words')),
    topicSlugs: texts('Slugs of the topics of the question'),
    assetKeys: texts('Keys of the assets that the question is about'),
    type: Type.Enum(PREDICTION_TYPES, {
      description:
        'binary: two outcomes, mostly yes and no; categorical: several outcomes; scalar: a number within a range',
    }),
    status: Type.Enum(PREDICTION_STATUSES, {
      description: 'closed: trading has ended, without a result so far; cancelled: ended without a result',
    }),
    isRealMoney: flag('false if the venue trades in play money'),
    currency: text('Unit of prices and amounts: USD, or MANA for play money'),
    probability: nullable(
      share(
        'Of the first of outcomes: yes in a yes-or-no market. In a categorical market this need not be the likeliest one, so compare outcomes there. Null if there is no price',
      ),
    ),
    outcomes: Type.Array(Outcome, {
      description: 'In the order of the venue; yes is the first in a yes-or-no market',
    }),
    volume: amount('Traded so far, in currency; at Kalshi in contracts, each of which pays 1 USD'),
    volume24h: nullable(amount('Traded within the last 24 hours, in the unit of volume; null if unknown')),
    liquidity: nullable(amount('Offered for trade, in currency, as the venue states it; null if unknown')),
    openInterest: nullable(amount('Held by traders, in the unit of volume; null if unknown')),
    priceChange24h: nullable(score('Change of probability over 24 hours: 0.05 is five points; null if unknown')),
    priceChange7d: nullable(score('Change of probability over 7 days; null if unknown')),
    openAt: nullable(time('When trading began; null if unknown')),
    closeAt: nullable(time('When trading ends or ended; null if no time is set')),
    resolvedAt: nullable(time('When the result was fixed; null until then, or if unknown')),
    resolution: nullable(text('The result: label of the winning outcome, or a number; null until it is resolved')),
    createdAt: time('When it opened at its venue, or, if unknown, when this service added it'),
    updatedAt: time('When its odds or other fields last changed'),
  },
  { description: 'A market on the outcome of an event, traded at a venue' },
)
export type PredictionMarket = Static<typeof PredictionMarket>

export const HISTORY_INTERVALS = ['1h', '6h', '1d', '1w'] as const

const rules = () => nullable(text('When the market resolves to which outcome; null if unknown'))
const resolutionSource = () => nullable(text('Who or what decides the result, as the venue states it; null if unknown'))

const HistoryPoint = Type.Object({
  at: time('Time of the odds'),
  probabilities: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'Probability by outcome id; outcomes without a known one are left out',
  }),
})

export const PredictionMarketDetail = Type.Object(
  {
    ...PredictionMarket.properties,
    rules: rules(),
    resolutionSource: resolutionSource(),
    history: Type.Object(
      {
        interval: Type.Enum(HISTORY_INTERVALS, {
          description: 'Time between two points: the finest that the data allows with at most 500 points',
        }),
        points: Type.Array(HistoryPoint, {
          description: 'Oldest first: the last odds of each interval; intervals without odds are left out',
        }),
      },
      { description: 'Earlier odds' },
    ),
    relatedMarkets: Type.Array(Type.Pick(PredictionMarket, ['id', 'slug', 'question', 'status', 'probability']), {
      description: 'Up to five markets that share assets or topics with it, most in common first',
    }),
    relatedEntryIds: ids('The newest entries about its assets, or, if it has none, about its topics'),
  },
  { description: 'A prediction market with its rules and history' },
)

/** Probabilities by outcome id, at one time (epoch milliseconds). */
export interface Odds {
  at: number
  probabilities: Record<string, number>
}

/** A change to the market with this slug; omitted fields keep their values. History points are added. */
export const PredictionMarketChange = Type.Object({
  ...Type.Partial(Type.Omit(PredictionMarket, ['id', 'createdAt', 'updatedAt'])).properties,
  venue: PredictionMarket.properties.venue,
  venueMarketId: PredictionMarket.properties.venueMarketId,
  rules: Type.Optional(rules()),
  resolutionSource: Type.Optional(resolutionSource()),
  history: Type.Optional(Type.Array(HistoryPoint)),
})
export type PredictionMarketChange = Static<typeof PredictionMarketChange> & { slug: string }

export interface NewPredictionMarket extends Omit<PredictionMarket, 'createdAt' | 'updatedAt'> {
  rules: string | null
  resolutionSource: string | null
  /** Oldest first. */
  history: Odds[]
}
