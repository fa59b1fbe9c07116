import type { FinancialFiling } from '../../../model/sec/financial-filings.ts'
import type { Occurrence } from '../occurrence.ts'
import { revenueOf } from '../popularity.ts'
import { createRandom } from '../random.ts'
import type { Company } from './context.ts'

type Facts = FinancialFiling['facts']
/** Figures that are always known; banks and insurers have no gross profit. */
export type Figures = { [Fact in Exclude<keyof Facts, 'grossProfit'>]: number } & Pick<Facts, 'grossProfit'>

const MILLION = 1e6
const DILUTION = 1.015
const withoutGrossProfit = new Set(['Banks', 'Insurance', 'Brokers and exchanges', 'Asset management'])

/**
 * The figures of one quarter: always the same for the same company and quarter, near those of the quarter before, and
 * those that the news told of it. Flows are of the three months, the balance sheet is of their end.
 */
export function quarterFigures(company: Company, quarter: number, story: Occurrence | null): Figures {
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
  const revenue = millions(tellsRevenue(story) ?? base * (1 + growth) ** age * random.between(0.95, 1.05))
  const eps = tellsEps(story) ?? usualEps * random.between(0.9, 1.1)
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

/** The year of four quarters: flows add up, the balance sheet is that of the last. */
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

/** A beat reports the higher of the two numbers of the story, a miss the lower (../events/companies.ts). */
function tellsRevenue(story: Occurrence | null): number | undefined {
  if (story === null) return undefined
  return (story.event.kind === 'earnings-miss' ? story.revenueLow : story.revenueHigh) * 1e9
}

function tellsEps(story: Occurrence | null): number | undefined {
  if (story === null) return undefined
  return story.event.kind === 'earnings-miss' ? story.epsLow : story.epsHigh
}

function millions(value: number): number {
  return Math.round(value / MILLION) * MILLION
}

function cents(value: number): number {
  return Math.round(value * 100) / 100
}
