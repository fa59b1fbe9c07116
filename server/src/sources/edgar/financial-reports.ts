import type { FinancialFiling, FinancialFilingDetail } from '../../model/sec/financial-filings.ts'
import { parseCompanyFacts, type ReportedFact } from './company-facts.ts'

type Facts = FinancialFiling['facts']
type FactName = keyof Facts

/** The figures of one report, as far as its XBRL has them. */
export interface FinancialReport
  extends Pick<
    FinancialFiling,
    'accessionNumber' | 'fiscalYear' | 'fiscalPeriod' | 'periodStart' | 'periodEnd' | 'currency' | 'facts'
  > {
  factDetails: FinancialFilingDetail['factDetails']
}

/** Concepts of each figure, the preferred one first. */
const CONCEPTS: Record<Exclude<FactName, 'freeCashFlow'>, readonly string[]> = {
  revenue: [
    'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax',
    'us-gaap:Revenues',
    'us-gaap:SalesRevenueNet',
    'us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax',
    'ifrs-full:Revenue',
  ],
  grossProfit: ['us-gaap:GrossProfit', 'ifrs-full:GrossProfit'],
  operatingIncome: ['us-gaap:OperatingIncomeLoss', 'ifrs-full:ProfitLossFromOperatingActivities'],
  netIncome: ['us-gaap:NetIncomeLoss', 'us-gaap:ProfitLoss', 'ifrs-full:ProfitLoss'],
  epsBasic: ['us-gaap:EarningsPerShareBasic', 'ifrs-full:BasicEarningsLossPerShare'],
  epsDiluted: ['us-gaap:EarningsPerShareDiluted', 'ifrs-full:DilutedEarningsLossPerShare'],
  totalAssets: ['us-gaap:Assets', 'ifrs-full:Assets'],
  totalLiabilities: ['us-gaap:Liabilities', 'ifrs-full:Liabilities'],
  stockholdersEquity: [
    'us-gaap:StockholdersEquity',
    'us-gaap:StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
    'ifrs-full:Equity',
  ],
  cashAndEquivalents: [
    'us-gaap:CashAndCashEquivalentsAtCarryingValue',
    'us-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents',
    'ifrs-full:CashAndCashEquivalents',
  ],
  operatingCashFlow: [
    'us-gaap:NetCashProvidedByUsedInOperatingActivities',
    'ifrs-full:CashFlowsFromUsedInOperatingActivities',
  ],
  capitalExpenditures: [
    'us-gaap:PaymentsToAcquirePropertyPlantAndEquipment',
    'ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities',
  ],
  sharesOutstanding: ['dei:EntityCommonStockSharesOutstanding', 'us-gaap:CommonStockSharesOutstanding'],
}

const FIGURE_OF = new Map(
  Object.entries(CONCEPTS).flatMap(([fact, concepts]) =>
    concepts.map((concept, rank) => [concept, { fact: fact as FactName, rank }] as const),
  ),
)

/** Cash flows of a quarterly report cover the year to date only. */
const YEAR_TO_DATE: ReadonlySet<FactName> = new Set(['operatingCashFlow', 'capitalExpenditures'])

/** Returns the figures of each report that companyfacts has facts of. */
export function parseFinancialReports(bytes: Uint8Array): FinancialReport[] {
  const reports = new Map<string, ReportedFact[]>()
  for (const fact of parseCompanyFacts(bytes)) {
    if (!FIGURE_OF.has(fact.concept)) continue
    const known = reports.get(fact.accessionNumber)
    if (known === undefined) reports.set(fact.accessionNumber, [fact])
    else known.push(fact)
  }
  return [...reports].map(([accessionNumber, facts]) => toReport(accessionNumber, facts))
}

function toReport(accessionNumber: string, all: readonly ReportedFact[]): FinancialReport {
  const flows = all.filter(({ periodStart }) => periodStart !== null)
  const periodEnd = latest(flows) ?? latest(all.filter(({ concept }) => !concept.startsWith('dei:')))
  const isYear = all.some(({ filingFiscalPeriod }) => filingFiscalPeriod === 'FY')
  const length = isYear ? 'year' : 'quarter'
  const best = new Map<FactName, ReportedFact>()
  for (const fact of all) {
    const { fact: name, rank } = FIGURE_OF.get(fact.concept) ?? {}
    if (name === undefined || rank === undefined || !isOfPeriod(fact, name, periodEnd, length)) continue
    const before = best.get(name)
    const beforeRank = before === undefined ? Number.POSITIVE_INFINITY : (FIGURE_OF.get(before.concept)?.rank ?? 0)
    // Of the same concept the longest period counts: it is the year to date.
    if (rank < beforeRank || (rank === beforeRank && (fact.periodStart ?? '') < (before?.periodStart ?? ''))) {
      best.set(name, fact)
    }
  }
  const value = (name: FactName) => best.get(name)?.value ?? null
  const names = Object.keys(CONCEPTS) as (keyof typeof CONCEPTS)[]
  const cash = value('operatingCashFlow')
  const spent = value('capitalExpenditures')
  const [first] = all
  const money = [...best.values()].find(({ unit }) => /^[A-Z]{3}$/.test(unit))
  return {
    accessionNumber,
    fiscalYear: first?.filingFiscalYear ?? null,
    fiscalPeriod: PERIODS.find((period) => period === first?.filingFiscalPeriod) ?? null,
    periodStart: flows.find((fact) => fact.periodEnd === periodEnd && fact.periodType === length)?.periodStart ?? null,
    periodEnd,
    currency: money?.unit ?? null,
    facts: {
      ...(Object.fromEntries(names.map((name) => [name, value(name)])) as Omit<Facts, 'freeCashFlow'>),
      freeCashFlow: cash === null || spent === null ? null : cash - spent,
    },
    factDetails: [...best].map(([fact, { concept, unit, value: amount, periodStart, periodEnd: end }]) => ({
      fact,
      concept,
      unit,
      value: amount,
      periodStart,
      periodEnd: end,
    })),
  }
}

const PERIODS = ['FY', 'Q1', 'Q2', 'Q3', 'Q4'] as const

function latest(facts: readonly ReportedFact[]): string | null {
  return facts.reduce<string | null>(
    (last, { periodEnd }) => (last === null || periodEnd > last ? periodEnd : last),
    null,
  )
}

/** The cover states the shares as of a later day. */
function isOfPeriod(fact: ReportedFact, name: FactName, periodEnd: string | null, length: 'year' | 'quarter'): boolean {
  if (fact.concept.startsWith('dei:')) return true
  if (fact.periodEnd !== periodEnd) return false
  if (fact.periodType === 'instant') return true
  return fact.periodType === length || (length === 'quarter' && YEAR_TO_DATE.has(name) && fact.isYearToDate)
}
