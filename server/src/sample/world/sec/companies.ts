import type { NewAsset } from '../../../model/assets.ts'
import { assetsByPopularity, revenueOf } from '../popularity.ts'

/** The issuer fields of a record. */
export interface Issuer {
  cik: string
  companyName: string
  ticker: string | null
  assetKey: string | null
}

export interface Company extends Issuer {
  ticker: string
  assetKey: string
  asset: NewAsset
  /** Rank by popularity, from 0. */
  rank: number
  sharesOutstanding: number
  cusip: string
  securityTitle: string
}

/** The built-in equities that file with the SEC, best known first. */
export const companies: readonly Company[] = assetsByPopularity('equity')
  .flatMap((asset) => (asset.cik === null ? [] : [{ asset, cik: asset.cik }]))
  .map(({ asset, cik }, rank) => ({
    cik,
    companyName: asset.name,
    ticker: asset.symbol,
    assetKey: asset.key,
    asset,
    rank,
    // 25 dollars of quarterly revenue per share turn the earnings per share in the news into plausible margins.
    sharesOutstanding: Math.round((revenueOf(asset) * 1e9) / 25 / 1000) * 1000,
    cusip: cusipOf(rank),
    securityTitle: rank % 5 === 1 ? 'Class A Common Stock' : 'Common Stock',
  }))

export const companyByKey: ReadonlyMap<string, Company> = new Map(
  companies.map((company) => [company.assetKey, company]),
)

/** Unassigned CIKs: real ones are far below nine million. */
export const inventedCik = {
  insider: (number: number) => cik(9_100_000 + number),
  manager: (number: number) => cik(9_200_000 + number),
  privateCompany: (number: number) => cik(9_300_000 + number),
  holder: (number: number) => cik(9_400_000 + number),
}

function cik(number: number): string {
  return String(number).padStart(10, '0')
}

/** Returns a CUSIP of no real security: issuer numbers from 990000 are reserved for private use. */
function cusipOf(rank: number): string {
  const base = `99${String(rank + 1).padStart(4, '0')}10`
  let sum = 0
  for (let i = 0; i < base.length; i++) {
    const value = Number(base.charAt(i)) * (i % 2 === 0 ? 1 : 2)
    sum += Math.floor(value / 10) + (value % 10)
  }
  return `${base}${(10 - (sum % 10)) % 10}`
}
