/** The parsers over recorded filings and lists of EDGAR, which are not part of the project. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { ParseError } from '../answer.ts'
import { PARSERS } from '../parsers.ts'
import { parseCompanyFacts } from './company-facts.ts'
import { parseFinancialReports } from './financial-reports.ts'
import { parseOwnership } from './forms/ownership.ts'
import { parseThirteenF } from './forms/thirteen-f.ts'
import { parseLatestFilings } from './latest-filings.ts'
import { parseSubmissions } from './submissions.ts'

const ROOT = join(import.meta.dirname, '../../../../../shared/data/sec')
const skip = !existsSync(ROOT) && '../shared/data/sec is not here'
const KINDS = Object.keys(PARSERS).filter((kind) => kind.startsWith('sec-'))

const read = (path: string) => readFileSync(join(ROOT, path))
const list = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort()

interface ExpectedFiling {
  file: string
  documentType: string
  periodOfReport: string
  issuerCik: string
  issuerName: string
  issuerTradingSymbol: string
  aff10b5One: string | null
  owners: Record<string, string | null>[]
  rows: (Record<string, string | null> & { footnotes: string[] })[]
}

const flag = (text: string | null | undefined) => (text == null ? null : text === '1' || text === 'true')
const number = (text: string | null | undefined) => (text == null ? null : Number(text))

describe('recordings of EDGAR', { skip }, () => {
  test('50 filings of Forms 3, 4 and 5, row by row', () => {
    const expected = read('ownership/expected-ownership.jsonl').toString().trim().split('\n')
    assert.equal(expected.length, 50)
    for (const line of expected) {
      const filing: ExpectedFiling = JSON.parse(line)
      const [owner = {}] = filing.owners
      const rows = parseOwnership(read(`ownership/${filing.file}`))
      const actual = rows.map((row) => [
        ...[row.formType, row.periodOfReport, row.cik, row.companyName, row.ticker, row.is10b5One, row.ownerCik],
        ...[row.ownerName, row.isDirector, row.isOfficer, row.isTenPercentOwner, row.officerTitle, row.owners.length],
        ...[row.isDerivative, row.isHolding, row.securityTitle, row.transactionDate, row.transactionCode, row.shares],
        ...[row.pricePerShare, row.acquiredDisposed, row.sharesOwnedAfter, row.ownershipType, row.ownershipNature],
        ...[row.exercisePrice, row.exerciseDate, row.expirationDate, row.underlyingSecurityTitle, row.underlyingShares],
        row.footnotes.map(({ id }) => id),
      ])
      assert.deepEqual(
        actual,
        filing.rows.map((row) => [
          ...[filing.documentType, filing.periodOfReport, filing.issuerCik, filing.issuerName],
          ...[filing.issuerTradingSymbol, flag(filing.aff10b5One), owner.cik, owner.name, flag(owner.isDirector)],
          ...[flag(owner.isOfficer), flag(owner.isTenPercentOwner), owner.officerTitle, filing.owners.length],
          ...[row.table === 'derivative', row.row === 'holding', row.securityTitle, row.date, row.code],
          ...[number(row.shares), number(row.price), row.acquiredDisposed, number(row.sharesOwnedAfter)],
          ...[row.directIndirect === 'I' ? 'indirect' : 'direct', row.nature, number(row.exercisePrice)],
          ...[row.exerciseDate, row.expirationDate, row.underlyingTitle, number(row.underlyingShares), row.footnotes],
        ]),
        filing.file,
      )
    }
  })

  test('300 filings of insiders take at most a second', () => {
    const filings = list('ownership/*/*.xml').map(read)
    const timer = cpuTimer()
    for (let count = 0; count < 300; count += 1) parseOwnership(filings[count % filings.length] ?? Buffer.alloc(0))
    assert.ok(timer() < 1_000, `${timer()} ms`)
  })

  test('the sum of a 13F table is the total of its cover', () => {
    const { cover, holdings } = parseThirteenF(read('edgartools/data/13F.0001894188-23-000007.txt'))
    assert.deepEqual(
      [holdings.length, holdings.reduce((sum, { valueUsd }) => sum + valueUsd, 0)],
      [cover?.tableEntryTotal, cover?.tableValueTotalUsd],
    )
    assert.equal(cover?.tableValueTotalUsd, 454_926_000)
    const tables = ['xml/13F-HR.infotable.xml', '13F-HR.privateportfolio.infotable.html'].map((path) =>
      parseThirteenF(read(`edgartools/data/${path}`)).holdings.map(({ cusip, shares, valueUsd }) => [
        ...[cusip, shares, valueUsd],
      ]),
    )
    assert.equal(tables[0]?.length, 255)
    assert.deepEqual(tables[0], tables[1])
  })

  test('the crawl of the latest filings has each filing once per party', () => {
    const filings = list('latest-filings-atom/crawl/*').flatMap((path) => parseLatestFilings(read(path)))
    assert.equal(
      filings.reduce((sum, { parties }) => sum + parties.length, 0),
      5_100,
    )
    assert.equal(new Set(filings.map(({ accessionNumber }) => accessionNumber)).size, 2_805)
    assert.ok(filings.every(({ filedAt, parties }) => filedAt !== null && parties.every(({ cik }) => cik !== null)))
  })

  test('submissions of 2022 have times of New York, those of 2026 of UTC', () => {
    const timesOf = (path: string) => {
      const { filings } = parseSubmissions(read(path))
      return new Map(filings.map(({ accessionNumber, filedAt }) => [accessionNumber, filedAt]))
    }
    const old = timesOf('edgartools/data/company_submission.json')
    const recent = timesOf('submissions/CIK0001318605.json')
    const both = [...old.keys()].filter((number) => recent.has(number))
    assert.ok(both.length > 500)
    for (const number of both) assert.equal(old.get(number), recent.get(number), number)
  })

  test('facts: a fact for each row of the file', () => {
    assert.equal([...parseCompanyFacts(read('companyfacts/CIK0000320193.json'))].length, 24_579)
  })

  test('figures of reports: the quarter alone, also of cash flows, which are reported for the year to date', () => {
    const reports = parseFinancialReports(read('companyfacts/CIK0000320193.json'))
    const figuresOf = (number: string) => {
      const report = reports.find(({ accessionNumber }) => accessionNumber === number)
      const { revenue, netIncome, epsDiluted, operatingCashFlow } = report?.facts ?? {}
      return [report?.fiscalPeriod, report?.periodStart, revenue, netIncome, epsDiluted, operatingCashFlow]
    }
    assert.deepEqual(figuresOf('0000320193-25-000079'), ['FY', '2024-09-29', 416_161e6, 112_010e6, 7.46, 111_482e6])
    assert.deepEqual(figuresOf('0000320193-25-000073'), ['Q3', '2025-03-30', 94_036e6, 23_434e6, 1.57, 27_867e6])
  })

  test('every file is read by the parser of its kind, and the others say why not', () => {
    const counts: Record<string, number> = {}
    for (const path of list('**/*.*')) {
      const bytes = read(path)
      for (const kind of KINDS) {
        try {
          const { records = [], rejected } = PARSERS[kind]?.(bytes, 0) ?? {}
          assert.deepEqual(rejected, [], path)
          if ([...records].length > 0) counts[kind] = (counts[kind] ?? 0) + 1
        } catch (error) {
          assert.ok(error instanceof ParseError, `${kind} ${path}: ${error}`)
        }
      }
    }
    assert.deepEqual(counts, {
      'sec-ownership': 58,
      'sec-13f': 6,
      'sec-13dg': 5,
      'sec-form-d': 6,
      'sec-144': 1,
      'sec-8k': 4,
      'sec-submissions': 5,
      'sec-companyfacts': 3,
      'sec-tickers': 1,
      'sec-atom': 51,
      'sec-index': 3,
    })
  })
})
