import type { FinancialFiling, FinancialFilingDetail } from '../../../model/sec/financial-filings.ts'
import type { NewRecord } from '../../../model/sec/record.ts'

type Fact = keyof FinancialFiling['facts']
type Tag = readonly [fact: Fact, concept: string, unit: string, of: 'period' | 'end']

/** How each figure is tagged; a figure of the balance sheet is of a day and has no start. */
const tags: readonly Tag[] = [
  ['revenue', 'us-gaap:Revenues', 'USD', 'period'],
  ['grossProfit', 'us-gaap:GrossProfit', 'USD', 'period'],
  ['operatingIncome', 'us-gaap:OperatingIncomeLoss', 'USD', 'period'],
  ['netIncome', 'us-gaap:NetIncomeLoss', 'USD', 'period'],
  ['epsBasic', 'us-gaap:EarningsPerShareBasic', 'USD/shares', 'period'],
  ['epsDiluted', 'us-gaap:EarningsPerShareDiluted', 'USD/shares', 'period'],
  ['totalAssets', 'us-gaap:Assets', 'USD', 'end'],
  ['totalLiabilities', 'us-gaap:Liabilities', 'USD', 'end'],
  ['stockholdersEquity', 'us-gaap:StockholdersEquity', 'USD', 'end'],
  ['cashAndEquivalents', 'us-gaap:CashAndCashEquivalentsAtCarryingValue', 'USD', 'end'],
  ['operatingCashFlow', 'us-gaap:NetCashProvidedByUsedInOperatingActivities', 'USD', 'period'],
  ['capitalExpenditures', 'us-gaap:PaymentsToAcquirePropertyPlantAndEquipment', 'USD', 'period'],
  ['sharesOutstanding', 'dei:EntityCommonStockSharesOutstanding', 'shares', 'end'],
]

/** The figures as they were tagged. Free cash flow is not among them: it is derived and nobody reports it. */
export function detailFacts(record: NewRecord<FinancialFiling>): FinancialFilingDetail['factDetails'] {
  const { facts, periodStart, periodEnd } = record
  if (periodEnd === null) return []
  return tags.flatMap(([fact, concept, unit, of]) => {
    const value = facts[fact]
    if (value === null) return []
    return [{ fact, concept, unit, value, periodStart: of === 'period' ? periodStart : null, periodEnd }]
  })
}
