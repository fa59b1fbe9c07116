import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceAt, sampleContext } from '../../../../test/sample-context.ts'
import { DAY } from '../../../model/time.ts'
import { recordsOf, sampleSec } from './sec.ts'

/** Insider trades and planned sales. */

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)
const sec = sampleSec(sampleContext(NOW))
const insiderTrades = recordsOf(sec, 'insider-trades')
const plannedSales = recordsOf(sec, 'planned-sales')
const transactions = insiderTrades.filter((row) => !row.isHolding)

const types: Record<string, string> = {
  P: 'purchase',
  S: 'sale',
  A: 'grant',
  M: 'exercise',
  F: 'tax_withholding',
  G: 'gift',
  C: 'conversion',
  J: 'other',
}

test('the code of a transaction decides its type and whether it was on the open market; every code is there', () => {
  assert.deepEqual(new Set(transactions.map((row) => row.transactionCode)), new Set(Object.keys(types)))
  for (const row of transactions) {
    assert.equal(row.transactionType, types[row.transactionCode ?? ''])
    assert.equal(row.isOpenMarket, row.transactionCode === 'P' || row.transactionCode === 'S')
    if (row.transactionCode === 'P' || row.transactionCode === 'A') assert.equal(row.acquiredDisposed, 'A')
    if (['S', 'F', 'G'].includes(row.transactionCode ?? '')) assert.equal(row.acquiredDisposed, 'D')
    assert.ok(row.acquiredDisposed !== null)
    assert.ok((row.shares ?? 0) > 0)
    assert.ok((row.sharesOwnedAfter ?? -1) >= 0)
  }
})

test('value is shares times price, and nobody pays for a gift', () => {
  for (const row of transactions) {
    if (row.pricePerShare === null) assert.equal(row.value, null)
    else assert.ok(Math.abs((row.value ?? 0) - (row.shares ?? 0) * row.pricePerShare) < 0.01)
    if (row.transactionCode === 'G') assert.equal(row.pricePerShare, null)
  }
})

test('prices on the open market are close to those of the market on the day', () => {
  for (const row of transactions.filter((trade) => trade.isOpenMarket)) {
    const price = priceAt(row.assetKey ?? '', Date.parse(row.transactionDate ?? '') + DAY / 2) ?? 0
    assert.ok(Math.abs((row.pricePerShare ?? 0) / price - 1) < 0.03, `${row.pricePerShare} instead of ${price}`)
  }
})

test('Form 4 follows the transaction within two weekdays, and dates are in order', () => {
  for (const row of transactions) {
    assert.ok(row.transactionDate !== null && row.transactionDate <= row.filingDate)
    assert.equal(row.periodOfReport, row.transactionDate)
    const days = (Date.parse(row.filingDate) - Date.parse(row.transactionDate)) / DAY
    if (row.formType === '4') assert.ok(days >= 1 && days <= 4, `${days}`)
  }
})

test('Form 3 reports holdings and no transactions', () => {
  for (const row of insiderTrades) {
    assert.equal(row.isHolding, row.formType.startsWith('3'))
    if (!row.isHolding) continue
    assert.deepEqual(
      [row.transactionDate, row.transactionCode, row.acquiredDisposed, row.shares, row.value, row.is10b5One],
      [null, null, null, null, null, null],
    )
    assert.ok((row.sharesOwnedAfter ?? 0) > 0)
  }
  const firstFilings = insiderTrades.filter((row) => row.formType === '3')
  assert.ok(firstFilings.length >= 30)
  const appointed = new Map(firstFilings.map((row) => [row.accessionNumber, row.ownerCik]))
  assert.equal(new Set(appointed.values()).size, appointed.size, 'nobody is appointed twice')
})

test('derivatives have their exercise fields, other securities have none', () => {
  assert.ok(insiderTrades.filter((row) => row.isDerivative).length >= 80)
  for (const row of insiderTrades) {
    const fields = [row.exercisePrice, row.exerciseDate, row.expirationDate, row.underlyingSecurityTitle]
    assert.ok(fields.every((field) => (field !== null) === row.isDerivative))
    assert.equal(row.underlyingShares !== null, row.isDerivative)
    if (row.isDerivative) assert.ok((row.exerciseDate ?? '') < (row.expirationDate ?? ''))
  }
})

test('lines of a filing have one owner and count from 1; holdings carry over from line to line', () => {
  for (const lines of Map.groupBy(insiderTrades, (row) => row.accessionNumber).values()) {
    assert.deepEqual(
      lines.map((row) => row.lineNumber),
      lines.map((_, index) => index + 1),
    )
    assert.equal(new Set(lines.map((row) => `${row.ownerCik} ${row.ownerName} ${row.cik}`)).size, 1)
    const shares = lines.filter((row) => !row.isDerivative && !row.isHolding)
    shares.slice(1).forEach((row, index) => {
      const change = (row.shares ?? 0) * (row.acquiredDisposed === 'A' ? 1 : -1)
      assert.equal(row.sharesOwnedAfter, (shares[index]?.sharesOwnedAfter ?? 0) + change)
    })
  }
})

test('owners are invented, have one name each, and are officer, director or large owner', () => {
  const names = new Map<string, string>()
  for (const row of insiderTrades) {
    assert.match(row.ownerCik, /^00091\d{5}$/)
    assert.equal(names.get(row.ownerCik) ?? row.ownerName, row.ownerName)
    names.set(row.ownerCik, row.ownerName)
    assert.ok(row.isOfficer || row.isDirector || row.isTenPercentOwner)
    assert.equal(row.isOfficer, row.officerTitle !== null)
    assert.equal(row.ownershipType === 'indirect', row.ownershipNature !== null)
  }
  assert.equal(new Set(names.values()).size, names.size)
})

test('at least twelve times three insiders or more bought the same stock within a week, and there are large sales', () => {
  const bought = insiderTrades.filter((row) => row.transactionCode === 'P' && !row.isAmendment)
  const weeks = new Set<string>()
  for (const rows of Map.groupBy(bought, (row) => row.cik).values()) {
    for (const { cik, transactionDate } of rows) {
      const start = Date.parse(transactionDate ?? '')
      const near = rows.filter((row) => {
        const days = (Date.parse(row.transactionDate ?? '') - start) / DAY
        return days >= 0 && days < 7
      })
      if (new Set(near.map((row) => row.ownerCik)).size >= 3) weeks.add(`${cik} ${Math.floor(start / (14 * DAY))}`)
    }
  }
  assert.ok(weeks.size >= 12, String(weeks.size))
  const sales = insiderTrades.filter((row) => row.transactionCode === 'S' && (row.value ?? 0) >= 5e6)
  assert.ok(sales.length >= 20, String(sales.length))
})

test('planned sales use market prices and precede the sale; many of them were carried out', () => {
  let carriedOut = 0
  for (const row of plannedSales) {
    const price = priceAt(row.assetKey ?? '', Date.parse(row.filedAt)) ?? 0
    if (!row.isAmendment) assert.ok(Math.abs(row.marketValue / (row.units * price) - 1) < 0.001)
    assert.ok(row.units > 0 && row.relationships.length > 0)
    if (!row.isAmendment) assert.ok(row.approxSaleDate >= row.filingDate)
    const sold = insiderTrades.filter(
      (trade) =>
        trade.ownerName === row.sellerName &&
        trade.cik === row.cik &&
        trade.transactionCode === 'S' &&
        trade.transactionDate === row.approxSaleDate &&
        !trade.isAmendment,
    )
    if (sold.reduce((sum, trade) => sum + (trade.shares ?? 0), 0) === row.units) carriedOut++
  }
  assert.ok(carriedOut >= 80, String(carriedOut))
})
