import type { FinancialFiling, FinancialFilingDetail } from '../../model/sec/financial-filings.ts'
import { DAY, isoDay } from '../../model/time.ts'
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

/** Quarterly reports have these for the year to date only. */
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
  const flows = [...reports.values()]
    .flat()
    .filter(({ isYearToDate, periodType }) => isYearToDate || periodType === 'quarter')
  const byPeriod = Map.groupBy(flows, periodKey)
  return [...reports].map(([accessionNumber, facts]) => toReport(accessionNumber, facts, byPeriod))
}

type Period = Pick<ReportedFact, 'concept' | 'unit' | 'periodStart' | 'periodEnd'>

const periodKey = ({ concept, unit, periodStart, periodEnd }: Period) =>
  [concept, unit, periodStart, periodEnd].join(' ')

/** Returns the figure of the quarter: the year to date without the quarters before, as they were known at the time. */
function quarterOf(
  fact: ReportedFact,
  quarterStart: string | null,
  byPeriod: ReadonlyMap<string, readonly ReportedFact[]>,
): number | null {
  if (!fact.isYearToDate) return fact.value
  if (quarterStart === null) return null
  const before = { ...fact, periodEnd: isoDay(Date.parse(quarterStart) - DAY) }
  const known = byPeriod.get(periodKey(before))?.filter(({ filingDate }) => filingDate <= fact.filingDate) ?? []
  const last = known.toSorted((one, other) => (one.filingDate < other.filingDate ? -1 : 1)).at(-1)
  return last === undefined ? null : fact.value - last.value
}

function toReport(
  accessionNumber: string,
  all: readonly ReportedFact[],
  byPeriod: ReadonlyMap<string, readonly ReportedFact[]>,
): FinancialReport {
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
    // Of the same concept the quarter itself counts more than the year to date.
    if (rank < beforeRank || (rank === beforeRank && before?.isYearToDate && !fact.isYearToDate)) {
      best.set(name, fact)
    }
  }
  const periodStart =
    flows.find((fact) => fact.periodEnd === periodEnd && fact.periodType === length)?.periodStart ?? null
  const value = (name: FactName) => {
    const fact = best.get(name)
    return fact === undefined ? null : quarterOf(fact, periodStart, byPeriod)
  }
  const names = Object.keys(CONCEPTS) as (keyof typeof CONCEPTS)[]
  const cash = value('operatingCashFlow')
  const spent = value('capitalExpenditures')
  const [first] = all
  const money = [...best.values()].find(({ unit }) => /^[A-Z]{3}$/.test(unit))
  return {
    accessionNumber,
    fiscalYear: first?.filingFiscalYear ?? null,
    fiscalPeriod: PERIODS.find((period) => period === first?.filingFiscalPeriod) ?? null,
    periodStart,
    periodEnd,
    currency: money?.unit ?? null,
    facts: {
      ...(Object.fromEntries(names.map((name) => [name, value(name)])) as Omit<Facts, 'freeCashFlow'>),
      freeCashFlow: cash === null || spent === null ? null : cash - spent,
    },
    factDetails: [...best].map(([fact, { concept, unit, value: amount, periodStart: start, periodEnd: end }]) => ({
      fact,
      concept,
      unit,
      value: amount,
      periodStart: start,
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
