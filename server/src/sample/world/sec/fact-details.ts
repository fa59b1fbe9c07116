import type { FinancialFiling, FinancialFilingDetail } from '../../../model/sec/financial-filings.ts'
import type { NewRecord } from '../../../model/sec/record.ts'

type Fact = keyof FinancialFiling['facts']
type Tag = readonly [fact: Fact, concept: string, unit: string, of: 'period' | 'end']

/** XBRL tags of the figures. A balance sheet figure is of one day and has no period start. */
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

/** Returns the figures with their XBRL tags, without free cash flow, which is derived and not reported. */
export function detailFacts(record: NewRecord<FinancialFiling>): FinancialFilingDetail['factDetails'] {
  const { facts, periodStart, periodEnd } = record
  if (periodEnd === null) return []
  return tags.flatMap(([fact, concept, unit, of]) => {
    const value = facts[fact]
    if (value === null) return []
    return [{ fact, concept, unit, value, periodStart: of === 'period' ? periodStart : null, periodEnd }]
  })
}
