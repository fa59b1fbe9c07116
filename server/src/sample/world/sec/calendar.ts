import { DAY } from '../../../model/time.ts'
import type { Occurrence } from '../occurrence.ts'
import { createRandom } from '../random.ts'
import { type Company, companies, companyByKey, type SecContext } from './context.ts'
import { edgarTime, nearestEdgarTime, quarterEnd, quarterOf, startOfDay } from './edgar.ts'
import { type ReportedOccurrence, toldStories } from './news.ts'

/** The results of one quarter: a release (8-K) for some, and the report (10-Q or 10-K) for all. */
export interface Results {
  company: Company
  quarter: number
  fiscal: Fiscal
  releasedAt: number
  hasRelease: boolean
  reportedAt: number
  /** The earnings story that the release made. */
  story: Occurrence | null
}

export interface Fiscal {
  year: number
  /** 1 to 4; the report of the fourth is about the whole year. */
  quarter: number
}

/** Results that were in the news outside the season: preliminary figures, or figures that were restated in part. */
export interface ResultsUpdate {
  company: Company
  story: Occurrence
  at: number
}

/** The best known companies have a release for every quarter, the others when the news tells of their results. */
const RELEASING_COMPANIES = 16
const QUARTERS = 6
/** Between two filings of results of one company, unless they are of two quarters. */
const QUIET_DAYS = 21

export function resultsCalendar(context: SecContext): { results: Results[]; updates: ResultsUpdate[] } {
  const stories = earningsStories(context)
  const newest = quarterOf(context.now) - 1
  const results = companies.flatMap((company) =>
    Array.from({ length: QUARTERS }, (_, back) =>
      resultsOf(context, company, newest - back, stories.get(company) ?? []),
    ),
  )
  return { results, updates: listUpdates(context, results, stories) }
}

function earningsStories({ reports }: SecContext): Map<Company, ReportedOccurrence[]> {
  const byCompany = new Map<Company, ReportedOccurrence[]>()
  for (const told of toldStories(reports)) {
    const company = companyByKey.get(told.story.assets[0]?.key ?? '')
    if (company === undefined || !told.story.event.kind.startsWith('earnings')) continue
    const list = byCompany.get(company)
    if (list === undefined) byCompany.set(company, [told])
    else list.push(told)
  }
  return byCompany
}

/** Within the SEC's deadlines of 40 days for a quarter and 60 for a year. */
function resultsOf(
  context: SecContext,
  company: Company,
  quarter: number,
  stories: readonly ReportedOccurrence[],
): Results {
  const random = createRandom(`calendar:${context.seed}:${company.assetKey}:${quarter}`)
  const fiscal = fiscalOf(company, quarter)
  const isYear = fiscal.quarter === 4
  const end = quarterEnd(quarter)
  const usual = edgarTime(random, end + (isYear ? random.int(28, 48) : random.int(18, 33)) * DAY)
  const told = stories.find(({ story, at }) => {
    const days = (at - end) / DAY
    return quarterOfStory(story) === quarter && days > 12 && days < (isYear ? 51 : 34)
  })
  const releasedAt = told === undefined ? usual : nearestEdgarTime(random, told.at, context.now)
  return {
    company,
    quarter,
    fiscal,
    releasedAt,
    hasRelease: told !== undefined || company.rank < RELEASING_COMPANIES,
    reportedAt: edgarTime(random, startOfDay(releasedAt) + random.int(1, isYear ? 5 : 3) * DAY),
    story: told?.story ?? null,
  }
}

function listUpdates(
  context: SecContext,
  results: readonly Results[],
  stories: ReadonlyMap<Company, readonly ReportedOccurrence[]>,
): ResultsUpdate[] {
  const random = createRandom(`updates:${context.seed}`)
  const releases = Map.groupBy(
    results.filter(({ hasRelease, releasedAt }) => hasRelease && releasedAt <= context.now),
    ({ company }) => company,
  )
  const updates: ResultsUpdate[] = []
  for (const [company, told] of stories) {
    const filed = (releases.get(company) ?? []).map(({ releasedAt }) => releasedAt)
    for (const { story, at } of told) {
      if (filed.some((time) => Math.abs(time - at) < QUIET_DAYS * DAY)) continue
      const filedAt = nearestEdgarTime(random, at, context.now)
      filed.push(filedAt)
      updates.push({ company, story, at: filedAt })
    }
  }
  return updates
}

function quarterOfStory(story: Occurrence): number {
  return story.quarterYear * 4 + story.quarter - 1
}

/** Fiscal quarters are calendar quarters; the year of most companies ends in December. */
export function fiscalOf(company: Company, quarter: number): Fiscal {
  const luck = createRandom(`fiscal:${company.assetKey}`).next()
  const lastOfYear = luck < 0.78 ? 3 : luck < 0.88 ? 2 : luck < 0.95 ? 1 : 0
  const number = ((quarter - lastOfYear + 3) % 4) + 1
  return { year: Math.floor((quarter + 4 - number) / 4), quarter: number }
}
