import { CANDLE_INTERVALS, type Market, type NewMarket } from '../model/markets.ts'
import type { OffsetPage } from '../model/paging.ts'
import { isoTime, isoTimeOrNull } from '../model/time.ts'
import { READ_FROM } from './candle-time.ts'
import type { Db, Queryable } from './db.ts'
import { MAX_QUERY_WORDS, wordsOf } from './search.ts'
import { countRows, insertRecords, Params, where } from './sql.ts'

export const MARKET_SORTS = [
  'symbol:asc',
  'symbol:desc',
  'changePercent:desc',
  'changePercent:asc',
  'dayVolume:desc',
  'dayVolume:asc',
] as const
export type MarketSort = (typeof MARKET_SORTS)[number]

export interface MarketFilters {
  search?: string
  type?: string[]
  /** In upper case. */
  venue?: string[]
  assetKey?: string[]
  assetId?: string[]
  quoteCurrency?: string[]
}

/** What reading and writing the candles of a market takes. */
export interface Series {
  ref: number
  id: string
  symbol: string
  quoteCurrency: string
  timezone: string
  volumeDecimals: number
  quoteVolumeDecimals: number
  lastPriceAt: number | null
}

export type Markets = ReturnType<typeof marketsStore>

export function marketsStore(db: Db) {
  return {
    /** One that is already there is left as it is. */
    insert: (markets: readonly NewMarket[], now: number): Promise<void> =>
      db.transaction((tx) => insertMarkets(tx, markets, now)),

    /** By id, or by symbol in any letter case. */
    async find(idOrSymbol: string): Promise<Market | undefined> {
      const [row] = await db.query<MarketRow>(`${MARKET_SQL} where ${IS_NAMED}`, namesOf(idOrSymbol))
      return row && toMarket(row)
    },

    async findSeries(idOrSymbol: string): Promise<Series | undefined> {
      const [series] = await db.query<Series>(
        `select ${SERIES_COLUMNS} from markets m where ${IS_NAMED}`,
        namesOf(idOrSymbol),
      )
      return series
    },

    async page(
      filters: MarketFilters,
      sort: MarketSort,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<OffsetPage<Market>> {
      const params = new Params()
      const conditions = where(marketConditions(params, filters))
      const [total] = await db.query<{ count: number }>(
        `select count(*) as count from markets m join assets a on a.ref = m.asset_ref${conditions}`,
        params.values,
      )
      const rows = await db.query<MarketRow>(
        `${MARKET_SQL}${conditions} order by ${ORDER[sort]} limit ${Math.trunc(limit)} offset ${params.add(offset)}`,
        params.values,
      )
      return { data: rows.map(toMarket), totalCount: total?.count ?? 0 }
    },

    count: () => countRows(db, 'markets'),
  }
}

/** Takes the market for this transaction alone, and says that it has changed. */
export async function lockSeries(tx: Queryable, id: string, now: number): Promise<Series> {
  const [series] = await tx.query<Series>(
    `update markets as m set updated_at = $2 where id = $1 returning ${SERIES_COLUMNS}`,
    [id, now],
  )
  if (series === undefined) throw new Error(`there is no market ${id}`)
  return series
}

const SERIES_COLUMNS = `ref, id, symbol, quote_currency as "quoteCurrency", timezone,
  volume_decimals as "volumeDecimals", quote_volume_decimals as "quoteVolumeDecimals", last_price_at as "lastPriceAt"`

const MARKET_SQL =
  'select m.*, a.id as asset_id, a.key as asset_key from markets m join assets a on a.ref = m.asset_ref'
const IS_NAMED = '(m.id = $1 or m.symbol = $2)'
const namesOf = (idOrSymbol: string) => [idOrSymbol.toLowerCase(), idOrSymbol.toUpperCase()]

/** Unknown values come last in either direction. */
const ORDER: Record<MarketSort, string> = {
  'symbol:asc': 'm.symbol',
  'symbol:desc': 'm.symbol desc',
  'changePercent:desc': '(m.change_percent is null), m.change_percent desc, m.symbol',
  'changePercent:asc': '(m.change_percent is null), m.change_percent, m.symbol',
  'dayVolume:desc': '(m.day_volume is null), m.day_volume desc, m.symbol',
  'dayVolume:asc': '(m.day_volume is null), m.day_volume, m.symbol',
}

function marketConditions(params: Params, filters: MarketFilters): string[] {
  const isOneOf = (column: string, values: readonly string[] | undefined) =>
    values === undefined ? [] : [`${column} in (${params.list(values)})`]
  return [
    ...isOneOf('m.type', filters.type),
    ...isOneOf('m.venue_key', filters.venue),
    ...isOneOf('a.key', filters.assetKey),
    ...isOneOf('a.id', filters.assetId),
    ...isOneOf('m.quote_currency', filters.quoteCurrency),
    ...(filters.search === undefined ? [] : searchConditions(params, filters.search)),
  ]
}

/** Every word must begin a word of the market; a search without any word finds nothing. */
function searchConditions(params: Params, search: string): string[] {
  const words = wordsOf(search).slice(0, MAX_QUERY_WORDS)
  if (words.length === 0) return ['1 = 0']
  return words.map((word) => `m.words like ${params.add(`% ${word}%`)}`)
}

async function insertMarkets(tx: Queryable, markets: readonly NewMarket[], now: number): Promise<void> {
  const assets = await tx.query<{ key: string; ref: number }>('select key, ref from assets')
  const refs = new Map(assets.map(({ key, ref }) => [key, ref]))
  const records = markets.map((market) => {
    const assetRef = refs.get(market.assetKey)
    if (assetRef === undefined) {
      throw new Error(`the market ${market.symbol} names the asset ${market.assetKey}, which the store does not have`)
    }
    return {
      id: market.id,
      symbol: market.symbol.toUpperCase(),
      name: market.name,
      asset_ref: assetRef,
      type: market.type,
      venue: market.venue,
      venue_key: market.venue.toUpperCase(),
      base_currency: market.baseCurrency,
      quote_currency: market.quoteCurrency,
      timezone: market.timezone,
      status: market.status,
      words: wordsOf(`${market.symbol} ${market.name} ${market.assetKey}`)
        .map((word) => ` ${word}`)
        .join(''),
      volume_decimals: market.volumeDecimals,
      quote_volume_decimals: market.quoteVolumeDecimals,
      created_at: now,
      updated_at: now,
    }
  })
  await insertRecords(tx, 'markets', records, 'on conflict do nothing')
}

interface MarketRow {
  id: string
  symbol: string
  name: string
  asset_id: string
  asset_key: string
  type: Market['type']
  venue: string
  base_currency: string | null
  quote_currency: string
  timezone: string
  status: Market['status']
  last_price: number | null
  last_price_at: number | null
  previous_close: number | null
  change: number | null
  change_percent: number | null
  day_open: number | null
  day_high: number | null
  day_low: number | null
  day_volume: number | null
  finest_level: number | null
  history_start_at: number | null
  created_at: number
  updated_at: number
}

function toMarket(row: MarketRow): Market {
  const { finest_level: finest } = row
  return {
    id: row.id,
    symbol: row.symbol,
    name: row.name,
    assetId: row.asset_id,
    assetKey: row.asset_key,
    type: row.type,
    venue: row.venue,
    baseCurrency: row.base_currency,
    quoteCurrency: row.quote_currency,
    timezone: row.timezone,
    status: row.status,
    lastPrice: row.last_price,
    lastPriceAt: isoTimeOrNull(row.last_price_at),
    previousClose: row.previous_close,
    change: row.change,
    changePercent: row.change_percent,
    dayOpen: row.day_open,
    dayHigh: row.day_high,
    dayLow: row.day_low,
    dayVolume: row.day_volume,
    intervals: finest === null ? [] : CANDLE_INTERVALS.filter((interval) => READ_FROM[interval].level >= finest),
    historyStartAt: isoTimeOrNull(row.history_start_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}
