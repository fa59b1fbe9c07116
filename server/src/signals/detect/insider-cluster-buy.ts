import { DAY } from '../../model/time.ts'
import type { Finding } from './finding.ts'
import { evidenceOf, type InsiderTrades, worthOf } from './insider-trades.ts'
import type { AssetMoment } from './news.ts'
import { countOf, dollarsOf, saturate } from './numbers.ts'
import type { Thresholds } from './thresholds.ts'

/** Detects purchases by several officers or directors of a company on the open market within days. */
export function insiderClusterBuy(
  trades: InsiderTrades,
  { assetKey, name, at }: AssetMoment,
  limits: Thresholds['insider_cluster_buy'],
): Finding | undefined {
  const bought = trades
    .list(assetKey, 'purchase', at - limits.windowDays * DAY)
    .filter(({ isOfficerOrDirector }) => isOfficerOrDirector)
  // Owners who file together report the same purchase and count as one.
  const owners = new Map(bought.map(({ accessionNumber, ownerCik }) => [accessionNumber, ownerCik]))
  const insiders = new Set(owners.values()).size
  const value = worthOf(bought)
  if (insiders < limits.leastInsiders || value < limits.leastValue) return undefined
  return {
    kind: 'insider_cluster_buy',
    direction: 'bullish',
    assetKey,
    strength: (saturate(insiders, limits.leastInsiders) + saturate(value, limits.halfValue)) / 2,
    confidence: saturate(insiders, limits.halfInsiders),
    title: `${insiders} insiders of ${name} buy shares`,
    summary:
      `${name}: ${insiders} officers and directors bought shares for ${dollarsOf(value)} on the open market ` +
      `within ${countOf(limits.windowDays, 'day')}.`,
    metrics: { value, baseline: null, zScore: null, window: `${limits.windowDays}d` },
    secRecords: evidenceOf(bought),
  }
}
