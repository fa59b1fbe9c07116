export const ASSET_TYPES = ['equity', 'etf', 'index', 'crypto', 'currency', 'commodity', 'other'] as const
export const ASSET_STATUSES = ['active', 'delisted'] as const

/** Something that can be priced and written about. `key` is unique and upper case; `id` never changes. */
export interface Asset {
  id: string
  key: string
  symbol: string
  name: string
  type: (typeof ASSET_TYPES)[number]
  status: (typeof ASSET_STATUSES)[number]
  exchange: string | null
  countryCode: string | null
  currency: string | null
  cik: string | null
  isin: string | null
  aliases: string[]
  sector: string | null
  industry: string | null
  description: string | null
  websiteUrl: string | null
}
