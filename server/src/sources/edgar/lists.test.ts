import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  COMPANY_FACTS,
  FORM_INDEX,
  LATEST_FILINGS,
  MASTER_INDEX,
  submissions,
  TICKERS,
  TICKERS_EXCHANGE,
} from '../../../test/edgar-answers.ts'
import { parseCompanyFacts } from './company-facts.ts'
import { acceptanceTime } from './eastern-time.ts'
import { parseFilingIndex } from './filing-index.ts'
import { parseFinancialReports } from './financial-reports.ts'
import { parseLatestFilings } from './latest-filings.ts'
import { parseSubmissions } from './submissions.ts'
import { parseTickers } from './tickers.ts'

const bytes = (text: string) => Buffer.from(text)

describe('acceptance times', () => {
  test('are in New York, in winter and in summer, with and without Z', () => {
    assert.equal(acceptanceTime('20260303193015'), '2026-03-04T00:30:15.000Z')
    assert.equal(acceptanceTime('20260703193015'), '2026-07-03T23:30:15.000Z')
    assert.equal(acceptanceTime('2026-03-03T19:30:15.000Z'), '2026-03-04T00:30:15.000Z')
    assert.equal(acceptanceTime('2026-03-03T19:30:15-05:00'), '2026-03-04T00:30:15.000Z')
    assert.equal(acceptanceTime('soon'), null)
  })

  test('of submissions are in UTC if any of them could not be in New York', () => {
    for (const zone of ['utc', 'new york'] as const) {
      assert.deepEqual(
        parseSubmissions(bytes(submissions(zone))).filings.map(({ filedAt }) => filedAt),
        ['2026-03-05T21:15:00.000Z', '2026-03-04T00:30:15.000Z'],
      )
    }
  })
})

test('submissions: the company, its filings and the pages of older ones', () => {
  const { company, filings, pages } = parseSubmissions(bytes(submissions('utc')))
  assert.deepEqual(
    [company?.cik, company?.tickers, company?.exchanges, company?.countryCode],
    ['0001700000', ['PEBL', 'PEBL-W'], ['NYSE', 'OTC'], 'US'],
  )
  assert.deepEqual(company?.formerNames, [{ name: 'PEBBLE TOYS INC', from: '2005-02-17', to: '2017-01-27' }])
  assert.deepEqual(pages, [{ name: 'CIK0001700000-submissions-001.json', from: '2005-02-17', to: '2018-02-11' }])
  const [report, trade] = filings
  assert.deepEqual([report?.items, report?.isXbrl, report?.periodOfReport], [['5.02', '9.01'], true, '2026-03-04'])
  assert.deepEqual([trade?.formType, trade?.isAmendment, trade?.periodOfReport], ['4/A', true, null])
})

describe('companyfacts', () => {
  const facts = [...parseCompanyFacts(bytes(COMPANY_FACTS))]
  const revenues = facts.filter(({ concept, unit }) => concept === 'us-gaap:Revenues' && unit === 'USD')

  test('quarters, the year to date, years and balances are told apart by their periods', () => {
    assert.deepEqual(
      facts.map(({ periodType, isYearToDate, unit }) => [periodType, isYearToDate, unit]),
      [
        ['quarter', false, 'USD'],
        ['half-year', true, 'USD'],
        ['quarter', false, 'USD'],
        ['half-year', true, 'USD'],
        ['year', false, 'USD'],
        ['quarter', false, 'EUR'],
        ['instant', false, 'USD'],
      ],
    )
    assert.deepEqual([facts[0]?.companyName, facts[0]?.label], ['Pebble "Robotics", Inc.', 'Revenues {net}'])
  })

  test('a different value supersedes the earlier one, a repeated value does not', () => {
    assert.deepEqual(
      revenues.map(({ accessionNumber, supersedesAccessionNumber, supersededByAccessionNumber }) =>
        [accessionNumber, supersedesAccessionNumber, supersededByAccessionNumber].map((number) => number?.slice(-9)),
      ),
      [
        ['25-000001', undefined, undefined],
        ['25-000002', undefined, '25-000003'],
        ['26-000001', undefined, undefined],
        ['25-000003', '25-000002', undefined],
        ['26-000002', undefined, undefined],
      ],
    )
  })
})

test('financial reports: revenues of each filing for its own period', () => {
  assert.deepEqual(
    parseFinancialReports(bytes(COMPANY_FACTS)).map(({ accessionNumber, periodEnd, currency, facts }) => [
      ...[accessionNumber.slice(-9), periodEnd, currency, facts.revenue, facts.totalAssets],
    ]),
    [
      ['25-000001', '2025-03-31', 'USD', 100, 7],
      ['25-000002', '2025-06-30', null, null, null],
      ['26-000001', '2025-03-31', 'USD', 100, null],
      ['25-000003', '2025-06-30', null, null, null],
      ['26-000002', '2025-12-31', null, null, null],
    ],
  )
})

test('tickers: all files of the SEC', () => {
  const [first] = parseTickers(bytes(TICKERS)).tickers
  assert.deepEqual(
    [first?.cik, first?.ticker, first?.companyName, first?.exchange],
    ['0001700000', 'PEBL', 'PEBBLE ROBOTICS, INC.', null],
  )
  const [listed, unlisted] = parseTickers(bytes(TICKERS_EXCHANGE)).tickers
  assert.deepEqual([listed?.exchange, unlisted?.exchange, unlisted?.companyName], ['NYSE', null, 'Moss Bancorp'])
})

test('latest filings: an entry per party becomes one filing', () => {
  assert.deepEqual(parseLatestFilings(bytes(LATEST_FILINGS)), [
    {
      accessionNumber: '0001234567-26-000042',
      formType: '4/A',
      isAmendment: true,
      filedAt: '2026-03-04T00:30:15.000Z',
      filingDate: '2026-03-03',
      filingUrl: 'https://www.sec.gov/Archives/edgar/data/1700001/000123456726000042/0001234567-26-000042-index.htm',
      items: [],
      parties: [
        { name: 'Quill - Ada (Jr)', cik: '0001700001', role: 'Reporting' },
        { name: 'Pebble Robotics, Inc.', cik: '0001700000', role: 'Issuer' },
      ],
    },
  ])
  assert.throws(() => parseLatestFilings(bytes('<html><body>503</body></html>')), /past its end/)
})

describe('index', () => {
  const rowsOf = (text: string) =>
    parseFilingIndex(bytes(text)).filings.map(({ formType, companyName, cik, filingDate }) => [
      ...[formType, companyName, cik, filingDate],
    ])

  test('columns may be too narrow for their values', () => {
    assert.deepEqual(rowsOf(FORM_INDEX), [
      ['4/A', 'PEBBLE ROBOTICS  INC', '0001700000', '2026-03-03'],
      [
        ...['SCHEDULE 13G/A', 'Quiet Capital LLC, a name that is much too long for its column of sixty'],
        ...['0001700009', '2026-03-03'],
      ],
    ])
  })

  test('the master index has pipes', () => {
    assert.deepEqual(rowsOf(MASTER_INDEX), [['4/A', 'PEBBLE ROBOTICS INC', '0001700000', '2026-03-03']])
  })

  test('a row that cannot be read is listed with its reason, and an index without rows is empty', () => {
    const [good = ''] = FORM_INDEX.split('4/A ')
    assert.deepEqual(rowsOf(good), [])
    const { filings, rejected } = parseFilingIndex(bytes(`${FORM_INDEX}some text\n`))
    assert.deepEqual([filings.length, rejected], [2, [{ row: 3, reason: 'cik is missing' }]])
  })
})
