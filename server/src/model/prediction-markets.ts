import Type, { type Static } from 'typebox'
import { id, nullable, score, share, texts, time } from './schema.ts'

export const PREDICTION_VENUES = ['polymarket', 'kalshi', 'manifold'] as const
export const PREDICTION_TYPES = ['binary', 'categorical', 'scalar'] as const
export const PREDICTION_STATUSES = ['open', 'closed', 'resolved', 'cancelled'] as const

const Outcome = Type.Object({
  id: Type.String(),
  label: Type.String(),
  probability: nullable(share()),
  bestBid: nullable(share()),
  bestAsk: nullable(share()),
  lastPrice: nullable(share()),
  priceChange24h: nullable(score()),
  isWinner: nullable(Type.Boolean({ description: 'null until the market is resolved' })),
})

/** A market on the outcome of an event. `slug` is unique. */
export const PredictionMarket = Type.Object({
  id: id(),
  slug: Type.String(),
  venue: Type.Enum(PREDICTION_VENUES),
  venueMarketId: Type.String(),
  eventTitle: nullable(Type.String()),
  url: Type.String(),
  imageUrl: nullable(Type.String()),
  question: Type.String(),
  description: nullable(Type.String()),
  category: nullable(Type.String()),
  topicSlugs: texts(),
  assetKeys: texts(),
  type: Type.Enum(PREDICTION_TYPES),
  status: Type.Enum(PREDICTION_STATUSES),
  isRealMoney: Type.Boolean(),
  currency: Type.String(),
  probability: nullable(share('Probability of yes, or of the first outcome')),
  outcomes: Type.Array(Outcome),
  volume: Type.Number({ minimum: 0 }),
  volume24h: nullable(Type.Number({ minimum: 0 })),
  liquidity: nullable(Type.Number({ minimum: 0 })),
  openInterest: nullable(Type.Number({ minimum: 0 })),
  priceChange24h: nullable(score()),
  priceChange7d: nullable(score()),
  openAt: nullable(time()),
  closeAt: nullable(time()),
  resolvedAt: nullable(time()),
  resolution: nullable(Type.String()),
  createdAt: time('When it opened at its venue, or, if unknown, when this service added it'),
  updatedAt: time(),
})
export type PredictionMarket = Static<typeof PredictionMarket>

export const HISTORY_INTERVALS = ['1h', '6h', '1d', '1w'] as const
export type HistoryInterval = (typeof HISTORY_INTERVALS)[number]

/** A prediction market requested by id. */
export const PredictionMarketDetail = Type.Object({
  ...PredictionMarket.properties,
  rules: nullable(Type.String()),
  resolutionSource: nullable(Type.String()),
  history: Type.Object({
    interval: Type.Enum(HISTORY_INTERVALS, { description: 'Time between two points' }),
    points: Type.Array(
      Type.Object({
        at: time(),
        probabilities: Type.Record(Type.String(), share(), { description: 'By outcome id' }),
      }),
    ),
  }),
  relatedMarkets: Type.Array(
    Type.Object({
      id: id(),
      slug: PredictionMarket.properties.slug,
      question: PredictionMarket.properties.question,
      status: PredictionMarket.properties.status,
      probability: PredictionMarket.properties.probability,
    }),
  ),
  relatedEntryIds: Type.Array(id(), {
    description: 'Newest entries about its assets, or, if it has none, about its topics',
  }),
})

/** Probabilities by outcome id, at one time (epoch milliseconds). */
export interface Odds {
  at: number
  probabilities: Record<string, number>
}

const HistoryPoint = Type.Object({ at: time(), probabilities: Type.Record(Type.String(), share()) })

/** A change to the market with this slug; omitted fields keep their values. History points are added. */
export const PredictionMarketChange = Type.Object({
  ...Type.Partial(Type.Omit(PredictionMarket, ['id', 'createdAt', 'updatedAt'])).properties,
  venue: PredictionMarket.properties.venue,
  venueMarketId: PredictionMarket.properties.venueMarketId,
  rules: Type.Optional(nullable(Type.String())),
  resolutionSource: Type.Optional(nullable(Type.String())),
  history: Type.Optional(Type.Array(HistoryPoint)),
})
export type PredictionMarketChange = Static<typeof PredictionMarketChange> & { slug: string }

export interface NewPredictionMarket extends Omit<PredictionMarket, 'createdAt' | 'updatedAt'> {
  rules: string | null
  resolutionSource: string | null
  /** Oldest first. */
  history: Odds[]
}
