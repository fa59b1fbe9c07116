import { DAY, startOfDay } from '../../../model/time.ts'
import { type ReportedOccurrence, reportedOccurrences } from '../news.ts'
import type { Occurrence } from '../occurrence.ts'
import { createRandom } from '../random.ts'
import { type Company, companies, companyByKey } from './companies.ts'
import type { SecContext } from './context.ts'
import { edgarTime, nearestEdgarTime, quarterEnd, quarterOf } from './edgar.ts'

/** The results of one quarter: some companies publish a release (8-K), all file a report (10-Q or 10-K). */
export interface Results {
  company: Company
  quarter: number
  fiscal: Fiscal
  releasedAt: number
  hasRelease: boolean
  reportedAt: number
  /** The earnings news about the release. */
  occurrence: Occurrence | null
}

export interface Fiscal {
  year: number
  /** 1 to 4; the report of the fourth covers the whole year. */
  quarter: number
}

/** Results in the news outside the reporting season: preliminary or restated figures. */
interface ResultsUpdate {
  company: Company
  occurrence: Occurrence
  at: number
}

/** The best known companies publish a release for every quarter, others only when the news reports their results. */
const RELEASING_COMPANIES = 16
const QUARTERS = 6
/** Minimum distance between two results filings of a company about the same quarter. */
const QUIET_DAYS = 21

export function resultsCalendar(context: SecContext): { results: Results[]; updates: ResultsUpdate[] } {
  const occurrences = earningsOccurrences(context)
  const newest = quarterOf(context.now) - 1
  const results = companies.flatMap((company) =>
    Array.from({ length: QUARTERS }, (_, back) =>
      createResults(context, company, newest - back, occurrences.get(company) ?? []),
    ),
  )
  return { results, updates: listUpdates(context, results, occurrences) }
}

function earningsOccurrences({ reports }: SecContext): Map<Company, ReportedOccurrence[]> {
  const byCompany = new Map<Company, ReportedOccurrence[]>()
  for (const reported of reportedOccurrences(reports)) {
    const company = companyByKey.get(reported.occurrence.assets[0]?.key ?? '')
    if (company === undefined || !reported.occurrence.event.kind.startsWith('earnings')) continue
    const list = byCompany.get(company)
    if (list === undefined) byCompany.set(company, [reported])
    else list.push(reported)
  }
  return byCompany
}

/** Meets the SEC's deadlines: 40 days for a quarter, 60 for a year. */
function createResults(
  context: SecContext,
  company: Company,
  quarter: number,
  occurrences: readonly ReportedOccurrence[],
): Results {
  const random = createRandom(`calendar:${context.seed}:${company.assetKey}:${quarter}`)
  const fiscal = fiscalOf(company, quarter)
  const isYear = fiscal.quarter === 4
  const end = quarterEnd(quarter)
  const usual = edgarTime(random, end + (isYear ? random.int(28, 48) : random.int(18, 33)) * DAY)
  const reported = occurrences.find(({ occurrence, at }) => {
    const days = (at - end) / DAY
    return reportedQuarter(occurrence) === quarter && days > 12 && days < (isYear ? 51 : 34)
  })
  const releasedAt = reported === undefined ? usual : nearestEdgarTime(random, reported.at, context.now)
  return {
    company,
    quarter,
    fiscal,
    releasedAt,
    hasRelease: reported !== undefined || company.rank < RELEASING_COMPANIES,
    reportedAt: edgarTime(random, startOfDay(releasedAt) + random.int(1, isYear ? 5 : 3) * DAY),
    occurrence: reported?.occurrence ?? null,
  }
}

function listUpdates(
  context: SecContext,
  results: readonly Results[],
  occurrences: ReadonlyMap<Company, readonly ReportedOccurrence[]>,
): ResultsUpdate[] {
  const random = createRandom(`updates:${context.seed}`)
  const releases = Map.groupBy(
    results.filter(({ hasRelease, releasedAt }) => hasRelease && releasedAt <= context.now),
    ({ company }) => company,
  )
  const updates: ResultsUpdate[] = []
  for (const [company, reported] of occurrences) {
    const filed = (releases.get(company) ?? []).map(({ releasedAt }) => releasedAt)
    for (const { occurrence, at } of reported) {
      if (filed.some((time) => Math.abs(time - at) < QUIET_DAYS * DAY)) continue
      const filedAt = nearestEdgarTime(random, at, context.now)
      filed.push(filedAt)
      updates.push({ company, occurrence, at: filedAt })
    }
  }
  return updates
}

function reportedQuarter(occurrence: Occurrence): number {
  return occurrence.quarterYear * 4 + occurrence.quarter - 1
}

/** Fiscal quarters are calendar quarters; most fiscal years end in December. */
function fiscalOf(company: Company, quarter: number): Fiscal {
  const luck = createRandom(`fiscal:${company.assetKey}`).next()
  const lastOfYear = luck < 0.78 ? 3 : luck < 0.88 ? 2 : luck < 0.95 ? 1 : 0
  const number = ((quarter - lastOfYear + 3) % 4) + 1
  return { year: Math.floor((quarter + 4 - number) / 4), quarter: number }
}
