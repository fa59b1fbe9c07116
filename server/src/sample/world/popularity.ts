import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import type { NewAsset } from '../../model/assets.ts'
import { type WeightedTable, zipfTable } from './random.ts'

/** The most reported equities, most reported first; all others follow in catalogue order. */
const equityHead = (
  'AAPL NVDA TSLA MSFT AMZN META GOOGL AMD JPM PLTR NFLX BA LLY COIN 2330.TW WMT SAP.DE 7203.T 0700.HK ASML.AS INTC AVGO ' +
  'DIS XOM MC.PA MSTR GS 9988.HK V BRK.B 6758.T SHEL.L VOW3.DE NESN.SW NOVO-B.CO PFE ORCL 1211.HK PETR4.SA UNH CRM NKE'
).split(' ')

const byKey = new Map(builtInAssets.map((asset) => [asset.key, asset]))

export function getAsset(key: string): NewAsset {
  const asset = byKey.get(key)
  if (asset === undefined) throw new Error(`The built-in catalogue has no asset ${key}`)
  return asset
}

/** These do not move like others of their type; only events of their own are about them. */
const special = new Set(['VIX', 'USDT', 'USDC'])

export function assetsByPopularity(type: NewAsset['type']): NewAsset[] {
  const all = builtInAssets.filter((asset) => asset.type === type && !special.has(asset.key))
  if (type !== 'equity') return all
  const head = equityHead.map(getAsset)
  return [...head, ...all.filter((asset) => !head.includes(asset))]
}

/** Coins are more skewed than shares: the first two get much of the news. */
export const popular: Record<
  'equity' | 'crypto' | 'etf' | 'index' | 'currency' | 'commodity',
  WeightedTable<NewAsset>
> = {
  equity: zipfTable(assetsByPopularity('equity')),
  crypto: zipfTable(assetsByPopularity('crypto'), 1.25),
  etf: zipfTable(assetsByPopularity('etf')),
  index: zipfTable(assetsByPopularity('index')),
  currency: zipfTable(assetsByPopularity('currency')),
  commodity: zipfTable(assetsByPopularity('commodity')),
}

export const popularOfSector: ReadonlyMap<string, WeightedTable<NewAsset>> = new Map(
  [...Map.groupBy(popular.equity.items, (asset) => asset.sector ?? '')].map(([sector, items]) => [
    sector,
    zipfTable(items),
  ]),
)

const revenues = new Map(popular.equity.items.map((asset, rank) => [asset, 80 / Math.sqrt(rank + 1)]))

/** Returns an invented quarterly revenue in billions of dollars, larger for better known companies. */
export function revenueOf(asset: NewAsset): number {
  return revenues.get(asset) ?? 5
}

/** Assets that news about this one may also mention: from its industry, else its sector, else its type. */
export const peersOf: ReadonlyMap<NewAsset, readonly NewAsset[]> = new Map(
  builtInAssets.map((asset) => [asset, listPeers(asset)]),
)

function listPeers(asset: NewAsset): NewAsset[] {
  const others = builtInAssets.filter((other) => other !== asset && other.type === asset.type)
  if (asset.type !== 'equity') return others
  const sameIndustry = others.filter((other) => other.industry === asset.industry)
  if (sameIndustry.length >= 2) return sameIndustry
  const sameSector = others.filter((other) => other.sector === asset.sector)
  return sameSector.length >= 2 ? sameSector : others
}
