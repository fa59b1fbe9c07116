import Type, { type Static } from 'typebox'
import { stableId } from './ids.ts'
import { addedAt, assetId, assetKey, flag, id, nullable, number, text, time } from './schema.ts'

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

const symbol = () => text('Unique name of the market in upper case, such as BTC-USD')
const timezone = () => text('Time zone of the venue, such as America/New_York; candles use UTC days all the same')

export const Market = Type.Object(
  {
    id: id('Never changes'),
    symbol: symbol(),
    name: text('Name for people, such as Apple Inc.'),
    assetId: assetId(),
    assetKey: assetKey(),
    type: Type.Enum(MARKET_TYPES, { description: 'What is traded; fx is a pair of currencies' }),
    venue: text('Exchange or source of the prices'),
    baseCurrency: nullable(text('What is bought in a pair such as BTC-USD; null for markets that are no pair')),
    quoteCurrency: text('Currency of all prices of the market, such as USD'),
    timezone: timezone(),
    status: Type.Enum(MARKET_STATUSES, { description: 'inactive if the operator has marked it so' }),
    lastPrice: nullable(number('Close of the last candle, in quoteCurrency; null if there are no candles')),
    lastPriceAt: nullable(time('End of the last candle, or when it arrived if it was still open')),
    previousClose: nullable(number('Close of the trading day before the last; null if there is none')),
    change: nullable(number('lastPrice minus previousClose')),
    changePercent: nullable(number('change in percent of previousClose: 1.5 is 1.5%; null if that is unknown or 0')),
    dayOpen: nullable(number('First price of the last trading day, which is a UTC day')),
    dayHigh: nullable(number('Highest price of that day')),
    dayLow: nullable(number('Lowest price of that day')),
    dayVolume: nullable(number('Units of the asset traded on that day, such as shares or coins; null for an index')),
    intervals: Type.Array(Type.Enum(CANDLE_INTERVALS), {
      description: 'Available candle intervals; fine ones may reach less far back',
    }),
    historyStartAt: nullable(time('Start of the first candle of any interval; null if there are no candles')),
    createdAt: addedAt(),
    updatedAt: time('When its fields or candles last changed'),
  },
  { description: 'A market for an asset, with its last price' },
)
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

export const Candle = Type.Object(
  {
    openedAt: time('Start of its interval, in UTC'),
    closedAt: time('End of its interval, which is the start of the next one'),
    open: number('First price, in the quote currency of the market'),
    high: number('Highest price'),
    low: number('Lowest price'),
    close: number('Last price; if the candle is not closed, the last one so far'),
    volume: number('Units of the asset traded, such as shares or coins; 0 if unknown'),
    quoteVolume: nullable(number('Amount traded, in the quote currency; null if unknown for a part of the interval')),
    vwap: nullable(number('Average price weighted by volume: quoteVolume / volume; null if one is unknown or 0')),
    tradeCount: nullable(Type.Integer({ description: 'Number of trades; null if unknown for a part of the interval' })),
    isClosed: flag('false until its interval is over'),
  },
  { description: 'Prices of a market within an interval' },
)
export type Candle = Static<typeof Candle>

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

export const Chart = Type.Object(
  {
    marketId: id('Id of the market'),
    symbol: symbol(),
    currency: text('Currency of the prices'),
    timezone: timezone(),
    range: Type.Enum(CHART_RANGES, { description: 'The requested range, which ends at the last price' }),
    interval: Type.Enum(CANDLE_INTERVALS, { description: 'Time between two points, chosen for the range' }),
    previousClose: nullable(number('Last close before the range; null if the history starts within it')),
    points: Type.Array(
      Type.Object({
        at: time('Start of the interval'),
        price: number('Last price of the interval'),
        volume: nullable(number('Units of the asset traded within the interval; null for an index')),
      }),
      { description: 'Oldest first; intervals without trades are left out' },
    ),
  },
  { description: 'Prices of a market over a range' },
)
export type Chart = Static<typeof Chart>
