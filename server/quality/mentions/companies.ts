import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogueAsset } from '../../src/enrich/mentions/asset.ts'
import type { NewAsset } from '../../src/model/assets.ts'
import { companiesOfTickers, companyAssets } from '../../src/sources/edgar/companies.ts'
import { parseTickers } from '../../src/sources/edgar/tickers.ts'

/** A recording of EDGAR's list of companies, which is not part of the project. */
const TICKERS = join(import.meta.dirname, '../../../../shared/data/sec/edgartools/data/company_tickers.json')

const UNKNOWN = { status: 'active', exchange: null, countryCode: null, sector: null, industry: null } as const

/** Returns assets together with all companies listed at EDGAR; undefined without the recording. */
export function readCompanies(assets: readonly NewAsset[]): CatalogueAsset[] | undefined {
  if (!existsSync(TICKERS)) return undefined
  const companies = companiesOfTickers(parseTickers(readFileSync(TICKERS)).tickers)
  const all = new Map(assets.map((asset): [string, CatalogueAsset] => [asset.key, asset]))
  for (const change of companyAssets(companies, assets, { isComplete: true })) {
    const { symbol = change.key, name = change.key, type = 'equity' } = change
    const fresh = { ...UNKNOWN, aliases: [], formerSymbols: [], symbol, name, type }
    all.set(change.key, { ...fresh, ...all.get(change.key), ...change })
  }
  return [...all.values()]
}
