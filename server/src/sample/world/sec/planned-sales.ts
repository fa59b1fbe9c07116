import type { InsiderTrade } from '../../../model/sec/insider-trades.ts'
import type { PlannedSale } from '../../../model/sec/planned-sales.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import { createRandom, type Random, zipfTable } from '../random.ts'
import { brokers } from '../vocabulary.ts'
import { companies, companyByKey } from './companies.ts'
import { priceOf, type SecContext } from './context.ts'
import { edgarTime, lastWeekday, weekday } from './edgar.ts'
import { amend, type Filing, ofTheYear, type RowOf, toRecords } from './filing.ts'
import { personName } from './people.ts'

type Row = RowOf<PlannedSale>

/** Creates Forms 144: before most insider sales, and for sellers who need not report the sale itself. */
export function samplePlannedSales(
  context: SecContext,
  insiderTrades: readonly NewRecord<InsiderTrade>[],
): NewRecord<PlannedSale>[] {
  const random = createRandom(`planned-sales:${context.seed}`)
  const filings = ofTheYear(context, [...beforeTrades(random, context, insiderTrades), ...byOthers(random, context)])
  const amendments = amend(random, context, filings, 0.03, (row) => ({ ...row, broker: random.pick(brokers) }))
  return toRecords('planned-sales', context, [...filings, ...amendments])
}

function beforeTrades(
  random: Random,
  context: SecContext,
  insiderTrades: readonly NewRecord<InsiderTrade>[],
): Filing<Row>[] {
  const sales = insiderTrades.filter((row) => row.transactionCode === 'S' && !row.isAmendment)
  return [...Map.groupBy(sales, (row) => row.accessionNumber).values()].flatMap((lines) => {
    const [sale] = lines
    const company = companyByKey.get(sale?.assetKey ?? '')
    if (sale?.transactionDate == null || company === undefined || !random.chance(0.85)) return []
    const day = Date.parse(sale.transactionDate)
    const units = lines.reduce((sum, row) => sum + (row.shares ?? 0), 0)
    const filedAt = edgarTime(random, lastWeekday(day - random.int(0, 2) * DAY))
    const relationships = relationshipsOf(sale)
    return [intend(random, context, { company, filedAt, units, day, sellerName: sale.ownerName, relationships })]
  })
}

function relationshipsOf(row: NewRecord<InsiderTrade>): string[] {
  const relationships = []
  if (row.isOfficer) relationships.push('Officer')
  if (row.isDirector) relationships.push('Director')
  if (row.isTenPercentOwner) relationships.push('10% Stockholder')
  return relationships
}

const OTHERS = 190
/** First number of people who are not insiders. */
const FIRST_OTHER = 1260
const companyTable = zipfTable(companies, 0.5)

function byOthers(random: Random, context: SecContext): Filing<Row>[] {
  return Array.from({ length: OTHERS }, (_, index) => {
    const company = random.weighted(companyTable)
    const filedAt = edgarTime(random, context.now - random.between(0, 365) * DAY)
    return intend(random, context, {
      company,
      filedAt,
      units: Math.round(random.between(2e5, 5e6) / priceOf(context, company, filedAt)),
      day: weekday(filedAt + random.int(0, 5) * DAY),
      sellerName: personName(FIRST_OTHER + (index % 120)),
      relationships: [random.pick(['Former Officer', 'Affiliate', 'Family Member of Director', 'Former Director'])],
    })
  })
}

interface Intent extends Pick<Row, 'units' | 'sellerName' | 'relationships'> {
  company: (typeof companies)[number]
  filedAt: number
  day: number
}

function intend(random: Random, context: SecContext, intent: Intent): Filing<Row> {
  const { company, filedAt, units, sellerName, relationships } = intent
  return {
    formType: '144',
    filedAt,
    periodOfReport: null,
    issuer: company,
    rows: [
      {
        sellerName,
        relationships,
        securityTitle: company.securityTitle,
        units,
        marketValue: Math.round(units * priceOf(context, company, filedAt) * 100) / 100,
        approxSaleDate: isoDay(intent.day),
        broker: random.chance(0.05) ? null : random.pick(brokers),
      },
    ],
  }
}
