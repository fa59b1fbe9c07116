import { DAY } from '../../model/time.ts'
import { dollarsOf, percentOf, robustZ, round, saturate } from './figures.ts'
import type { Finding } from './finding.ts'
import { evidenceOf, type InsiderTrades, TRADES_MS, type Trade, worthOf } from './insider-trades.ts'
import type { AssetMoment } from './news.ts'
import type { Thresholds } from './thresholds.ts'

/** An insider sold much: in dollars, of what they had, and more than insiders of this company usually do. */
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
    // A sale under a plan was decided long ago and says less.
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

const LONGEST_ROLE = 32

/** The role, unless it is too long for a title or only points elsewhere, as "See Remarks" does. */
function holderOf(role: string): string {
  if (role.length > LONGEST_ROLE || /^see\b/i.test(role)) return 'Insider'
  return role.charAt(0).toUpperCase() + role.slice(1)
}

/** Of what was held before, in all ways of holding from which shares were sold; undefined when no line says what is left. */
function shareSold(sold: readonly Trade[]): number | undefined {
  const left = new Map<string, number>()
  for (const { held, sharesOwnedAfter } of sold) if (sharesOwnedAfter !== null) left.set(held, sharesOwnedAfter)
  if (left.size === 0) return undefined
  const shares = sold.reduce((sum, trade) => sum + trade.shares, 0)
  return shares / (shares + [...left.values()].reduce((sum, each) => sum + each, 0))
}

/** What each filing sold. */
function salesOf(trades: readonly Trade[]): number[] {
  const filings = Map.groupBy(trades, ({ accessionNumber }) => accessionNumber)
  return [...filings.values()].map(worthOf).filter((value) => value > 0)
}

/** A factor of two either way is no difference. */
const LEAST_LOG_DEVIATION = Math.log10(2)

function compare(value: number, usual: readonly number[]): { usual: number; z: number } {
  const { median, z } = robustZ(Math.log10(value), usual.map(Math.log10), LEAST_LOG_DEVIATION)
  return { usual: 10 ** median, z }
}
