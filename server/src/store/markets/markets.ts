import { idOf } from '../../model/ids.ts'
import {
  CANDLE_INTERVALS,
  isSampleMarket,
  type Market,
  type MarketChange,
  type NewMarket,
} from '../../model/markets.ts'
import type { OffsetPage } from '../../model/paging.ts'
import { Refused } from '../../model/refused.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { ChangeLog } from '../changes/change-log.ts'
import type { Db, Queryable, Transaction, Value } from '../db.ts'
import { Catalogue, type CatalogueList } from '../lists/catalogue.ts'
import { markChanged } from '../lists/catalogue-changes.ts'
import { mergeChanges, type Upserted, type UpsertOptions, upsertRows } from '../lists/catalogue-writes.ts'
import type { OffsetRequest } from '../lists/feed-pages.ts'
import type { Feed } from '../lists/feeds.ts'
import { anyText, type FilterValues, inNames, wordsColumn } from '../lists/filters.ts'
import { forEachChunk, getRef, refsBy } from '../lists/refs.ts'
import { countRows, insertRecords } from '../sql.ts'
import { READ_FROM } from './candle-intervals.ts'

const MARKETS = `select m.*, a.id as asset_id, a.key as asset_key, a.symbol as asset_symbol from markets m join assets a on a.ref = m.asset_ref`

const MARKET_LIST = {
  table: 'markets',
  rows: MARKETS,
  filters: {
    search: inNames(),
    type: anyText('type'),
    venue: anyText('venue_key'),
    symbol: anyText('symbol'),
    assetKey: anyText('asset_key'),
    ticker: anyText('asset_symbol'),
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

export function marketsStore(db: Db, catalogues: Feed, changes: ChangeLog) {
  const catalogue = new Catalogue<MarketRow, Market>(db, MARKET_LIST, (rows) => rows.map(toMarket))

  /** Runs a transaction that excludes other writers of the fields of markets. */
  async function write<T>(work: (tx: Transaction) => Promise<T>, now: number): Promise<T> {
    try {
      return await db.transaction(async (tx) => {
        const result = await work(tx)
        await changes.write(tx, now)
        return result
      }, 'markets')
    } finally {
      catalogues.changed()
      changes.changed()
    }
  }

  return {
    /** Adds markets; existing ones stay as they are. */
    insert: (markets: readonly NewMarket[], now: number): Promise<void> =>
      write((tx) => insertMarkets(tx, changes, markets, now), now),

    /** Updates existing markets by symbol and adds the others. */
    upsert: (given: readonly MarketChange[], now: number, options: UpsertOptions = {}): Promise<Upserted> =>
      write((tx) => upsertMarkets(tx, changes, given, now, options), now),

    /** Finds a market by id, or by symbol in any letter case. */
    async find(idOrSymbol: string): Promise<Market | undefined> {
      const { epoch: version } = await catalogues.head()
      return catalogue.find('t.id = $1 or t.symbol = $2', namesOf(idOrSymbol), version)
    },

    async findSeries(idOrSymbol: string): Promise<Readonly<Series> | undefined> {
      const { epoch: version } = await catalogues.head()
      const names = namesOf(idOrSymbol)
      const read = async () =>
        (await db.query<Series>(`select ${SERIES_COLUMNS} from markets m where m.id = $1 or m.symbol = $2`, names))[0]
      return catalogue.cached(JSON.stringify(['series', names]), version, read, () => 1)
    },

    /**
     * Returns the symbols of an asset's markets. The primary one is the only active one, or the only active one in the
     * currency of the asset.
     */
    async namesOfAsset(key: string): Promise<{ primary: string | undefined; symbols: string[] }> {
      const markets = await db.query<{ symbol: string; status: Market['status']; quote: string; currency: string }>(
        `select m.symbol, m.status, m.quote_currency as quote, coalesce(a.currency, 'USD') as currency
         from markets m join assets a on a.ref = m.asset_ref where a.key = $1 order by m.symbol`,
        [key.toUpperCase()],
      )
      const active = markets.filter(({ status }) => status === 'active')
      const candidates = active.length === 1 ? active : active.filter(({ quote, currency }) => quote === currency)
      return {
        primary: candidates.length === 1 ? candidates[0]?.symbol : undefined,
        symbols: markets.map(({ symbol }) => symbol),
      }
    },

    async page(request: OffsetRequest<MarketFilters>): Promise<OffsetPage<Market>> {
      const { epoch: version } = await catalogues.head()
      return catalogue.page(request, version)
    },

    /** Removes the markets of the sample world with their candles; returns their number. */
    removeSample(now: number): Promise<number> {
      return write(async (tx) => {
        const markets = await tx.query<{ ref: number; id: string; symbol: string }>(
          'select ref, id, symbol from markets',
        )
        const removed = markets.filter(isSampleMarket)
        const refs = removed.map(({ ref }) => ref)
        await forEachChunk(refs, async (params, list) => {
          await tx.query(`delete from candle_blocks where market_ref in (${list})`, params.values)
          await tx.query(`delete from markets where ref in (${list})`, params.values)
        })
        await markChanged(tx, { markets: refs })
        changes.removed(tx, 'markets', removed)
        return refs.length
      }, now)
    },

    count: () => countRows(db, 'markets'),
  }
}

/** Lists markets by their refs. */
export async function listMarkets(db: Queryable, refs: readonly number[]): Promise<Map<number, Market>> {
  const found = new Map<number, Market>()
  await forEachChunk(refs, async (params, list) => {
    const rows = await db.query<MarketRow>(`${MARKETS} where m.ref in (${list})`, params.values)
    for (const row of rows) found.set(row.ref, toMarket(row))
  })
  return found
}

/** Locks the market for this transaction without changing it. */
export const holdSeries = (tx: Transaction, id: string): Promise<Series> =>
  updateSeries(tx, 'candles_version = candles_version', id)

/** Locks the market for this transaction and sets its update time. */
export const lockSeries = (tx: Transaction, id: string, now: number): Promise<Series> =>
  updateSeries(tx, 'updated_at = $2, candles_version = candles_version + 1', id, now)

async function updateSeries(tx: Transaction, change: string, id: string, ...values: number[]): Promise<Series> {
  const [series] = await tx.query<Series>(
    `update markets as m set ${change} where id = $1 returning ${SERIES_COLUMNS}`,
    [id, ...values],
  )
  if (series === undefined) throw new Error(`there is no market ${id}`)
  return series
}

const SERIES_COLUMNS = `ref, type, id, symbol, quote_currency as "quoteCurrency", timezone,
  volume_decimals as "volumeDecimals", quote_volume_decimals as "quoteVolumeDecimals", last_price_at as "lastPriceAt",
  candles_version as "candlesVersion"`

const namesOf = (idOrSymbol: string) => [idOrSymbol.toLowerCase(), idOrSymbol.toUpperCase()]

async function insertMarkets(
  tx: Transaction,
  changes: ChangeLog,
  markets: readonly NewMarket[],
  now: number,
): Promise<void> {
  const known = await refsOf(tx, markets)
  const assets = await refsBy(
    tx,
    'assets',
    'key',
    markets.map(({ assetKey }) => assetKey),
  )
  const records = markets.map((market) => ({ ...toRow(market, assets), created_at: now, updated_at: now }))
  await insertRecords(tx, 'markets', records, 'on conflict do nothing')
  const refs = await refsOf(tx, markets)
  await markChanged(tx, { markets: refs })
  changes.inserted(
    tx,
    'markets',
    refs.filter((ref) => !known.includes(ref)),
  )
}

async function upsertMarkets(
  tx: Transaction,
  changes: ChangeLog,
  given: readonly MarketChange[],
  now: number,
  options: UpsertOptions,
): Promise<Upserted> {
  const known = await listBySymbol(
    tx,
    given.map(({ symbol }) => symbol),
  )
  const assets = await refsBy(tx, 'assets', 'key', [
    ...given.flatMap(({ assetKey }) => assetKey ?? []),
    ...[...known.values()].map(({ assetKey }) => assetKey),
  ])
  const { outcome, written } = mergeChanges<MarketChange, NewMarket>(known, given, {
    keyOf: ({ symbol }) => symbol,
    merge: (change, before) => {
      const market = changed(change, before)
      if (!assets.has(market.assetKey)) throw new Refused('assetKey is not an asset of the store; import it first')
      return market
    },
    ...options,
  })
  const before = await refsOf(tx, written)
  const records = written.map((market) => toRow(market, assets))
  await upsertRows(tx, 'markets', 'symbol', records, now)
  const refs = await refsOf(tx, written)
  await markChanged(tx, { markets: refs })
  changes.revised(tx, 'markets', before)
  changes.inserted(
    tx,
    'markets',
    refs.filter((ref) => !before.includes(ref)),
  )
  return outcome
}

async function refsOf(tx: Transaction, markets: readonly NewMarket[]): Promise<number[]> {
  const ids = markets.map(({ id }) => id)
  return [...(await refsBy(tx, 'markets', 'id', ids)).values()].map(({ ref }) => ref).sort((a, b) => a - b)
}

async function listBySymbol(tx: Queryable, symbols: readonly string[]): Promise<Map<string, NewMarket>> {
  const found = new Map<string, NewMarket>()
  await forEachChunk(symbols, async (params, list) => {
    const rows = await tx.query<NewMarket>(
      `select m.id, m.symbol, m.name, a.key as "assetKey", m.type, m.venue, m.base_currency as "baseCurrency",
         m.quote_currency as "quoteCurrency", m.timezone, m.status, m.volume_decimals as "volumeDecimals",
         m.quote_volume_decimals as "quoteVolumeDecimals"
       from markets m join assets a on a.ref = m.asset_ref where m.symbol in (${list})`,
      params.values,
    )
    for (const row of rows) found.set(row.symbol, { ...row })
  })
  return found
}

function changed(change: MarketChange, before: NewMarket | undefined): NewMarket {
  if (before !== undefined) {
    if (isSampleMarket(before)) throw new Refused('symbol is a market of the sample; run "mintick sample clear" first')
    const after = { ...before, ...change }
    // Stored volumes are integers in these units.
    for (const field of ['volumeDecimals', 'quoteVolumeDecimals'] as const) {
      if (after[field] !== before[field]) throw new Refused(`${field} of an existing market cannot change`)
    }
    return after
  }
  const { symbol, assetKey, type, quoteCurrency } = change
  if (assetKey === undefined || type === undefined || quoteCurrency === undefined) {
    throw new Refused('a new market needs assetKey, type and quoteCurrency')
  }
  return {
    id: idOf(`mintick:market:${symbol}`),
    name: symbol,
    venue: 'Imported',
    baseCurrency: null,
    timezone: 'UTC',
    status: 'active',
    volumeDecimals: type === 'crypto' ? 6 : 2,
    quoteVolumeDecimals: 2,
    ...change,
    assetKey,
    type,
    quoteCurrency,
  }
}

function toRow(market: NewMarket, assets: ReadonlyMap<string, { ref: number }>): Record<string, Value> {
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
  }
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
