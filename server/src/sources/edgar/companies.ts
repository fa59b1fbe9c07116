import type { AssetChange, NewAsset } from '../../model/assets.ts'
import type { Company } from './submissions.ts'
import type { ListedTicker } from './tickers.ts'

/** What EDGAR says about a ticker and its company. */
export interface ListedCompany {
  cik: string
  ticker: string
  name: string
  exchange: string | null
  formerNames: string[]
  countryCode: string | null
  lei: string | null
}

export const companiesOfTickers = (tickers: readonly ListedTicker[]): ListedCompany[] =>
  tickers.flatMap(({ cik, ticker, companyName, exchange }) =>
    companyName === null
      ? []
      : [{ cik, ticker, name: companyName, exchange, formerNames: [], countryCode: null, lei: null }],
  )

export const companiesOfSubmissions = (company: Company): ListedCompany[] =>
  company.tickers.map((ticker, index) => ({
    cik: company.cik,
    ticker,
    name: company.name,
    exchange: company.exchanges[index] ?? null,
    formerNames: company.formerNames.map(({ name }) => name),
    countryCode: company.countryCode,
    lei: company.lei,
  }))

/** With fewer tickers than this share of the known ones, the list is taken for incomplete, and nothing for delisted. */
const LEAST_SHARE = 0.8

/**
 * Returns the changes that make assets of companies, one asset per ticker. What is known stays: names, aliases and other
 * fields that someone may have written by hand are completed, not replaced.
 */
export function companyAssets(
  companies: readonly ListedCompany[],
  known: readonly NewAsset[],
  { isComplete }: { isComplete: boolean },
): AssetChange[] {
  const byKey = new Map(known.map((asset) => [asset.key, asset]))
  const ofCompany = Map.groupBy(
    known.filter(({ cik }) => cik !== null),
    ({ cik }) => cik,
  )
  const listed = Map.groupBy(companies, ({ cik }) => cik)
  const changes = new Map<string, AssetChange>()
  for (const [cik, tickers] of listed) {
    const own = ofCompany.get(cik) ?? []
    const symbols = new Set(tickers.map(({ ticker }) => ticker))
    const left = own.filter(({ symbol }) => !symbols.has(symbol))
    for (const company of tickers) {
      // A ticker that replaces one of the company's is the same asset under another symbol.
      const asset =
        own.find(({ symbol }) => symbol === company.ticker) ??
        (isComplete ? left.shift() : undefined) ??
        sameAsset(byKey.get(company.ticker))
      const change = asset === undefined ? newAsset(company, byKey, changes) : completed(asset, company)
      if (change !== null) changes.set(change.key, change)
    }
  }
  if (isComplete) for (const change of delistings(known, listed, changes)) changes.set(change.key, change)
  return [...changes.values()]
}

/** An asset without a CIK that has the ticker as its key is the company's if it is a security. */
const sameAsset = (asset: NewAsset | undefined): NewAsset | undefined =>
  asset !== undefined && asset.cik === null && (asset.type === 'equity' || asset.type === 'etf') ? asset : undefined

function newAsset(
  company: ListedCompany,
  byKey: ReadonlyMap<string, NewAsset>,
  changes: ReadonlyMap<string, AssetChange>,
): AssetChange | null {
  const { ticker, name, exchange, cik, countryCode, lei, formerNames } = company
  // Another asset, such as a currency or a company that used the ticker before, may have the key.
  const key = [ticker, `${ticker}.US`, `${ticker}.${Number(cik)}`].find((one) => !byKey.has(one) && !changes.has(one))
  if (key === undefined) return null
  return {
    key,
    symbol: ticker,
    name,
    type: /\bETFs?\b/i.test(name) ? 'etf' : 'equity',
    exchange: exchange?.toUpperCase() ?? null,
    countryCode,
    currency: 'USD',
    cik,
    lei,
    aliases: [...new Set(formerNames)],
  }
}

/** Returns null if the asset has everything already. */
function completed(asset: NewAsset, company: ListedCompany): AssetChange | null {
  const { ticker, name, cik, exchange, countryCode, lei, formerNames } = company
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const isRenamed = formerNames.some((former) => isSame(former, asset.name)) && !isSame(asset.name, name)
  const names = isRenamed ? [...formerNames, asset.name] : formerNames
  const missing = names.filter((one) => ![...asset.aliases, name].some((alias) => isSame(alias, one)))
  const change: AssetChange = {
    key: asset.key,
    ...(asset.symbol !== ticker && {
      symbol: ticker,
      formerSymbols: [...asset.formerSymbols, { symbol: asset.symbol, from: null, to: null }],
    }),
    ...(isRenamed && { name }),
    ...(asset.status !== 'active' && { status: 'active' }),
    ...(asset.cik === null && { cik }),
    ...(asset.exchange === null && exchange !== null && { exchange: exchange.toUpperCase() }),
    ...(asset.countryCode === null && countryCode !== null && { countryCode }),
    ...(asset.lei === null && lei !== null && { lei }),
    ...(missing.length > 0 && { aliases: [...new Set([...asset.aliases, ...missing])] }),
  }
  return Object.keys(change).length > 1 ? change : null
}

function delistings(
  known: readonly NewAsset[],
  listed: ReadonlyMap<string, readonly ListedCompany[]>,
  changes: ReadonlyMap<string, AssetChange>,
): AssetChange[] {
  const active = known.filter(({ cik, status, type }) => cik !== null && status === 'active' && type !== 'index')
  const gone = active.filter(({ key, cik, symbol }) => {
    const isListed = listed.get(cik ?? '')?.some(({ ticker }) => ticker === symbol)
    return !isListed && changes.get(key)?.symbol === undefined
  })
  return gone.length > active.length * (1 - LEAST_SHARE) ? [] : gone.map(({ key }) => ({ key, status: 'delisted' }))
}
