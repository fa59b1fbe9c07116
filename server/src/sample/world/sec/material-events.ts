import type { MaterialEvent } from '../../../model/sec/material-events.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay } from '../../../model/time.ts'
import { reportedOccurrences } from '../news.ts'
import { createRandom, type Random, weightedTable, zipfTable } from '../random.ts'
import { type Company, companies, companyByKey } from './companies.ts'
import type { SecContext } from './context.ts'
import { edgarTime, lastWeekday, nearestEdgarTime } from './edgar.ts'
import { amend, type Filing, filingFolder, ofTheYear, toRecords } from './filing.ts'
import { EXHIBITS, getItem, type Item, RESULTS } from './form-8k-items.ts'
import { resultsCalendar } from './results-calendar.ts'

/** A record without its documents, whose URLs need the accession number. */
interface Row {
  items: Item[]
}

/** Creates current reports (8-K): of results, of events in the news, and of events without news. */
export function sampleMaterialEvents(context: SecContext): NewRecord<MaterialEvent>[] {
  const random = createRandom(`material-events:${context.seed}`)
  const filings = ofTheYear(context, [
    ...resultsReports(random, context),
    ...newsReports(random, context),
    ...quietReports(random, context),
  ])
  const amendments = amend(random, context, filings, 0.03, (row) => ({ ...row }))
  return toRecords('material-events', context, [...filings, ...amendments]).map((record) => ({
    ...record,
    documents: documentsOf(record),
  }))
}

function resultsReports(random: Random, context: SecContext): Filing<Row>[] {
  const { results, updates } = resultsCalendar(context)
  const releases = results
    .filter(({ hasRelease }) => hasRelease)
    .map(({ company, releasedAt }) =>
      report(company, releasedAt, random.chance(0.25) ? [RESULTS, '7.01', EXHIBITS] : [RESULTS, EXHIBITS]),
    )
  return [...releases, ...updates.map(({ company, at }) => report(company, at, [RESULTS, '7.01', EXHIBITS]))]
}

function newsReports(random: Random, context: SecContext): Filing<Row>[] {
  return reportedOccurrences(context.reports).flatMap(({ occurrence, at }) => {
    const reported = newsItems[occurrence.event.kind]
    const company = companyByKey.get(occurrence.assets[0]?.key ?? '')
    if (reported === undefined || company === undefined || !random.chance(reported.share)) return []
    const filedAt = nearestEdgarTime(random, at, context.now)
    const happenedAt = Math.min(at, filedAt)
    return [report(company, filedAt, random.chance(0.6) ? [reported.item, EXHIBITS] : [reported.item], happenedAt)]
  })
}

const QUIET_REPORTS = 140

function quietReports(random: Random, context: SecContext): Filing<Row>[] {
  return Array.from({ length: QUIET_REPORTS }, () => {
    const filedAt = edgarTime(random, context.now - random.between(0, 365) * DAY)
    const item = random.weighted(quietItems)
    const happenedAt = lastWeekday(filedAt - random.int(0, 3) * DAY)
    const codes = random.chance(0.5) ? [item, EXHIBITS] : [item]
    return report(random.weighted(companyTable), filedAt, codes, happenedAt)
  })
}

const companyTable = zipfTable(companies, 0.4)
const quietItems = weightedTable(['8.01', '7.01', '1.01', '2.03', '5.02', '5.03', '5.07', '3.03'], (_, index) =>
  index < 5 ? 2 : 1,
)

/** The 8-K item for an event in the news, and the share of such events that companies report. */
export const newsItems: Readonly<Record<string, { item: string; share: number }>> = {
  'chief-resigns': { item: '5.02', share: 1 },
  'chief-appointed': { item: '5.02', share: 1 },
  'supply-deal': { item: '1.01', share: 0.8 },
  'startup-acquisition': { item: '1.01', share: 0.6 },
  'contract-win': { item: '1.01', share: 0.7 },
  partnership: { item: '1.01', share: 0.3 },
  divestiture: { item: '1.01', share: 0.6 },
  'deal-collapse': { item: '1.02', share: 0.9 },
  'merger-talks': { item: '8.01', share: 0.5 },
  'data-breach': { item: '1.05', share: 1 },
  layoffs: { item: '2.05', share: 0.25 },
  'guidance-raised': { item: '7.01', share: 0.4 },
  'guidance-cut': { item: '7.01', share: 0.3 },
  buyback: { item: '8.01', share: 0.2 },
  'dividend-raised': { item: '8.01', share: 0.5 },
  'dividend-cut': { item: '8.01', share: 0.9 },
  'lawsuit-settled': { item: '8.01', share: 0.7 },
  'antitrust-probe': { item: '8.01', share: 0.15 },
  'accounting-probe': { item: '4.02', share: 0.15 },
}

function report(company: Company, filedAt: number, codes: readonly string[], happenedAt = filedAt): Filing<Row> {
  return {
    formType: '8-K',
    filedAt,
    periodOfReport: isoDay(happenedAt),
    issuer: company,
    rows: [{ items: codes.map(getItem) }],
  }
}

function documentsOf(record: Omit<NewRecord<MaterialEvent>, 'documents'>): MaterialEvent['documents'] {
  const folder = filingFolder(record.cik, record.accessionNumber)
  const main = {
    sequence: 1,
    type: record.formType,
    description: 'Current report',
    url: `${folder}/current-report.htm`,
  }
  if (!record.items.some(({ code }) => code === EXHIBITS)) return [main]
  return [main, { sequence: 2, type: 'EX-99.1', description: 'Press release', url: `${folder}/press-release.htm` }]
}
