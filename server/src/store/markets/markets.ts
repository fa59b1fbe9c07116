import { CANDLE_INTERVALS, type Market, type NewMarket } from '../../model/markets.ts'
import type { OffsetPage } from '../../model/paging.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { Db, Transaction } from '../db.ts'
import { Catalogue, type CatalogueList } from '../lists/catalogue.ts'
import { markChanged } from '../lists/catalogue-changes.ts'
import type { OffsetRequest } from '../lists/feed-pages.ts'
import type { Feed } from '../lists/feeds.ts'
import { anyText, type FilterValues, fullText, wordsColumn } from '../lists/filters.ts'
import { getRef, refsBy } from '../lists/refs.ts'
import { countRows, insertRecords } from '../sql.ts'
import { READ_FROM } from './candle-intervals.ts'

const MARKETS = `select m.*, a.id as asset_id, a.key as asset_key from markets m join assets a on a.ref = m.asset_ref`

const MARKET_LIST = {
  table: 'markets',
  rows: MARKETS,
  filters: {
    search: fullText(),
    type: anyText('type'),
    venue: anyText('venue_key'),
    assetKey: anyText('asset_key'),
    assetId: anyText('asset_id'),
    quoteCurrency: anyText('quote_currency'),
  },
  sorts: { symbol: 'symbol', changePercent: 'change_percent', dayVolume: 'day_volume' },
} satisfies CatalogueList

export type MarketFilters = FilterValues<typeof MARKET_LIST.filters>

/** The fields of a market needed to read and write its candles. */
export interface Series {
  ref: number
  type: Market['type']
  id: string
  symbol: string
  quoteCurrency: string
  timezone: string
  volumeDecimals: number
  quoteVolumeDecimals: number
  lastPriceAt: number | null
  /** Increases with each insert of candles. */
  candlesVersion: number
}

export type Markets = ReturnType<typeof marketsStore>

export function marketsStore(db: Db, catalogues: Feed) {
  const catalogue = new Catalogue<MarketRow, Market>(db, MARKET_LIST, (rows) => rows.map(toMarket))

  return {
    /** Adds markets; existing ones stay as they are. */
    insert: (markets: readonly NewMarket[], now: number): Promise<void> =>
      db.transaction((tx) => insertMarkets(tx, markets, now)).finally(() => catalogues.changed()),

    /** Finds a market by id, or by symbol in any letter case. */
    async find(idOrSymbol: string): Promise<Market | undefined> {
      const { epoch: version } = await catalogues.head()
      return catalogue.find('t.id = $1 or t.symbol = $2', namesOf(idOrSymbol), version)
    },

    async findSeries(idOrSymbol: string): Promise<Series | undefined> {
      const [series] = await db.query<Series>(
        `select ${SERIES_COLUMNS} from markets m where ${IS_NAMED}`,
        namesOf(idOrSymbol),
      )
      return series
    },

    async page(request: OffsetRequest<MarketFilters>): Promise<OffsetPage<Market>> {
      const { epoch: version } = await catalogues.head()
      return catalogue.page(request, version)
    },

    count: () => countRows(db, 'markets'),
  }
}

/** Locks the market for this transaction and sets its update time. */
export async function lockSeries(tx: Transaction, id: string, now: number): Promise<Series> {
  const [series] = await tx.query<Series>(
    `update markets as m set updated_at = $2, candles_version = candles_version + 1 where id = $1
     returning ${SERIES_COLUMNS}`,
    [id, now],
  )
  if (series === undefined) throw new Error(`there is no market ${id}`)
  return series
}

const SERIES_COLUMNS = `ref, type, id, symbol, quote_currency as "quoteCurrency", timezone,
  volume_decimals as "volumeDecimals", quote_volume_decimals as "quoteVolumeDecimals", last_price_at as "lastPriceAt",
  candles_version as "candlesVersion"`

const IS_NAMED = '(m.id = $1 or m.symbol = $2)'
const namesOf = (idOrSymbol: string) => [idOrSymbol.toLowerCase(), idOrSymbol.toUpperCase()]

async function insertMarkets(tx: Transaction, markets: readonly NewMarket[], now: number): Promise<void> {
  const assets = await refsBy(
    tx,
    'assets',
    'key',
    markets.map(({ assetKey }) => assetKey),
  )
  const records = markets.map((market) => {
    return {
      id: market.id,
      symbol: market.symbol.toUpperCase(),
      name: market.name,
      asset_ref: getRef(assets, market.assetKey, 'asset').ref,
      type: market.type,
      venue: market.venue,
      venue_key: market.venue.toUpperCase(),
      base_currency: market.baseCurrency,
      quote_currency: market.quoteCurrency,
      timezone: market.timezone,
      status: market.status,
      words: wordsColumn(`${market.symbol} ${market.name} ${market.assetKey}`),
      volume_decimals: market.volumeDecimals,
      quote_volume_decimals: market.quoteVolumeDecimals,
      created_at: now,
      updated_at: now,
    }
  })
  await insertRecords(tx, 'markets', records, 'on conflict do nothing')
  const ids = markets.map(({ id }) => id)
  const refs = [...(await refsBy(tx, 'markets', 'id', ids)).values()].map(({ ref }) => ref)
  await markChanged(tx, { markets: refs })
}

interface MarketRow {
  ref: number
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
