import Type, { type Static } from 'typebox'
import { stableId } from './ids.ts'
import { id, nullable, time } from './schema.ts'

export const MARKET_TYPES = ['stock', 'etf', 'index', 'crypto', 'fx', 'commodity'] as const
const MARKET_STATUSES = ['active', 'inactive'] as const

/** Ordered from finest to coarsest. Days are UTC days, weeks start on Monday, months are calendar months. */
export const CANDLE_INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1mo'] as const
export type CandleInterval = (typeof CANDLE_INTERVALS)[number]

/** Intervals of inserted candles; all others are rolled up from them. */
export const STORED_INTERVALS = ['1m', '1h', '1d'] as const
export type StoredInterval = (typeof STORED_INTERVALS)[number]

export const CHART_RANGES = ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '5y', 'max'] as const
export type ChartRange = (typeof CHART_RANGES)[number]

/** A market for an asset, with its last price. `symbol` is unique and upper case. */
export const Market = Type.Object({
  id: id(),
  symbol: Type.String(),
  name: Type.String(),
  assetId: id(),
  assetKey: Type.String(),
  type: Type.Enum(MARKET_TYPES),
  venue: Type.String(),
  baseCurrency: nullable(Type.String()),
  quoteCurrency: Type.String(),
  timezone: Type.String(),
  status: Type.Enum(MARKET_STATUSES),
  lastPrice: nullable(Type.Number()),
  lastPriceAt: nullable(time()),
  previousClose: nullable(Type.Number({ description: 'Close of the trading day before the last' })),
  change: nullable(Type.Number()),
  changePercent: nullable(Type.Number()),
  dayOpen: nullable(Type.Number()),
  dayHigh: nullable(Type.Number()),
  dayLow: nullable(Type.Number()),
  dayVolume: nullable(Type.Number()),
  intervals: Type.Array(Type.Enum(CANDLE_INTERVALS), { description: 'Available candle intervals' }),
  historyStartAt: nullable(
    time('Start of the first candle of any interval; the meta of candles has the start of each interval'),
  ),
  createdAt: time(),
  updatedAt: time(),
})
export type Market = Static<typeof Market>

/** A market to insert; the store adds figures from its candles. */
export interface NewMarket
  extends Pick<Market, 'id' | 'symbol' | 'name' | 'assetKey' | 'type' | 'venue' | 'baseCurrency' | 'quoteCurrency'> {
  timezone: string
  status: Market['status']
  /** Decimal places in which volumes are summed exactly; finer values are rounded on insert. */
  volumeDecimals: number
  quoteVolumeDecimals: number
}

const decimals = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 8, description }))

/** A change to the market with this symbol; omitted fields keep their values. */
export const MarketChange = Type.Object({
  ...Type.Partial(
    Type.Pick(Market, ['name', 'assetKey', 'type', 'venue', 'baseCurrency', 'quoteCurrency', 'timezone', 'status']),
  ).properties,
  symbol: Market.properties.symbol,
  volumeDecimals: decimals('Decimal places of volumes'),
  quoteVolumeDecimals: decimals('Decimal places of quote volumes'),
})
export type MarketChange = Static<typeof MarketChange>

/** Returns whether a market belongs to the sample world: only its ids derive from the symbol in this way. */
export const isSampleMarket = ({ id, symbol }: Pick<Market, 'id' | 'symbol'>): boolean =>
  id === stableId('market', symbol)

export const Candle = Type.Object({
  openedAt: time(),
  closedAt: time('End of its interval'),
  open: Type.Number(),
  high: Type.Number(),
  low: Type.Number(),
  close: Type.Number(),
  volume: Type.Number(),
  quoteVolume: nullable(Type.Number()),
  vwap: nullable(Type.Number()),
  tradeCount: nullable(Type.Integer()),
  isClosed: Type.Boolean({ description: 'false until its interval is over' }),
})
export type Candle = Static<typeof Candle>

export const CandleMeta = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Number of candles in this response' }),
  limit: Type.Integer({ minimum: 1, description: 'Applied maxPoints' }),
  hasMore: Type.Boolean({ description: 'Whether the range has more candles than these' }),
  nextOpenedAfter: nullable(
    time('openedAfter of the request for the next candles. Null if there are none, or if the older ones were left out'),
  ),
  nextOpenedBefore: nullable(
    time(
      'openedBefore of the request for the next older candles. Null if there are none, or if the newer ones were left out',
    ),
  ),
  historyStartAt: Type.Object(
    Object.fromEntries(CANDLE_INTERVALS.map((interval) => [interval, historyStart(interval)])) as Record<
      CandleInterval,
      ReturnType<typeof historyStart>
    >,
    { description: 'Start of the first candle of each interval' },
  ),
})
export type CandleMeta = Static<typeof CandleMeta>

function historyStart(interval: CandleInterval) {
  return nullable(time(`Start of the first ${interval} candle. Null if there is none`))
}

/** A candle to insert; its interval is a separate argument. Times are epoch milliseconds. */
export interface NewCandle {
  openedAt: number
  open: number
  high: number
  low: number
  close: number
  volume: number
  quoteVolume: number | null
  tradeCount: number | null
}

export const Chart = Type.Object({
  marketId: id(),
  symbol: Type.String(),
  currency: Type.String(),
  timezone: Type.String(),
  range: Type.Enum(CHART_RANGES),
  interval: Type.Enum(CANDLE_INTERVALS),
  previousClose: nullable(Type.Number({ description: 'Last close before the range' })),
  points: Type.Array(Type.Object({ at: time(), price: Type.Number(), volume: nullable(Type.Number()) })),
})
export type Chart = Static<typeof Chart>
