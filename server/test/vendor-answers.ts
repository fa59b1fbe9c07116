/** Small hand-written answers in the forms of the vendors. */

const json = (value: unknown) => JSON.stringify(value)

export const KRAKEN = json({
  error: [],
  result: {
    XXBTZUSD: [
      [1767225600, '100.0', '110.5', '95.0', '105.0', '102.0', '2.5', 7],
      [1767229200, '105.0', '105.0', '105.0', '105.0', '0.0', '0.0', 0],
      [1767232800, '105.0', '120.0', '104.0', '119.0', '110.0', '1.0', 3],
    ],
    last: 1767229200,
  },
})

export const COINBASE_EXCHANGE = json([
  [1767229200, 95, 110.5, 105, 100, 2.5],
  [1767225600, 90, 106, 91, 105, 4],
])

export const COINBASE_ADVANCED = json({
  candles: [
    { start: '1767229200', low: '95', high: '110.5', open: '105', close: '100', volume: '2.5' },
    { start: '1767225600', low: '90', high: '106', open: '91', close: '105', volume: '4' },
  ],
})

const kline = (openedAt: number, unit: number) => [
  openedAt * unit,
  '100.0',
  '110.5',
  '95.0',
  '105.0',
  '2.5',
  (openedAt + 60) * unit - 1,
  '255.0',
  7,
  '1.0',
  '100.0',
  '0',
]

export const BINANCE = json([kline(1767225600, 1_000), kline(1767225660, 1_000)])
/** Spot archives since 2025 have microseconds. */
export const BINANCE_ARCHIVE = [kline(1767225600, 1e6), kline(1767225660, 1e6)].map((row) => row.join(',')).join('\n')

export const STOOQ = `Date,Open,High,Low,Close,Volume\r
2026-01-02,100,110.5,95,105,2500\r
2026-01-05,105,106,104,104.5,1800\r
`

export const TIINGO_CSV = `date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor
2026-01-02,105.0,110.5,95.0,100.0,2500,52.5,55.25,47.5,50.0,5000,0.0,1.0
2026-01-05,104.5,106.0,104.0,105.0,1800,52.25,53.0,52.0,52.5,3600,0.0,2.0
`

export const TIINGO_JSON = json([
  { date: '2026-01-02T00:00:00.000Z', close: 105, high: 110.5, low: 95, open: 100, volume: 2500, adjClose: 52.5 },
  { date: '2026-01-05T00:00:00+00:00', close: 104.5, high: 106, low: 104, open: 105, volume: 1800, adjClose: 52.25 },
])

export const POLYMARKET_MARKET = {
  id: '501',
  question: 'Will the Fed cut rates in March?',
  conditionId: '0xabc',
  slug: 'fed-cut-in-march',
  description: 'Resolves to Yes if the target range is lowered.',
  resolutionSource: '',
  image: 'https://images.example/fed.png',
  startDate: '2026-01-01T10:00:00Z',
  endDate: '2026-03-18T18:00:00Z',
  createdAt: '2025-12-31T09:00:00.123456Z',
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.345", "0.655"]',
  clobTokenIds: '["111", "222"]',
  volume: '1234.567',
  volumeNum: 1234.57,
  volume24hr: 50.5,
  liquidity: '900.1',
  liquidityNum: 900.1,
  active: true,
  closed: false,
  bestBid: 0.34,
  bestAsk: 0.35,
  lastTradePrice: 0.35,
  oneDayPriceChange: -0.02,
  oneWeekPriceChange: 0.1,
  events: [{ id: '9', slug: 'fed-in-march', title: 'Fed decision in March', category: 'Economy' }],
}

export const POLYMARKET = json([POLYMARKET_MARKET])
export const POLYMARKET_HISTORY = json({
  history: [
    { t: 1767229200, p: 0.31 },
    { t: 1767225600, p: 0.3 },
  ],
})

const { events: _, ...nestedMarket } = POLYMARKET_MARKET
export const POLYMARKET_EVENTS = json({
  events: [
    {
      id: '9',
      slug: 'fed-in-march',
      title: 'Fed decision in March',
      tags: [{ label: 'All' }, { label: 'Fed Rates' }],
      markets: [
        nestedMarket,
        { ...nestedMarket, id: '502', slug: 'fed-hike-in-march', question: 'Will the Fed hike?' },
      ],
    },
  ],
  next_cursor: 'abc',
})

export const KALSHI_MARKET = {
  ticker: 'KXFED-26MAR-T4.00',
  event_ticker: 'KXFED-26MAR',
  market_type: 'binary',
  title: 'Will the upper bound be above 4.00%?',
  yes_sub_title: 'Above 4.00%',
  open_time: '2026-01-01T15:00:00Z',
  close_time: '2026-03-18T17:55:00Z',
  created_time: '0001-01-01T00:00:00Z',
  status: 'active',
  result: '',
  yes_bid_dollars: '0.4100',
  yes_ask_dollars: '0.4300',
  no_bid_dollars: '0.5700',
  no_ask_dollars: '0.5900',
  last_price_dollars: '0.4200',
  previous_price_dollars: '0.4500',
  volume_fp: '1200.00',
  volume_24h_fp: '35.50',
  open_interest_fp: '800.00',
  liquidity_dollars: '150.2500',
  rules_primary: 'Yes if above 4.00%.',
  rules_secondary: 'No otherwise.',
}

const kalshiEvent = {
  event_ticker: 'KXFED-26MAR',
  series_ticker: 'KXFED',
  title: 'Fed funds rate in March?',
  category: 'Economics',
  settlement_sources: [{ name: 'Federal Reserve', url: 'https://federalreserve.gov' }],
}

export const KALSHI = json({ cursor: 'next', markets: [KALSHI_MARKET] })
export const KALSHI_EVENTS = json({ cursor: '', events: [{ ...kalshiEvent, markets: [KALSHI_MARKET] }] })
export const KALSHI_CANDLESTICKS = json({
  ticker: 'KXFED-26MAR-T4.00',
  candlesticks: [
    {
      end_period_ts: 1767229200,
      price: { open: null, close: null, previous_dollars: '0.5000' },
      yes_bid: { close_dollars: '0.4000' },
      yes_ask: { close_dollars: '0.4500' },
    },
    { end_period_ts: 1767225600, price: { close: 44 }, yes_bid: { close: 40 }, yes_ask: { close: 45 } },
  ],
})

export const MANIFOLD_MARKET = {
  id: 'AbC123',
  creatorUsername: 'Ada',
  createdTime: 1767225600000,
  closeTime: 1798761600000,
  question: 'Will it rain?',
  slug: 'will-it-rain',
  url: 'https://manifold.markets/Ada/will-it-rain',
  outcomeType: 'BINARY',
  mechanism: 'cpmm-1',
  pool: { YES: 100, NO: 50 },
  probability: 0.25,
  totalLiquidity: 1000,
  volume: 321.5,
  volume24Hours: 12,
  isResolved: false,
  token: 'MANA',
}

export const MANIFOLD_CHOICE = {
  ...MANIFOLD_MARKET,
  id: 'Choice1',
  slug: 'who-wins',
  url: 'https://manifold.markets/Ada/who-wins',
  question: 'Who wins?',
  outcomeType: 'MULTIPLE_CHOICE',
  mechanism: 'cpmm-multi-1',
  probability: undefined,
  answers: [
    { id: 'a1', index: 0, text: 'Ada', probability: 0.7 },
    { id: 'a2', index: 1, text: 'Bob', probability: 0.3 },
  ],
  description: { type: 'doc', content: [] },
  textDescription: 'The winner of the final.',
  groupSlugs: ['chess'],
}

export const MANIFOLD_NUMERIC = {
  ...MANIFOLD_MARKET,
  id: 'Numeric1',
  slug: 'how-many',
  question: 'How many?',
  outcomeType: 'PSEUDO_NUMERIC',
  value: 25,
  min: 0,
  max: 100,
  isLogScale: false,
}

export const MANIFOLD = json([MANIFOLD_MARKET, MANIFOLD_CHOICE, MANIFOLD_NUMERIC])
export const MANIFOLD_BETS = json([
  { id: 'b2', contractId: 'AbC123', createdTime: 1767229200000, probBefore: 0.2, probAfter: 0.25, outcome: 'YES' },
  { id: 'b1', contractId: 'AbC123', createdTime: 1767225600000, probBefore: 0.5, probAfter: 0.2, outcome: 'NO' },
])

/** Answers by kind of `mintick parse`. */
export const VENDOR_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'kraken-ohlc': [KRAKEN],
  'coinbase-candles': [COINBASE_EXCHANGE, COINBASE_ADVANCED],
  'binance-klines': [BINANCE, BINANCE_ARCHIVE],
  'daily-csv': [STOOQ, TIINGO_CSV, TIINGO_JSON],
  polymarket: [POLYMARKET, POLYMARKET_EVENTS, POLYMARKET_HISTORY],
  kalshi: [KALSHI, KALSHI_EVENTS, KALSHI_CANDLESTICKS],
  manifold: [MANIFOLD, MANIFOLD_BETS, json(MANIFOLD_CHOICE)],
}
