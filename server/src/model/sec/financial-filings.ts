import Type, { type Static } from 'typebox'
import { day, flag, integer, nullable, number, text } from '../schema.ts'
import { closingFields, documents, items, recordFields } from './record.ts'

export const FISCAL_PERIODS = ['FY', 'Q1', 'Q2', 'Q3', 'Q4'] as const

const figure = (description: string) => nullable(number(description))

export const FinancialFiling = Type.Object(
  {
    ...recordFields,
    items: items(),
    fiscalYear: nullable(integer('Fiscal year of the report; null for an 8-K')),
    fiscalPeriod: nullable(
      Type.Enum(FISCAL_PERIODS, { description: 'FY for an annual report, else the fiscal quarter; null for an 8-K' }),
    ),
    periodStart: nullable(day('First day of the period of the figures; null if there are none')),
    periodEnd: nullable(day('Last day of that period')),
    currency: nullable(text('Currency of the figures; null if there are none')),
    isXbrl: flag('Whether the filing contains machine-readable figures (XBRL)'),
    facts: Type.Object(
      {
        revenue: figure('Sales of the period'),
        grossProfit: figure('revenue minus cost of sales; many banks and insurers report none'),
        operatingIncome: figure('Profit from operations; negative for a loss'),
        netIncome: figure('Profit after tax; negative for a loss'),
        epsBasic: figure('Net income per share'),
        epsDiluted: figure('Net income per share, counting shares that options and convertibles may add'),
        totalAssets: figure('Assets at the end of the period'),
        totalLiabilities: figure('Liabilities at the end of the period'),
        stockholdersEquity: figure('Equity at the end of the period'),
        cashAndEquivalents: figure('Cash and cash equivalents at the end of the period'),
        operatingCashFlow: figure('Cash from operations; negative if spent'),
        capitalExpenditures: figure('Payments for property and equipment, as a positive number'),
        freeCashFlow: figure('operatingCashFlow minus capitalExpenditures, computed'),
        sharesOutstanding: figure('Number of shares that the report states'),
      },
      {
        description: 'Figures in whole units of currency, not thousands; each is null if the filing does not report it',
      },
    ),
    ...closingFields,
  },
  { description: 'A 10-K, 10-Q, 20-F or 8-K with its figures' },
)
export type FinancialFiling = Static<typeof FinancialFiling>

/** The figures of a filing that reports none. */
export const NO_FACTS = Object.fromEntries(
  Object.keys(FinancialFiling.properties.facts.properties).map((name) => [name, null]),
) as FinancialFiling['facts']

/** Additional fields of a filing requested by id. */
export const FinancialFilingDetail = Type.Object({
  factDetails: Type.Array(
    Type.Object({
      fact: text('Name of the figure in facts'),
      concept: text('XBRL tag, such as us-gaap:Revenues'),
      unit: text('Unit of the value, such as USD, USD/shares or shares'),
      value: number('The figure as reported'),
      periodStart: nullable(day('First day of its period; null for a figure of a single day')),
      periodEnd: day('Last day of its period, or its day'),
    }),
    { description: 'The reported figures with their XBRL tags; computed ones are left out' },
  ),
  documents: documents(),
})
export type FinancialFilingDetail = Static<typeof FinancialFilingDetail>
