import Type, { type Static } from 'typebox'
import { day, id, nullable, score, texts, time } from './schema.ts'

export const ASSET_TYPES = ['equity', 'etf', 'index', 'crypto', 'currency', 'commodity', 'other'] as const
export const ASSET_STATUSES = ['active', 'delisted'] as const

/** A security, currency, commodity or other asset. `key` is unique and upper case; `id` never changes. */
export const Asset = Type.Object({
  id: id(),
  key: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  type: Type.Enum(ASSET_TYPES),
  status: Type.Enum(ASSET_STATUSES),
  exchange: nullable(Type.String()),
  countryCode: nullable(Type.String()),
  currency: nullable(Type.String()),
  cik: nullable(Type.String({ description: 'Ten digits' })),
  isin: nullable(Type.String()),
  figi: nullable(Type.String()),
  lei: nullable(Type.String()),
  aliases: texts(),
  formerSymbols: Type.Array(Type.Object({ symbol: Type.String(), from: nullable(day()), to: nullable(day()) })),
  sector: nullable(Type.String()),
  industry: nullable(Type.String()),
  description: nullable(Type.String()),
  websiteUrl: nullable(Type.String()),
  marketIds: Type.Array(id()),
  entryCount24h: Type.Integer({ description: 'Entries published within the last 24 hours' }),
  entryCount7d: Type.Integer({ description: 'Entries published within the last 7 days' }),
  sentimentScore24h: nullable(score('Mean of those that have one')),
  sentimentScore7d: nullable(score('Mean of those that have one')),
  lastEntryAt: nullable(time('publishedAt of the latest entry')),
  createdAt: time(),
  updatedAt: time(),
})
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
