import type { InsiderTrade } from '../../../model/sec/insider-trades.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import { createRandom, type Random, zipfTable } from '../random.ts'
import { type Company, companies } from './companies.ts'
import type { SecContext } from './context.ts'
import { addWeekdays, edgarTime, lastWeekday } from './edgar.ts'
import { amend, type Filing, ofTheYear, toRecords } from './filing.ts'
import { reportTransaction, type TransactionKind, type TransactionLine } from './insider-transactions.ts'
import { createInsider, type Insider, OWNER_SEAT, SEATS } from './insiders.ts'

interface Plan {
  kind: TransactionKind
  company: Company
  seat: number
  day: number
}

/** Creates Forms 3, 4 and 5 of a year. An insider's holdings carry over from line to line. */
export function sampleInsiderTrades(context: SecContext): NewRecord<InsiderTrade>[] {
  const random = createRandom(`insider-trades:${context.seed}`)
  const plans = [...soloPlans(random, context), ...buyingSprees(random, context)].sort((a, b) => a.day - b.day)
  const insiders = new Map<string, Insider>()
  const filings = plans.map((plan) => {
    const name = `${plan.company.cik}:${plan.seat}`
    const insider = insiders.get(name) ?? createInsider(context, plan.company, plan.seat)
    insiders.set(name, insider)
    return file(random, context, plan, insider)
  })
  const ofYear = ofTheYear(context, filings)
  return toRecords('insider-trades', context, [...ofYear, ...amend(random, context, ofYear, 0.03, correctPrice)])
}

/** Transactions per year. */
const counts: readonly (readonly [kind: TransactionKind, count: number])[] = [
  ['purchase', 44],
  ['sale', 90],
  ['largeSale', 64],
  ['grant', 95],
  ['optionGrant', 42],
  ['exercise', 56],
  ['gift', 32],
  ['conversion', 12],
  ['appointment', 52],
  ['other', 12],
]

function soloPlans(random: Random, context: SecContext): Plan[] {
  return counts.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => {
      const company = pickCompany(random, kind, index)
      const day = lastWeekday(context.now - random.between(1, 366) * DAY)
      return { kind, company, seat: pickSeat(random, kind, company, index), day }
    }),
  )
}

/** A company appoints at most one insider, so that nobody is appointed twice. */
function pickCompany(random: Random, kind: TransactionKind, index: number): Company {
  const joined = kind === 'appointment' ? companies[(index * 7) % companies.length] : undefined
  return joined ?? random.weighted(kind === 'largeSale' ? knownTable : companyTable)
}

const companyTable = zipfTable(companies, 0.4)
const knownTable = zipfTable(companies, 0.7)

function pickSeat(random: Random, kind: TransactionKind, company: Company, index: number): number {
  if (kind === 'appointment') return SEATS + (index % 4)
  if (kind === 'largeSale') return company.rank % 4 === 0 && random.chance(0.5) ? OWNER_SEAT : 0
  // An outside owner trades, but gets neither grants nor options.
  return random.int(0, kind === 'purchase' || kind === 'sale' ? OWNER_SEAT : OWNER_SEAT - 1)
}

const SPREES = 28

/** Plans purchases by several insiders of one company within a few days, spread over the year. */
function buyingSprees(random: Random, context: SecContext): Plan[] {
  return Array.from({ length: SPREES }, (_, index) => {
    const company = random.weighted(companyTable)
    const first = lastWeekday(context.now - (6 + ((index + random.next()) * 354) / SPREES) * DAY)
    const count = random.int(3, 5)
    const firstSeat = random.int(0, 4)
    return Array.from({ length: count }, (_, buyer): Plan => {
      return { kind: 'purchase', company, seat: (firstSeat + buyer) % 5, day: addWeekdays(first, random.int(0, 2)) }
    })
  }).flat()
}

function file(random: Random, context: SecContext, plan: Plan, insider: Insider): Filing<TransactionLine> {
  const { kind, company, day } = plan
  const isLate = kind === 'gift' && random.chance(0.3)
  const filedAt =
    kind === 'appointment'
      ? edgarTime(random, day + random.int(1, 8) * DAY)
      : // Form 4 is due after two days; small gifts may wait for the yearly Form 5.
        edgarTime(random, isLate ? day + random.int(20, 60) * DAY : addWeekdays(day, random.int(1, 2)))
  return {
    formType: kind === 'appointment' ? '3' : isLate ? '5' : '4',
    filedAt,
    periodOfReport: isoDay(day),
    issuer: company,
    rows: reportTransaction[kind]({ random, context, company, insider, day }),
  }
}

function correctPrice(row: TransactionLine): TransactionLine {
  const { shares, pricePerShare } = row
  const footnotes = [...row.footnotes, { id: `F${row.footnotes.length + 1}`, text: 'Corrects the earlier report.' }]
  if (!row.isOpenMarket || shares === null || pricePerShare === null) return { ...row, footnotes }
  const corrected = Math.round(pricePerShare * 100 + 1) / 100
  return { ...row, footnotes, pricePerShare: corrected, value: Math.round(shares * corrected * 100) / 100 }
}
