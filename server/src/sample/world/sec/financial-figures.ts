import type { FinancialFiling } from '../../../model/sec/financial-filings.ts'
import type { Occurrence } from '../occurrence.ts'
import { revenueOf } from '../popularity.ts'
import { createRandom } from '../random.ts'
import type { Company } from './companies.ts'

type Facts = FinancialFiling['facts']
/** All figures are known, except that banks and insurers have no gross profit. */
export type Figures = { [Fact in Exclude<keyof Facts, 'grossProfit'>]: number } & Pick<Facts, 'grossProfit'>

const MILLION = 1e6
const DILUTION = 1.015
const withoutGrossProfit = new Set(['Banks', 'Insurance', 'Brokers and exchanges', 'Asset management'])

/**
 * Returns the figures of one quarter: the same for the same company and quarter, near those of the previous quarter,
 * and equal to those in the news. Flows cover the three months, the balance sheet is of their end.
 */
export function quarterFigures(company: Company, quarter: number, occurrence: Occurrence | null): Figures {
  const own = createRandom(`figures:${company.assetKey}`)
  const growth = own.between(-0.005, 0.02)
  const usualEps = own.between(0.9, 4)
  const grossMargin = own.between(0.44, 0.7)
  const equityToRevenue = own.between(2, 5)
  const leverage = own.between(0.5, 2.2)
  const cashShare = own.between(0.08, 0.25)

  const random = createRandom(`figures:${company.assetKey}:${quarter}`)
  const age = quarter - 2026 * 4
  const base = revenueOf(company.asset) * 1e9
  const revenue = millions(reportedRevenue(occurrence) ?? base * (1 + growth) ** age * random.between(0.95, 1.05))
  const eps = reportedEps(occurrence) ?? usualEps * random.between(0.9, 1.1)
  const shares = company.sharesOutstanding - Math.round((age * company.sharesOutstanding) / 4e5) * 1000
  const netIncome = millions(eps * shares * DILUTION)
  const operatingIncome = millions(netIncome * random.between(1.18, 1.28))
  const grossProfit = millions(Math.max(revenue * grossMargin, operatingIncome * 1.1))
  const stockholdersEquity = millions(base * equityToRevenue * (1 + growth) ** age)
  const totalLiabilities = millions(stockholdersEquity * leverage * random.between(0.97, 1.03))
  const totalAssets = stockholdersEquity + totalLiabilities
  const operatingCashFlow = millions(netIncome * random.between(1.05, 1.5))
  const capitalExpenditures = millions(revenue * random.between(0.02, 0.07))
  return {
    revenue,
    grossProfit: withoutGrossProfit.has(company.asset.industry ?? '') ? null : Math.min(grossProfit, revenue),
    operatingIncome,
    netIncome,
    epsBasic: cents(netIncome / shares),
    epsDiluted: cents(netIncome / (shares * DILUTION)),
    totalAssets,
    totalLiabilities,
    stockholdersEquity,
    cashAndEquivalents: millions(totalAssets * cashShare),
    operatingCashFlow,
    capitalExpenditures,
    freeCashFlow: operatingCashFlow - capitalExpenditures,
    sharesOutstanding: shares,
  }
}

/** Returns the figures of a year: flows are summed, the balance sheet is that of the last quarter. */
export function yearFigures(quarters: readonly Figures[], last: Figures): Figures {
  const sum = (fact: keyof Facts) => quarters.reduce((total, figures) => total + (figures[fact] ?? 0), 0)
  const netIncome = sum('netIncome')
  return {
    ...last,
    revenue: sum('revenue'),
    grossProfit: last.grossProfit === null ? null : sum('grossProfit'),
    operatingIncome: sum('operatingIncome'),
    netIncome,
    epsBasic: cents(netIncome / last.sharesOutstanding),
    epsDiluted: cents(netIncome / (last.sharesOutstanding * DILUTION)),
    operatingCashFlow: sum('operatingCashFlow'),
    capitalExpenditures: sum('capitalExpenditures'),
    freeCashFlow: sum('freeCashFlow'),
  }
}

/** A beat reports the higher of the occurrence's two numbers, a miss the lower (../events/companies.ts). */
function reportedRevenue(occurrence: Occurrence | null): number | undefined {
  if (occurrence === null) return undefined
  return (occurrence.event.kind === 'earnings-miss' ? occurrence.revenueLow : occurrence.revenueHigh) * 1e9
}

function reportedEps(occurrence: Occurrence | null): number | undefined {
  if (occurrence === null) return undefined
  return occurrence.event.kind === 'earnings-miss' ? occurrence.epsLow : occurrence.epsHigh
}

function millions(value: number): number {
  return Math.round(value / MILLION) * MILLION
}

function cents(value: number): number {
  return Math.round(value * 100) / 100
}
