import Type, { type Static } from 'typebox'
import { catalogueTimes, countryCode, day, id, ids, integer, nullable, score, text, texts, time } from './schema.ts'

export const ASSET_TYPES = ['equity', 'etf', 'index', 'crypto', 'currency', 'commodity', 'other'] as const
export const ASSET_STATUSES = ['active', 'delisted'] as const

export const Asset = Type.Object(
  {
    id: id('Never changes, also if the symbol does'),
    key: text(
      'Unique name in upper case, by which other records refer to it: the symbol, abroad with a suffix as in BP.L',
    ),
    symbol: text('Ticker or code, in upper case; assets of several exchanges may share one'),
    name: text('Full name, such as Apple Inc.'),
    type: Type.Enum(ASSET_TYPES, { description: 'currency is a pair of currencies, such as EURUSD' }),
    status: Type.Enum(ASSET_STATUSES, { description: 'delisted if it is no longer traded' }),
    exchange: nullable(text('Exchange of its main listing; null if it is unknown or not listed')),
    countryCode: nullable(countryCode('the country of its listing')),
    currency: nullable(text('Code of the currency in which it is quoted, such as USD; null for an index')),
    cik: nullable(text('Number of the company at the SEC, ten digits; null if it has none')),
    isin: nullable(text('International Securities Identification Number, 12 characters')),
    figi: nullable(text('Financial Instrument Global Identifier, 12 characters')),
    lei: nullable(text('Legal Entity Identifier of the company, 20 characters')),
    aliases: texts('Names that identify it in entries'),
    formerSymbols: Type.Array(
      Type.Object({
        symbol: text('Symbol that it had'),
        from: nullable(day('First day of this symbol; null if unknown')),
        to: nullable(day('Last day of this symbol; null if unknown')),
      }),
      { description: 'Symbols before the current one' },
    ),
    sector: nullable(text('Sector of the company, such as Technology; null for other assets')),
    industry: nullable(text('Industry within the sector, such as Semiconductors')),
    description: nullable(text('A sentence about it')),
    websiteUrl: nullable(text('Website of the company or project')),
    marketIds: ids('Markets that have its prices; empty if there are none'),
    entryCount24h: integer('Entries that mention it, published within the last 24 hours'),
    entryCount7d: integer('Entries that mention it, published within the last 7 days'),
    sentimentScore24h: nullable(
      score(
        'Mean over the entries of entryCount24h that have a score for the asset: in an entry about several assets, that of its own clauses; null if none has',
      ),
    ),
    sentimentScore7d: nullable(score('Mean over the entries of entryCount7d that have a score; null if none has')),
    lastEntryAt: nullable(time('publishedAt of the latest entry that mentions it; null if none does')),
    ...catalogueTimes,
  },
  { description: 'A security, index, crypto asset, pair of currencies or commodity' },
)
export type Asset = Static<typeof Asset>

/** An asset to insert; the store adds its markets and figures from entries. */
export const NewAsset = Type.Omit(Asset, [
  'marketIds',
  'entryCount24h',
  'entryCount7d',
  'sentimentScore24h',
  'sentimentScore7d',
  'lastEntryAt',
  'createdAt',
  'updatedAt',
])
export type NewAsset = Static<typeof NewAsset>

/** A change to the asset with this key; omitted fields keep their values. */
export const AssetChange = Type.Object({
  ...Type.Partial(Type.Omit(NewAsset, ['id'])).properties,
  key: Asset.properties.key,
  formerSymbols: Type.Optional(
    Type.Array(Type.Object(Asset.properties.formerSymbols.items.properties, { additionalProperties: false })),
  ),
})
export type AssetChange = Static<typeof AssetChange>
