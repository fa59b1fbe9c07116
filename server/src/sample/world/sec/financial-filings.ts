import { type FinancialFiling, type FinancialFilingDetail, NO_FACTS } from '../../../model/sec/financial-filings.ts'
import type { MaterialEvent } from '../../../model/sec/material-events.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { isoDay } from '../../../model/time.ts'
import { createRandom, createSeriesId } from '../random.ts'
import type { SecContext } from './context.ts'
import { quarterEnd, quarterStart } from './edgar.ts'
import { detailFacts } from './fact-details.ts'
import { amend, type Filing, filingFolder, ofTheYear, type RowOf, toRecords } from './filing.ts'
import { type Figures, quarterFigures, yearFigures } from './financial-figures.ts'
import { RESULTS } from './form-8k-items.ts'
import { type Results, resultsCalendar } from './results-calendar.ts'

interface SampleFinancialFiling {
  record: NewRecord<FinancialFiling>
  detail: FinancialFilingDetail
}

type Row = RowOf<FinancialFiling>

/** Creates the periodic reports (10-Q, 10-K) and repeats the current reports (8-K) that announce results. */
export function sampleFinancialFilings(
  context: SecContext,
  currentReports: readonly NewRecord<MaterialEvent>[],
): SampleFinancialFiling[] {
  const random = createRandom(`financial-filings:${context.seed}`)
  const { results } = resultsCalendar(context)
  const filings = ofTheYear(context, periodicReports(results))
  const amendments = amend(random, context, filings, 0.04, (row) => ({ ...row }))
  const reports = toRecords('financial-filings', context, [...filings, ...amendments]).map((record) => ({
    record,
    detail: { factDetails: detailFacts(record), documents: reportDocuments(record) },
  }))
  return [...reports, ...announcements(context, currentReports)].sort((a, b) =>
    a.record.filedAt < b.record.filedAt ? -1 : 1,
  )
}

function periodicReports(results: readonly Results[]): Filing<Row>[] {
  return [...Map.groupBy(results, ({ company }) => company).values()].flatMap((ofCompany) => {
    const figures = new Map(ofCompany.map((result) => [result.quarter, figuresOf(result)]))
    return ofCompany.map((result) => periodicReport(result, figures))
  })
}

function figuresOf({ company, quarter, occurrence }: Results): Figures {
  return quarterFigures(company, quarter, occurrence)
}

function periodicReport(result: Results, figures: ReadonlyMap<number, Figures>): Filing<Row> {
  const { company, quarter, fiscal } = result
  const isYear = fiscal.quarter === 4
  const own = figures.get(quarter) ?? figuresOf(result)
  const year = [quarter - 3, quarter - 2, quarter - 1].map((q) => figures.get(q) ?? quarterFigures(company, q, null))
  const periodEnd = isoDay(quarterEnd(quarter))
  return {
    formType: isYear ? '10-K' : '10-Q',
    filedAt: result.reportedAt,
    periodOfReport: periodEnd,
    issuer: company,
    rows: [
      {
        items: [],
        fiscalYear: fiscal.year,
        fiscalPeriod: isYear ? 'FY' : (quarterNames[fiscal.quarter - 1] ?? null),
        periodStart: isoDay(quarterStart(isYear ? quarter - 3 : quarter)),
        periodEnd,
        currency: 'USD',
        isXbrl: true,
        facts: isYear ? yearFigures([...year, own], own) : own,
      },
    ],
  }
}

const quarterNames = ['Q1', 'Q2', 'Q3', 'Q4'] as const

/** Repeats material events that announce results, under the same accession numbers. */
function announcements(
  context: SecContext,
  currentReports: readonly NewRecord<MaterialEvent>[],
): SampleFinancialFiling[] {
  const idOf = createSeriesId(`financial-announcements:${context.seed}`)
  const events = currentReports.filter(({ items }) => items.some(({ code }) => code === RESULTS))
  const ids = new Map(events.map((event, index) => [event.id, idOf(index)]))
  return events.map((event) => announcement(event, ids))
}

function announcement(event: NewRecord<MaterialEvent>, ids: ReadonlyMap<string, string>): SampleFinancialFiling {
  const { documents, ...filing } = event
  return {
    record: {
      ...filing,
      id: ids.get(event.id) ?? '',
      supersedesId: event.supersedesId === null ? null : (ids.get(event.supersedesId) ?? null),
      fiscalYear: null,
      fiscalPeriod: null,
      periodStart: null,
      periodEnd: null,
      currency: null,
      isXbrl: false,
      facts: NO_FACTS,
    },
    detail: { factDetails: [], documents },
  }
}

function reportDocuments(record: NewRecord<FinancialFiling>): FinancialFilingDetail['documents'] {
  const folder = filingFolder(record.cik, record.accessionNumber)
  const isYear = record.fiscalPeriod === 'FY'
  return [
    {
      sequence: 1,
      type: record.formType,
      description: isYear ? 'Annual report' : 'Quarterly report',
      url: `${folder}/report.htm`,
    },
    { sequence: 2, type: 'EX-31.1', description: 'Certification of the chief executive', url: `${folder}/ex31-1.htm` },
    { sequence: 3, type: 'EX-101.INS', description: 'XBRL instance', url: `${folder}/report_htm.xml` },
  ]
}
