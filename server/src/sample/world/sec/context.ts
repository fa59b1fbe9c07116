import type { NewAsset } from '../../../model/assets.ts'
import type { SampleReport } from '../entries.ts'
import { assetsByPopularity, revenueOf } from '../popularity.ts'
import { createRandom } from '../random.ts'

/** What the filings of the sample world are made from: filings follow news and prices. */
export interface SecContext {
  /** Epoch milliseconds; filings are from the year before it. */
  now: number
  reports: readonly SampleReport[]
  /** Undefined for an asset or a time that has no price. */
  priceAt(assetKey: string, time: number): number | undefined
  seed: string | number
}

/** Whom a filing is about, in the words of the records. */
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
  /** Best known first, from 0. */
  rank: number
  sharesOutstanding: number
  cusip: string
  securityTitle: string
}

/** The sample equities that file with the SEC. */
export const companies: readonly Company[] = assetsByPopularity('equity')
  .flatMap((asset) => (asset.cik === null ? [] : [{ asset, cik: asset.cik }]))
  .map(({ asset, cik }, rank) => ({
    cik,
    companyName: asset.name,
    ticker: asset.symbol,
    assetKey: asset.key,
    asset,
    rank,
    // With 25 dollars of revenue a share and quarter, the earnings per share of the news make plausible margins.
    sharesOutstanding: Math.round((revenueOf(asset) * 1e9) / 25 / 1000) * 1000,
    cusip: cusipOf(rank),
    securityTitle: rank % 5 === 1 ? 'Class A Common Stock' : 'Common Stock',
  }))

export const companyByKey: ReadonlyMap<string, Company> = new Map(
  companies.map((company) => [company.assetKey, company]),
)

/** What a share cost; where no price is known, an invented one that never moves. */
export function priceOf(context: SecContext, company: Company, at: number): number {
  const { assetKey } = company
  return (
    context.priceAt(assetKey, at) ??
    context.priceAt(assetKey, context.now) ??
    Math.round(createRandom(`price:${assetKey}`).between(20, 400) * 100) / 100
  )
}

/** CIKs that nobody has: real ones are far below nine million. */
export const inventedCik = {
  insider: (number: number) => cik(9_100_000 + number),
  manager: (number: number) => cik(9_200_000 + number),
  privateCompany: (number: number) => cik(9_300_000 + number),
  holder: (number: number) => cik(9_400_000 + number),
}

function cik(number: number): string {
  return String(number).padStart(10, '0')
}

/** Issuer numbers from 990000 are kept free for private use, so these belong to no security. */
function cusipOf(rank: number): string {
  const base = `99${String(rank + 1).padStart(4, '0')}10`
  let sum = 0
  for (let i = 0; i < base.length; i++) {
    const value = Number(base.charAt(i)) * (i % 2 === 0 ? 1 : 2)
    sum += Math.floor(value / 10) + (value % 10)
  }
  return `${base}${(10 - (sum % 10)) % 10}`
}
