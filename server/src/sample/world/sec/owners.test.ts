import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceAt, sampleContext } from '../../../../test/sample-context.ts'
import { DAY, HOUR } from '../../../model/time.ts'
import { reportedOccurrences } from '../news.ts'
import { companies } from './companies.ts'
import { recordsOf, sampleSec } from './sec.ts'

/** Holdings of managers, large stakes and private placements. */

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)
const context = sampleContext(NOW)
const sec = sampleSec(context)
const institutionalHoldings = recordsOf(sec, 'institutional-holdings')
const beneficialOwnership = recordsOf(sec, 'beneficial-ownership')
const privatePlacements = recordsOf(sec, 'private-placements')

test('CUSIPs have nine characters, a right check digit and a number reserved for private use', () => {
  const cusips = new Set([
    ...institutionalHoldings.map((row) => row.cusip),
    ...beneficialOwnership.flatMap((row) => row.cusips),
  ])
  for (const cusip of cusips) {
    assert.match(cusip, /^99\d{7}$/)
    const digits = [...cusip.slice(0, 8)].map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
    const sum = digits.reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0)
    assert.equal(Number(cusip.at(-1)), (10 - (sum % 10)) % 10)
  }
})

test('a holding continues the report of the previous quarter', () => {
  const reports = institutionalHoldings.filter((row) => !row.isAmendment)
  for (const rows of Map.groupBy(reports, (row) => row.managerCik).values()) {
    const quarters = [...Map.groupBy(rows, (row) => row.periodOfReport).values()]
    assert.ok(quarters.length >= 3 && quarters.length <= 5)
    quarters.forEach((quarter, index) => {
      const nameOf = (row: (typeof rows)[number]) => `${row.cusip} ${row.putCall}`
      assert.equal(new Set(quarter.map(nameOf)).size, quarter.length, 'a position once')
      assert.equal(new Set(quarter.map((row) => row.accessionNumber)).size, 1)
      const before = index === 0 ? undefined : new Map(quarters[index - 1]?.map((row) => [nameOf(row), row.shares]))
      for (const row of quarter) {
        if (before === undefined) {
          assert.deepEqual([row.priorShares, row.sharesChange, row.positionStatus], [null, null, null])
          continue
        }
        const prior = before.get(nameOf(row)) ?? 0
        assert.equal(row.priorShares, prior)
        assert.equal(row.sharesChange, row.shares - prior)
        assert.equal(row.positionStatus, statusOf(row.shares, prior))
      }
      const kept = new Set(quarter.map(nameOf))
      for (const [name, shares] of before ?? [])
        assert.ok(shares === 0 || kept.has(name), 'closed positions are reported')
    })
  }
})

test('a holding is worth its shares at the end of the quarter, and its votes are its shares', () => {
  for (const row of institutionalHoldings) {
    const price = priceAt(row.assetKey ?? '', Date.parse(row.periodOfReport ?? '') + 21 * HOUR) ?? 0
    assert.ok(Math.abs(row.valueUsd - row.shares * price) <= 1)
    assert.equal(row.votingSole + row.votingShared + row.votingNone, row.shares)
    assert.match(row.managerCik, /^00092\d{5}$/)
    assert.equal(row.issuerName, row.companyName)
  }
})

test('holdings are of the last four quarters and reported within 45 days, or by the Monday after', () => {
  const periods = [...new Set(institutionalHoldings.map((row) => row.periodOfReport))]
  assert.deepEqual(periods, ['2025-03-31', '2025-06-30', '2025-09-30', '2025-12-31'])
  for (const row of institutionalHoldings) {
    const days = (Date.parse(row.filingDate) - Date.parse(row.periodOfReport ?? '')) / DAY
    if (!row.isAmendment) assert.ok(days >= 30 && days <= 47, `${days}`)
  }
})

function statusOf(shares: number, prior: number): string {
  if (shares === prior) return 'unchanged'
  if (prior === 0) return 'new'
  if (shares === 0) return 'closed'
  return shares > prior ? 'increased' : 'decreased'
}

test('activists file 13D, others 13G, and everyone owns more than five percent', () => {
  const outstanding = new Map(companies.map((company) => [company.assetKey, company.sharesOutstanding]))
  for (const row of beneficialOwnership) {
    assert.ok(row.formType.startsWith(`SC ${row.schedule}`))
    assert.equal(row.isActivist, row.schedule === '13D')
    assert.ok(row.reportingPersons.length >= 1)
    for (const { sharesOwned, percentOfClass, name } of row.reportingPersons) {
      const percent = ((sharesOwned ?? 0) / (outstanding.get(row.assetKey ?? '') ?? 1)) * 100
      assert.ok(Math.abs(percent - (percentOfClass ?? 0)) < 0.02, name)
      if (!row.isAmendment) assert.ok((percentOfClass ?? 0) > 5)
    }
    assert.equal(row.maxPercentOfClass, Math.max(...row.reportingPersons.map((person) => person.percentOfClass ?? 0)))
    assert.ok((row.eventDate ?? '') <= row.filingDate)
  }
  assert.ok(beneficialOwnership.filter((row) => row.schedule === '13D').length >= 60)
})

test('an activist in the news has filed a 13D', () => {
  const occurrences = reportedOccurrences(context.reports).filter(
    ({ occurrence }) => occurrence.event.kind === 'activist-stake' && occurrence.assets[0]?.cik != null,
  )
  assert.ok(occurrences.length > 3)
  for (const { occurrence, at } of occurrences) {
    const filed = beneficialOwnership.some(
      (row) =>
        row.isActivist &&
        row.assetKey === occurrence.assets[0]?.key &&
        Math.abs(Date.parse(row.filedAt) - at) < 31 * HOUR,
    )
    assert.ok(filed, `${occurrence.assets[0]?.key}`)
  }
})

test('the sold and the remaining amount of an offering add up, and most issuers are not listed', () => {
  for (const row of privatePlacements) {
    if (row.totalOfferingAmount === null) assert.equal(row.totalRemaining, null)
    else assert.equal(row.totalOfferingAmount, row.totalAmountSold + (row.totalRemaining ?? 0))
    assert.equal(row.investorCount === 0, row.totalAmountSold === 0)
    if (row.firstSaleDate === null) assert.ok(row.totalAmountSold === 0 || row.isAmendment)
    else assert.ok(row.firstSaleDate <= row.filingDate)
    assert.ok(row.relatedPersons.length > 0)
  }
  const listed = privatePlacements.filter((row) => row.assetKey !== null).length
  assert.ok(listed > 0 && listed < privatePlacements.length * 0.15)
})
