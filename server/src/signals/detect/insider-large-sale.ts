import { DAY } from '../../model/time.ts'
import type { Finding } from './finding.ts'
import { evidenceOf, type InsiderTrades, TRADES_MS, type Trade, worthOf } from './insider-trades.ts'
import type { AssetMoment } from './news.ts'
import { dollarsOf, percentOf, robustZ, round, saturate } from './numbers.ts'
import type { Thresholds } from './thresholds.ts'

/** Detects a sale that is large in dollars, as a share of the holding and compared with other sales of the company. */
export function insiderLargeSale(
  trades: InsiderTrades,
  { assetKey, name, at }: AssetMoment,
  { ownerCik, ownerName, role }: Trade,
  limits: Thresholds['insider_large_sale'],
): Finding | undefined {
  const from = at - limits.windowDays * DAY
  const all = trades.list(assetKey, 'sale', at - TRADES_MS)
  const sold = all.filter((trade) => trade.ownerCik === ownerCik && trade.filedAt > from)
  const value = worthOf(sold)
  const share = shareSold(sold)
  if (value < limits.leastValue || share === undefined || share < limits.leastShare) return undefined
  const usual = salesOf(all.filter((trade) => !sold.includes(trade)))
  const compared = usual.length < limits.leastSales ? undefined : compare(value, usual)
  if (compared !== undefined && compared.z < limits.leastZ) return undefined
  const isPlanned = sold.every((trade) => trade.isPlanned)
  return {
    kind: 'insider_large_sale',
    direction: 'bearish',
    assetKey,
    strength: (saturate(value, limits.halfValue) + saturate(share, limits.halfShare)) / 2,
    // A sale under a trading plan was decided long ago and is weaker evidence.
    confidence: (isPlanned ? limits.plannedConfidence : limits.confidence) + (compared ? limits.comparedConfidence : 0),
    title: `${holderOf(role)} of ${name} sells shares for ${dollarsOf(value)}`,
    summary:
      `${name}: ${ownerName} (${role}) sold ${percentOf(share)} of a holding for ${dollarsOf(value)} on the open market` +
      `${isPlanned ? ', under a trading plan' : ''}` +
      `${compared === undefined ? '' : `; usual are sales of ${dollarsOf(compared.usual)}`}.`,
    metrics: {
      value,
      baseline: compared === undefined ? null : Math.round(compared.usual),
      zScore: compared === undefined ? null : round(compared.z, 2),
      window: `${limits.windowDays}d`,
    },
    secRecords: evidenceOf(sold),
  }
}

const MAX_ROLE_LENGTH = 32

/** Returns the role, or "Insider" if the role is too long for a title or is a reference such as "See Remarks". */
function holderOf(role: string): string {
  if (role.length > MAX_ROLE_LENGTH || /^see\b/i.test(role)) return 'Insider'
  return role.charAt(0).toUpperCase() + role.slice(1)
}

/** Returns the share of the holdings that was sold, or undefined if no record states the remaining shares. */
function shareSold(sold: readonly Trade[]): number | undefined {
  const left = new Map<string, number>()
  for (const { held, sharesOwnedAfter } of sold) if (sharesOwnedAfter !== null) left.set(held, sharesOwnedAfter)
  if (left.size === 0) return undefined
  const shares = sold.reduce((sum, trade) => sum + trade.shares, 0)
  return shares / (shares + [...left.values()].reduce((sum, each) => sum + each, 0))
}

/** Returns the value of the sales in each filing. */
function salesOf(trades: readonly Trade[]): number[] {
  const filings = Map.groupBy(trades, ({ accessionNumber }) => accessionNumber)
  return [...filings.values()].map(worthOf).filter((value) => value > 0)
}

/** Least deviation: sales that differ by a factor of two are alike. */
const LEAST_LOG_DEVIATION = Math.log10(2)

function compare(value: number, usual: readonly number[]): { usual: number; z: number } {
  const { median, z } = robustZ(Math.log10(value), usual.map(Math.log10), LEAST_LOG_DEVIATION)
  return { usual: 10 ** median, z }
}
