import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleContext } from '../../../../test/sample-context.ts'
import { DAY, HOUR } from '../../../model/time.ts'
import { reportedOccurrences } from '../news.ts'
import { companyByKey } from './companies.ts'
import { sampleFinancialFilings } from './financial-filings.ts'
import { newsItems, sampleMaterialEvents } from './material-events.ts'

/** Financial filings and material events. */

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)
const context = sampleContext(NOW)
const materialEvents = sampleMaterialEvents(context)
const financialFilings = sampleFinancialFilings(context, materialEvents)
const records = financialFilings.map(({ record }) => record)
const periodic = records.filter((row) => !row.formType.startsWith('8-K'))

test('figures add up', () => {
  for (const { facts, companyName } of periodic) {
    const get = (fact: keyof typeof facts) => facts[fact] ?? Number.NaN
    assert.ok(facts.grossProfit === null || facts.grossProfit <= get('revenue'), companyName)
    assert.ok(facts.grossProfit === null || get('operatingIncome') <= facts.grossProfit, companyName)
    assert.ok(get('operatingIncome') < get('revenue') && get('netIncome') <= get('operatingIncome'), companyName)
    assert.equal(facts.freeCashFlow, get('operatingCashFlow') - get('capitalExpenditures'))
    assert.equal(facts.totalAssets, get('totalLiabilities') + get('stockholdersEquity'))
    assert.ok(get('cashAndEquivalents') < get('totalAssets'))
    assert.ok(Math.abs(get('epsBasic') - get('netIncome') / get('sharesOutstanding')) < 0.006)
    assert.ok(get('epsDiluted') <= get('epsBasic'))
  }
})

test('fiscal years and periods fit the dates', () => {
  for (const row of periodic) {
    const start = new Date(`${row.periodStart}T00:00:00Z`)
    const next = new Date(Date.parse(`${row.periodEnd}T00:00:00Z`) + DAY)
    const months = (next.getUTCFullYear() - start.getUTCFullYear()) * 12 + next.getUTCMonth() - start.getUTCMonth()
    const isYear = row.formType.startsWith('10-K')
    assert.equal(months, isYear ? 12 : 3)
    assert.equal(row.fiscalPeriod === 'FY', isYear)
    assert.equal(row.periodOfReport, row.periodEnd)
    assert.ok(row.fiscalPeriod !== 'Q4')
    if (isYear) assert.equal(row.fiscalYear, Number(row.periodEnd?.slice(0, 4)))
    const days = (Date.parse(row.filingDate) - Date.parse(row.periodEnd ?? '')) / DAY
    if (!row.isAmendment) assert.ok(days > 12 && days <= (isYear ? 60 : 40), `${days}`)
  }
})

test('quarters of a company follow each other without a gap, and its year is more than their sum', () => {
  const order = ['Q1', 'Q2', 'Q3', 'FY']
  for (const rows of Map.groupBy(
    periodic.filter((row) => !row.isAmendment),
    (row) => row.cik,
  ).values()) {
    assert.ok(rows.length >= 3 && rows.length <= 5)
    rows.slice(1).forEach((row, index) => {
      const before = rows[index]
      const place = (filing: typeof row | undefined) =>
        (filing?.fiscalYear ?? 0) * 4 + order.indexOf(filing?.fiscalPeriod ?? '')
      assert.equal(place(row), place(before) + 1, row.companyName)
      const perQuarter = (filing: typeof row | undefined) =>
        (filing?.facts.revenue ?? 0) / (filing?.fiscalPeriod === 'FY' ? 4 : 1)
      const ratio = perQuarter(row) / perQuarter(before)
      assert.ok(ratio > 0.7 && ratio < 1.4, `${row.companyName} ${ratio}`)
    })
    const year = rows.find((row) => row.fiscalPeriod === 'FY')
    const quarters = rows.filter((row) => row.fiscalYear === year?.fiscalYear && row.fiscalPeriod !== 'FY')
    const sum = quarters.reduce((total, row) => total + (row.facts.revenue ?? 0), 0)
    if (year !== undefined) assert.ok((year.facts.revenue ?? 0) > sum)
  }
})

test('details list the tagged figures of the same period', () => {
  for (const { record, detail } of financialFilings) {
    assert.ok(detail.documents.length > 0)
    assert.ok(detail.documents.every((document) => new URL(document.url).hostname === 'sec.sample.example'))
    for (const tagged of detail.factDetails) {
      assert.equal(tagged.value, new Map(Object.entries(record.facts)).get(tagged.fact))
      assert.equal(tagged.periodEnd, record.periodEnd)
      assert.ok(tagged.periodStart === null || tagged.periodStart === record.periodStart)
    }
    const isCurrent = record.formType.startsWith('8-K')
    assert.equal(detail.factDetails.length === 0, isCurrent)
  }
})

test('an 8-K of results has items and no figures, and is the same filing among the material events', () => {
  const events = new Map(materialEvents.map((event) => [event.accessionNumber, event]))
  const current = records.filter((row) => row.formType.startsWith('8-K'))
  assert.ok(current.length >= 150)
  for (const row of current) {
    assert.ok(Object.values(row.facts).every((fact) => fact === null))
    assert.equal(row.fiscalPeriod, null)
    assert.deepEqual(row.items, events.get(row.accessionNumber)?.items)
    assert.equal(row.filedAt, events.get(row.accessionNumber)?.filedAt)
    assert.ok(row.items.some(({ code }) => code === '2.02'))
  }
})

test('results in the news were filed: within a day, or three weeks around when the news repeats itself', () => {
  const filed = materialEvents.filter((row) => row.items.some(({ code }) => code === '2.02'))
  const occurrences = reportedOccurrences(context.reports).filter(({ occurrence }) =>
    occurrence.event.kind.startsWith('earnings'),
  )
  let near = 0
  for (const { occurrence, at } of occurrences) {
    const company = companyByKey.get(occurrence.assets[0]?.key ?? '')
    if (company === undefined) continue
    const distances = filed
      .filter((row) => row.cik === company.cik)
      .map((row) => Math.abs(Date.parse(row.filedAt) - at))
    const nearest = Math.min(...distances)
    assert.ok(nearest < 22 * DAY, `${company.companyName}: ${nearest / DAY} days`)
    if (nearest < 31 * HOUR) near++
  }
  assert.ok(near >= 120, String(near))
})

test('a quarterly report has the figures that the news reported', () => {
  const occurrences = reportedOccurrences(context.reports).filter(({ occurrence }) =>
    occurrence.event.kind.startsWith('earnings'),
  )
  let reported = 0
  for (const { occurrence, at } of occurrences) {
    const figure = (occurrence.event.kind === 'earnings-miss' ? occurrence.revenueLow : occurrence.revenueHigh) * 1e9
    const eps = occurrence.event.kind === 'earnings-miss' ? occurrence.epsLow : occurrence.epsHigh
    const report = periodic.find(
      (row) =>
        row.assetKey === occurrence.assets[0]?.key &&
        row.fiscalPeriod !== 'FY' &&
        Date.parse(row.filedAt) > at &&
        Math.abs((row.facts.revenue ?? 0) - figure) < 1e6,
    )
    if (report === undefined) continue
    assert.ok(Math.abs((report.facts.epsDiluted ?? 0) - eps) < 0.02)
    reported++
  }
  assert.ok(reported >= 5, String(reported))
})

test('items of a material event match the news: executives, deals, breaches', () => {
  const occurrences = reportedOccurrences(context.reports)
  for (const [kind, code] of [
    ['chief-resigns', '5.02'],
    ['chief-appointed', '5.02'],
    ['data-breach', '1.05'],
  ]) {
    for (const { occurrence, at } of occurrences.filter(({ occurrence }) => occurrence.event.kind === kind)) {
      const company = companyByKey.get(occurrence.assets[0]?.key ?? '')
      if (company === undefined) continue
      const isFiled = materialEvents.some(
        (row) =>
          row.cik === company.cik &&
          row.items.some((item) => item.code === code) &&
          Math.abs(Date.parse(row.filedAt) - at) < 31 * HOUR,
      )
      assert.ok(isFiled, `${kind} ${company.companyName}`)
    }
  }
  assert.ok(Object.values(newsItems).every(({ share }) => share > 0 && share <= 1))
})

test('every item has a title, exhibits come last, and documents are listed with them', () => {
  const titles = new Map<string, string>()
  for (const { items, documents, formType } of materialEvents) {
    assert.ok(items.length > 0)
    for (const { code, title } of items) {
      assert.equal(titles.get(code) ?? title, title)
      titles.set(code, title)
    }
    assert.deepEqual(
      items.map(({ code }) => code),
      items.map(({ code }) => code).toSorted(),
    )
    assert.equal(documents[0]?.type, formType)
    assert.equal(documents.length === 2, items.at(-1)?.code === '9.01')
  }
  for (const code of ['1.01', '2.02', '5.02', '7.01', '8.01', '9.01']) assert.ok(titles.has(code), code)
})
