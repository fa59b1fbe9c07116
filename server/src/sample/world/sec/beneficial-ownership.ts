import type { BeneficialOwnership } from '../../../model/sec/beneficial-ownership.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import { reportedOccurrences } from '../news.ts'
import { createRandom, type Random, zipfTable } from '../random.ts'
import { type Company, companies, companyByKey, inventedCik } from './companies.ts'
import type { SecContext } from './context.ts'
import { edgarTime, lastWeekday, nearestEdgarTime, quarterEnd, quarterOf, weekday } from './edgar.ts'
import { amend, type Filing, ofTheYear, type RowOf, toRecords } from './filing.ts'
import { activists, passiveHolders } from './investors.ts'
import { personName } from './people.ts'

type Row = RowOf<BeneficialOwnership>
type ReportingPerson = Row['reportingPersons'][number]

/** Creates reports of holders of more than five percent: activists (13D), partly in the news, and passive ones (13G). */
export function sampleBeneficialOwnership(context: SecContext): NewRecord<BeneficialOwnership>[] {
  const random = createRandom(`beneficial-ownership:${context.seed}`)
  const active = ofTheYear(context, [...reportedStakes(random, context), ...quietStakes(random, context)])
  const passive = ofTheYear(context, passiveStakes(random, context))
  return toRecords('beneficial-ownership', context, [
    ...active,
    ...passive,
    ...amend(random, context, active, 0.2, (row) => resize(row, random.between(1.05, 1.3))),
    ...amend(random, context, passive, 0.04, (row) => resize(row, random.between(0.9, 1.1))),
  ])
}

function reportedStakes(random: Random, context: SecContext): Filing<Row>[] {
  return reportedOccurrences(context.reports).flatMap(({ occurrence, at }) => {
    const company = companyByKey.get(occurrence.assets[0]?.key ?? '')
    if (occurrence.event.kind !== 'activist-stake' || company === undefined) return []
    return [activeStake(random, company, nearestEdgarTime(random, at, context.now))]
  })
}

const QUIET_STAKES = 72
const companyTable = zipfTable(companies, 0.2)

function quietStakes(random: Random, context: SecContext): Filing<Row>[] {
  return Array.from({ length: QUIET_STAKES }, () => {
    const filedAt = edgarTime(random, context.now - random.between(0, 365) * DAY)
    return activeStake(random, random.weighted(companyTable), filedAt)
  })
}

/** Creates a 13D, due five weekdays after the threshold was crossed. */
function activeStake(random: Random, company: Company, filedAt: number): Filing<Row> {
  const number = random.int(0, activists.length - 1)
  const event = lastWeekday(filedAt - random.int(1, 5) * DAY)
  const shares = sharesOf(random, company, 5.1, 9.8)
  const fund = person(company, activists[number] ?? '', inventedCik.holder(number + 1), 'PN', 'Delaware', shares)
  const adviser = { ...fund, name: `${fund.name} GP LLC`, cik: inventedCik.holder(number + 101), type: 'OO' }
  const founder = { ...fund, name: personName(1400 + number), cik: null, type: 'IN', citizenship: 'United States' }
  return stake(company, '13D', filedAt, event, [fund, adviser, founder].slice(0, random.int(1, 3)))
}

const QUARTERS = 5
const PASSIVE_SHARE = 0.5

/** Creates 13Gs, due 45 days after the quarter of the crossing. A holder reports a company once. */
function passiveStakes(random: Random, context: SecContext): Filing<Row>[] {
  return companies.flatMap((company) => {
    const firstHolder = random.int(0, passiveHolders.length - 1)
    return Array.from({ length: QUARTERS }, (_, back) => quarterOf(context.now) - 1 - back).flatMap((quarter) => {
      if (!random.chance(PASSIVE_SHARE)) return []
      const number = (firstHolder + quarter) % passiveHolders.length
      const filedAt = edgarTime(random, lastWeekday(weekday(quarterEnd(quarter) + 45 * DAY) - random.int(0, 12) * DAY))
      const type = random.chance(0.7) ? 'IA' : 'OO'
      const shares = sharesOf(random, company, 5.01, 11)
      const name = passiveHolders[number] ?? ''
      const holder = person(company, name, inventedCik.holder(number + 201), type, 'Delaware', shares)
      return [stake(company, '13G', filedAt, quarterEnd(quarter), [holder])]
    })
  })
}

function stake(
  company: Company,
  schedule: Row['schedule'],
  filedAt: number,
  event: number,
  reportingPersons: ReportingPerson[],
): Filing<Row> {
  return {
    formType: `SC ${schedule}`,
    filedAt,
    periodOfReport: isoDay(event),
    issuer: company,
    rows: [
      {
        schedule,
        isActivist: schedule === '13D',
        eventDate: isoDay(event),
        securityTitle: company.securityTitle,
        cusips: [company.cusip],
        reportingPersons,
        maxPercentOfClass: largestOf(reportingPersons),
      },
    ],
  }
}

function person(
  company: Company,
  name: string,
  cik: string,
  type: string,
  citizenship: string,
  sharesOwned: number,
): ReportingPerson {
  return { name, cik, type, citizenship, sharesOwned, percentOfClass: percentOf(sharesOwned, company) }
}

function sharesOf(random: Random, company: Company, least: number, most: number): number {
  return Math.round((company.sharesOutstanding * random.between(least, most)) / 100)
}

function percentOf(shares: number, company: Company): number {
  return Math.round((shares / company.sharesOutstanding) * 10_000) / 100
}

/** Scales the shares of all reporting persons. */
function resize(row: Row, factor: number): Row {
  const reportingPersons = row.reportingPersons.map((holder) => ({
    ...holder,
    sharesOwned: Math.round((holder.sharesOwned ?? 0) * factor),
    percentOfClass: Math.round((holder.percentOfClass ?? 0) * factor * 100) / 100,
  }))
  return { ...row, reportingPersons, maxPercentOfClass: largestOf(reportingPersons) }
}

function largestOf(persons: readonly ReportingPerson[]): number {
  return Math.max(...persons.map(({ percentOfClass }) => percentOfClass ?? 0))
}
