import Type, { type Static } from 'typebox'
import { day, nullable } from '../schema.ts'
import { closingFields, FilingDocument, items, recordFields } from './record.ts'

export const FISCAL_PERIODS = ['FY', 'Q1', 'Q2', 'Q3', 'Q4'] as const

const figure = () => nullable(Type.Number())

/** A 10-K, 10-Q, 20-F or 8-K with its figures. */
export const FinancialFiling = Type.Object({
  ...recordFields,
  items: items(),
  fiscalYear: nullable(Type.Integer()),
  fiscalPeriod: nullable(Type.Enum(FISCAL_PERIODS)),
  periodStart: nullable(day()),
  periodEnd: nullable(day()),
  currency: nullable(Type.String()),
  isXbrl: Type.Boolean(),
  facts: Type.Object({
    revenue: figure(),
    grossProfit: figure(),
    operatingIncome: figure(),
    netIncome: figure(),
    epsBasic: figure(),
    epsDiluted: figure(),
    totalAssets: figure(),
    totalLiabilities: figure(),
    stockholdersEquity: figure(),
    cashAndEquivalents: figure(),
    operatingCashFlow: figure(),
    capitalExpenditures: figure(),
    freeCashFlow: figure(),
    sharesOutstanding: figure(),
  }),
  ...closingFields,
})
export type FinancialFiling = Static<typeof FinancialFiling>

/** Additional fields of a filing requested by id. */
export const FinancialFilingDetail = Type.Object({
  factDetails: Type.Array(
    Type.Object({
      fact: Type.String(),
      concept: Type.String({ description: 'XBRL tag, such as us-gaap:Revenues' }),
      unit: Type.String(),
      value: Type.Number(),
      periodStart: nullable(day()),
      periodEnd: day(),
    }),
  ),
  documents: Type.Array(FilingDocument),
})
export type FinancialFilingDetail = Static<typeof FinancialFilingDetail>
