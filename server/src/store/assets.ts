import { setImmediate } from 'node:timers/promises'
import type { Asset, AssetChange, NewAsset } from '../model/assets.ts'
import { idOf } from '../model/ids.ts'
import type { OffsetPage } from '../model/paging.ts'
import { Refused } from '../model/refused.ts'
import { isoTime, isoTimeOrNull } from '../model/time.ts'
import type { Counts } from './counts/counts.ts'
import { meanSentiment } from './counts/mean-sentiment.ts'
import type { Db, Queryable, Value } from './db.ts'
import { Catalogue, type CatalogueList } from './lists/catalogue.ts'
import {
  catalogueVersion,
  mergeChanges,
  rowsWritten,
  type Upserted,
  type UpsertOptions,
  upsertRows,
} from './lists/catalogue-writes.ts'
import type { OffsetRequest } from './lists/feed-pages.ts'
import { anyCik, anyText, type FilterValues, flagFilter, inNames, wordsColumn } from './lists/filters.ts'
import { forEachChunk } from './lists/refs.ts'
import { countRows, insertRecords, Params } from './sql.ts'

const LISTED_AT_ONCE = 500

const ASSETS = `select a.*, c.total, c.day, c.day_scored, c.day_sentiment, c.week, c.week_scored, c.week_sentiment,
    c.last_at, case when c.total > 0 then 1 else 0 end as has_entries
  from assets a join asset_counts c on c.ref = a.ref`

const ASSET_LIST = {
  table: 'assets',
  rows: ASSETS,
  filters: {
    search: inNames(),
    type: anyText('type'),
    status: anyText('status'),
    exchange: anyText('exchange_key'),
    countryCode: anyText('country_code'),
    sector: anyText('sector_key'),
    symbol: anyText('symbol'),
    key: anyText('key'),
    cik: anyCik('cik'),
    hasEntries: flagFilter('has_entries'),
  },
  sorts: { name: 'sort_name', symbol: 'symbol', entryCount24h: 'day', updatedAt: 'updated_at' },
} satisfies CatalogueList

export type AssetFilters = FilterValues<typeof ASSET_LIST.filters>

export type Assets = ReturnType<typeof assetsStore>

export function assetsStore(db: Db, counts: Counts) {
  const { catalogues } = counts
  const catalogue = new Catalogue<AssetRow, Asset>(db, ASSET_LIST, (rows) => toAssets(db, rows))

  return {
    async page(request: OffsetRequest<AssetFilters>, now: number): Promise<OffsetPage<Asset>> {
      return catalogue.page(request, await counts.settle(now))
    },

    async find(idOrKey: string, now: number): Promise<Asset | undefined> {
      const names = [idOrKey.toLowerCase(), idOrKey.toUpperCase()]
      return catalogue.find('t.id = $1 or t.key = $2', names, await counts.settle(now))
    },

    /** Lists the keys of the assets with these symbols. */
    async listKeys(symbols: readonly string[]): Promise<string[]> {
      const params = new Params()
      const rows = await db.query<{ key: string }>(
        `select key from assets where symbol in (${params.list(symbols)}) order by ref`,
        params.values,
      )
      return rows.map(({ key }) => key)
    },

    /** Lists all assets, without derived fields. */
    async listAll(): Promise<NewAsset[]> {
      const assets: NewAsset[] = []
      for (let ref: number | undefined = 0; ref !== undefined; ) {
        const rows: AssetRow[] = await db.query<AssetRow>(
          `select * from assets where ref > $1 order by ref limit ${LISTED_AT_ONCE}`,
          [ref],
        )
        assets.push(...rows.map(toNewAsset))
        ref = rows.at(-1)?.ref
        // Other requests run between two chunks.
        await setImmediate()
      }
      return assets
    },

    /** Returns a text that changes whenever an asset is added or edited. */
    version: (): Promise<string> => catalogueVersion(db, 'assets'),

    /** Adds assets; existing ones stay as they are. */
    insert(assets: readonly NewAsset[], now: number): Promise<void> {
      const written = db.transaction(async (tx) => {
        const records = assets.map((asset) => ({ ...toRow(asset), created_at: now, updated_at: now }))
        await insertRecords(tx, 'assets', records, 'on conflict do nothing')
        await rowsWritten(tx, 'assets', 'key', assets.map(keyOf))
      })
      return written.finally(() => catalogues.changed())
    },

    /** Updates existing assets by key and adds the others. */
    upsert(changes: readonly AssetChange[], now: number, options: UpsertOptions = {}): Promise<Upserted> {
      const written = db.transaction(async (tx) => {
        const known = await listByKey(tx, changes.map(keyOf))
        const { outcome, written } = mergeChanges(known, changes, { keyOf, merge: changed, ...options })
        await upsertRows(tx, 'assets', 'key', written.map(toRow), now)
        await rowsWritten(tx, 'assets', 'key', written.map(keyOf))
        return outcome
      }, 'assets')
      return written.finally(() => catalogues.changed())
    },

    count: () => countRows(db, 'assets'),
  }
}

const keyOf = ({ key }: { key: string }) => key

async function listByKey(tx: Queryable, keys: readonly string[]): Promise<Map<string, NewAsset>> {
  const found = new Map<string, NewAsset>()
  await forEachChunk(keys, async (params, list) => {
    const rows = await tx.query<AssetRow>(`select * from assets where key in (${list})`, params.values)
    for (const row of rows) found.set(row.key, toNewAsset(row))
  })
  return found
}

function changed(change: AssetChange, before: NewAsset | undefined): NewAsset {
  if (before !== undefined) return { ...before, ...change }
  const { key, name, type } = change
  if (name === undefined || type === undefined) throw new Refused('a new asset needs name and type')
  return { ...BLANK, id: idOf(`mintick:asset:${key}`), symbol: key, ...change, name, type }
}

/** Defaults of a new asset. */
const BLANK = {
  status: 'active',
  exchange: null,
  countryCode: null,
  currency: null,
  cik: null,
  isin: null,
  figi: null,
  lei: null,
  aliases: [],
  formerSymbols: [],
  sector: null,
  industry: null,
  description: null,
  websiteUrl: null,
} satisfies Partial<NewAsset>

function toRow(asset: NewAsset): Record<string, Value> {
  return {
    id: asset.id,
    key: asset.key,
    symbol: asset.symbol,
    name: asset.name,
    sort_name: asset.name.toLowerCase(),
    words: wordsColumn(searchText(asset)),
    type: asset.type,
    status: asset.status,
    exchange: asset.exchange,
    exchange_key: asset.exchange?.toUpperCase() ?? null,
    country_code: asset.countryCode,
    currency: asset.currency,
    cik: asset.cik,
    isin: asset.isin,
    figi: asset.figi,
    lei: asset.lei,
    aliases: JSON.stringify(asset.aliases),
    former_symbols: JSON.stringify(asset.formerSymbols),
    sector: asset.sector,
    sector_key: asset.sector?.toLowerCase() ?? null,
    industry: asset.industry,
    description: asset.description,
    website_url: asset.websiteUrl,
  }
}

function searchText(asset: NewAsset): string {
  const { key, symbol, name, aliases, formerSymbols } = asset
  return [key, symbol, name, ...aliases, ...formerSymbols.map((former) => former.symbol)].join(' ')
}

interface AssetRow {
  ref: number
  id: string
  key: string
  symbol: string
  name: string
  type: Asset['type']
  status: Asset['status']
  exchange: string | null
  country_code: string | null
  currency: string | null
  cik: string | null
  isin: string | null
  figi: string | null
  lei: string | null
  aliases: string
  former_symbols: string
  sector: string | null
  industry: string | null
  description: string | null
  website_url: string | null
  day: number
  day_scored: number
  day_sentiment: number
  week: number
  week_scored: number
  week_sentiment: number
  last_at: number | null
  created_at: number
  updated_at: number
}

async function toAssets(db: Db, rows: readonly AssetRow[]): Promise<Asset[]> {
  const marketIds = await marketIdsOf(
    db,
    rows.map(({ ref }) => ref),
  )
  return rows.map((row) => ({
    ...toNewAsset(row),
    marketIds: marketIds.get(row.ref) ?? [],
    entryCount24h: row.day,
    entryCount7d: row.week,
    sentimentScore24h: meanSentiment(row.day_sentiment, row.day_scored),
    sentimentScore7d: meanSentiment(row.week_sentiment, row.week_scored),
    lastEntryAt: isoTimeOrNull(row.last_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }))
}

function toNewAsset(row: AssetRow): NewAsset {
  return {
    id: row.id,
    key: row.key,
    symbol: row.symbol,
    name: row.name,
    type: row.type,
    status: row.status,
    exchange: row.exchange,
    countryCode: row.country_code,
    currency: row.currency,
    cik: row.cik,
    isin: row.isin,
    figi: row.figi,
    lei: row.lei,
    aliases: JSON.parse(row.aliases),
    formerSymbols: JSON.parse(row.former_symbols),
    sector: row.sector,
    industry: row.industry,
    description: row.description,
    websiteUrl: row.website_url,
  }
}

async function marketIdsOf(db: Db, assetRefs: readonly number[]): Promise<Map<number, string[]>> {
  const ids = new Map<number, string[]>()
  if (assetRefs.length === 0) return ids
  const params = new Params()
  const markets = await db.query<{ id: string; asset_ref: number }>(
    `select id, asset_ref from markets where asset_ref in (${params.list(assetRefs)}) order by ref`,
    params.values,
  )
  for (const { id, asset_ref } of markets) ids.set(asset_ref, [...(ids.get(asset_ref) ?? []), id])
  return ids
}
