import type { NewAsset } from '../../../model/assets.ts'
import { assetsByPopularity, getAsset } from '../popularity.ts'
import { basePrice, unitsPerDollar } from './base-prices.ts'
import { type TradingHours, tradingHoursOf } from './trading-hours.ts'

/** Parameters of an asset's random price walk. */
export interface PriceModel {
  key: string
  hours: TradingHours
  /** The price that the walk reverts to. */
  base: number
  decimals: number
  /** Standard deviation of a day's return. */
  volatility: number
  /** Mean reversion: the share of the distance from the base that a day removes. */
  reversion: number
  /** The common factor it moves with, and how closely (0 to 1). */
  factor: Factor
  beta: number
  /** Null for an index, which is calculated and not traded. */
  volume: Volume | null
}

export type Factor = 'stocks' | 'coins' | 'other'

interface Volume {
  /** Units and trades on an average day. */
  units: number
  trades: number
  decimals: number
  quoteDecimals: number
}

const known = new Map<string, PriceModel>()

export function priceModelOf(key: string): PriceModel {
  const found = known.get(key)
  if (found !== undefined) return found
  const model = createPriceModel(getAsset(key))
  known.set(key, model)
  return model
}

export function roundPrice(model: PriceModel, price: number): number {
  return roundTo(price, model.decimals)
}

export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}

type Kind = Pick<PriceModel, 'volatility' | 'reversion' | 'factor' | 'beta'> & {
  /** Dollars that the best known asset of the type trades on an average day; 0 if it is not traded. */
  turnover: number
  trades: number
}

const kinds: Record<NewAsset['type'], Kind> = {
  equity: { volatility: 0.017, reversion: 0.006, factor: 'stocks', beta: 0.5, turnover: 9e9, trades: 600_000 },
  etf: { volatility: 0.011, reversion: 0.006, factor: 'stocks', beta: 0.75, turnover: 2e10, trades: 400_000 },
  index: { volatility: 0.009, reversion: 0.006, factor: 'stocks', beta: 0.85, turnover: 0, trades: 0 },
  crypto: { volatility: 0.028, reversion: 0.008, factor: 'coins', beta: 0.65, turnover: 2.5e10, trades: 1_500_000 },
  currency: { volatility: 0.0045, reversion: 0.008, factor: 'other', beta: 0.2, turnover: 3e10, trades: 150_000 },
  commodity: { volatility: 0.014, reversion: 0.008, factor: 'other', beta: 0.3, turnover: 1e10, trades: 120_000 },
  other: { volatility: 0.01, reversion: 0.006, factor: 'other', beta: 0, turnover: 1e8, trades: 1000 },
}

/** Volatility reverts fast; a stablecoin returns to its peg. */
const exceptions: Record<string, Partial<Kind>> = {
  VIX: { volatility: 0.06, reversion: 0.08, beta: 0 },
  USDT: { volatility: 0.0004, reversion: 0.5, beta: 0 },
  USDC: { volatility: 0.0004, reversion: 0.5, beta: 0 },
}

function createPriceModel(asset: NewAsset): PriceModel {
  const kind = { ...kinds[asset.type], ...exceptions[asset.key] }
  const { volatility, reversion, factor, beta } = kind
  const base = basePrice(asset)
  const model = { key: asset.key, hours: tradingHoursOf(asset), base, volatility, reversion, factor, beta }
  return { ...model, decimals: decimalsOf(asset, base), volume: volumeOf(asset, base, kind) }
}

function decimalsOf(asset: NewAsset, base: number): number {
  const magnitude = Math.floor(Math.log10(base))
  switch (asset.type) {
    case 'crypto':
      return clamp(5 - magnitude, 2, 10)
    case 'currency':
      return base < 10 ? 5 : 4
    case 'commodity':
      return clamp(3 - magnitude, 2, 4)
    default:
      return 2
  }
}

function volumeOf(asset: NewAsset, base: number, kind: Kind): Volume | null {
  if (kind.turnover === 0) return null
  const rank = Math.max(assetsByPopularity(asset.type).indexOf(asset), 0) + 1
  const share = rank ** -0.7
  // A pair counts in units of its first currency, each worth roughly a dollar.
  const units = asset.type === 'currency' ? 1 : base / unitsPerDollar(asset.currency)
  return {
    units: (kind.turnover * share) / units,
    trades: kind.trades * share,
    decimals: asset.type === 'crypto' ? clamp(Math.ceil(Math.log10(base)) + 1, 0, 6) : 0,
    // Sums of a year stay integers that a double holds exactly.
    quoteDecimals: unitsPerDollar(asset.currency) > 100 ? 0 : 2,
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
