import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { sampleContext } from '../../../../test/sample-context.ts'
import { builtInAssets } from '../../../catalogue/built-in/assets.ts'
import { BeneficialOwnership } from '../../../model/sec/beneficial-ownership.ts'
import type { SecDataset } from '../../../model/sec/datasets.ts'
import { FinancialFiling, FinancialFilingDetail } from '../../../model/sec/financial-filings.ts'
import { InsiderTrade } from '../../../model/sec/insider-trades.ts'
import { InstitutionalHolding } from '../../../model/sec/institutional-holdings.ts'
import { MaterialEvent } from '../../../model/sec/material-events.ts'
import { PlannedSale } from '../../../model/sec/planned-sales.ts'
import { PrivatePlacement } from '../../../model/sec/private-placements.ts'
import { DERIVED_FIELDS, type NewRecord, type SecRecord } from '../../../model/sec/record.ts'
import { DAY } from '../../../model/time.ts'
import { recordsOf, sampleSec } from './sec.ts'

/** Checks for the records of every dataset. */

const MOMENTS = { 'a Saturday': Date.UTC(2026, 2, 14, 15, 9, 26), 'a Monday night': Date.UTC(2026, 10, 16, 3, 0, 5) }

interface Dataset {
  name: SecDataset
  schema: TObject
  rows: NewRecord<SecRecord>[]
  /** From and to. */
  count: [number, number]
  forms: string[]
}

function datasetsAt(now: number): Dataset[] {
  const sec = sampleSec(sampleContext(now))
  const financialFilings = recordsOf(sec, 'financial-filings')
  return [
    dataset('insider-trades', InsiderTrade, recordsOf(sec, 'insider-trades'), [800, 1050], ['3', '4', '5', '4/A']),
    dataset('financial-filings', FinancialFiling, financialFilings, [500, 750], ['10-K', '10-Q', '8-K', '10-Q/A']),
    dataset(
      'institutional-holdings',
      InstitutionalHolding,
      recordsOf(sec, 'institutional-holdings'),
      [1000, 1400],
      ['13F-HR'],
    ),
    dataset(
      'beneficial-ownership',
      BeneficialOwnership,
      recordsOf(sec, 'beneficial-ownership'),
      [300, 420],
      ['SC 13D', 'SC 13G'],
    ),
    dataset('private-placements', PrivatePlacement, recordsOf(sec, 'private-placements'), [300, 420], ['D', 'D/A']),
    dataset('planned-sales', PlannedSale, recordsOf(sec, 'planned-sales'), [300, 420], ['144', '144/A']),
    dataset('material-events', MaterialEvent, recordsOf(sec, 'material-events'), [400, 650], ['8-K', '8-K/A']),
  ]
}

function dataset(
  name: SecDataset,
  schema: TObject,
  rows: NewRecord<SecRecord>[],
  count: [number, number],
  forms: string[],
): Dataset {
  return { name, schema, rows, count, forms }
}

for (const [moment, now] of Object.entries(MOMENTS)) {
  const datasets = datasetsAt(now)

  for (const { name, schema, rows, count, forms } of datasets) {
    test(`${name} on ${moment}: as many as promised, of all forms, and valid`, () => {
      assert.ok(rows.length >= count[0] && rows.length <= count[1], String(rows.length))
      const filed = new Set(rows.map((row) => row.formType))
      for (const form of forms) assert.ok(filed.has(form), form)
      const given = Type.Omit(schema, [...DERIVED_FIELDS])
      const check = Compile(given)
      for (const row of rows) {
        assert.ok(check.Check(row), JSON.stringify(check.Errors(row)[0]))
        assert.deepEqual(Object.keys(row).sort(), Object.keys(given.properties).sort())
      }
    })

    test(`${name} on ${moment}: filed in the last year, on weekdays, while EDGAR is open in New York`, () => {
      let last = ''
      for (const row of rows) {
        const filedAt = Date.parse(row.filedAt)
        assert.ok(filedAt > now - 365 * DAY && filedAt <= now)
        assert.ok(row.filedAt >= last, 'in the order of filing')
        last = row.filedAt
        const local = newYork(filedAt)
        assert.ok(local.weekday !== 'Sat' && local.weekday !== 'Sun', row.filedAt)
        assert.ok(local.time >= '06:00' && local.time <= '17:30', `${row.filedAt} is ${local.time} in New York`)
        assert.equal(row.filingDate, local.day)
        if (row.periodOfReport !== null) assert.ok(row.periodOfReport <= row.filingDate)
      }
      const newest = Date.parse(last)
      assert.ok(name === 'institutional-holdings' || newest > now - 7 * DAY)
    })

    test(`${name} on ${moment}: an amendment supersedes an earlier record of the same company`, () => {
      const byId = new Map(rows.map((row) => [row.id, row]))
      const superseded = new Set<string>()
      const amendments = rows.filter((row) => row.isAmendment)
      assert.ok(amendments.length >= 3 && amendments.length < rows.length * 0.1, String(amendments.length))
      for (const row of rows) {
        assert.equal(row.isAmendment, row.formType.endsWith('/A'))
        assert.equal(row.isAmendment, row.supersedesId !== null)
        if (row.supersedesId === null) continue
        const earlier = byId.get(row.supersedesId)
        assert.ok(earlier !== undefined)
        assert.ok(earlier.filedAt < row.filedAt)
        assert.equal(row.formType, `${earlier.formType}/A`)
        assert.equal(row.cik, earlier.cik)
        for (const owner of ['ownerCik', 'managerCik', 'sellerName', 'lineNumber']) {
          assert.equal(Reflect.get(row, owner), Reflect.get(earlier, owner))
        }
        assert.ok(!superseded.has(row.supersedesId), 'once')
        superseded.add(row.supersedesId)
      }
    })
  }

  test(`on ${moment}: accession numbers are invented, and one names one filing`, () => {
    const filings = new Map<string, NewRecord<SecRecord>>()
    for (const row of datasets.flatMap(({ rows }) => rows)) {
      assert.match(row.accessionNumber, /^0009\d{6}-\d{2}-\d{6}$/)
      assert.equal(row.accessionNumber.slice(11, 13), row.filingDate.slice(2, 4))
      const known = filings.get(row.accessionNumber)
      if (known === undefined) filings.set(row.accessionNumber, row)
      else {
        for (const field of ['filedAt', 'formType', 'filingUrl', 'periodOfReport'] as const) {
          assert.equal(row[field], known[field])
        }
      }
      const url = new URL(row.filingUrl)
      assert.equal(url.hostname, 'sec.sample.example')
      assert.ok(url.pathname.startsWith('/Archives/edgar/data/'))
      assert.ok(url.pathname.includes(row.accessionNumber.replaceAll('-', '')))
    }
  })

  test(`on ${moment}: ids are unique, and companies are built-in assets or have an invented CIK`, () => {
    const ids = datasets.flatMap(({ rows }) => rows.map((row) => row.id))
    assert.equal(new Set(ids).size, ids.length)
    const assets = new Map(builtInAssets.map((asset) => [asset.key, asset]))
    for (const { name, rows } of datasets) {
      for (const row of rows) {
        if (row.assetKey === null) {
          assert.equal(name, 'private-placements')
          assert.equal(row.ticker, null)
          assert.match(row.cik, /^00093\d{5}$/)
          continue
        }
        const asset = assets.get(row.assetKey)
        assert.deepEqual([row.cik, row.companyName, row.ticker], [asset?.cik, asset?.name, asset?.symbol])
      }
    }
  })

  test(`on ${moment}: details of financial filings are valid`, () => {
    const check = Compile(FinancialFilingDetail)
    for (const { detail } of sampleSec(sampleContext(now))['financial-filings']) {
      assert.ok(check.Check(detail), JSON.stringify(check.Errors(detail)[0]))
    }
  })
}

test('the same seed and time produce the same filings, another seed different ones', () => {
  const now = MOMENTS['a Saturday']
  const context = sampleContext(now)
  assert.deepEqual(sampleSec(context), sampleSec(context))
  const others = sampleSec({ ...context, seed: 'another' })
  const ids = new Set(recordsOf(sampleSec(context), 'insider-trades').map(({ id }) => id))
  assert.ok(recordsOf(others, 'insider-trades').every(({ id }) => !ids.has(id)))
})

test('filings need neither prices nor news', () => {
  const sec = sampleSec({ now: MOMENTS['a Saturday'], reports: [], priceAt: () => undefined, seed: 1 })
  for (const rows of Object.values(sec)) assert.ok(rows.length >= 150)
})

const newYorkFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  weekday: 'short',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function newYork(time: number): { weekday: string; day: string; time: string } {
  const parts = new Map(newYorkFormat.formatToParts(time).map(({ type, value }) => [type, value]))
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    weekday: get('weekday').replace('.', ''),
    day: `${get('year')}-${get('month')}-${get('day')}`,
    time: `${get('hour')}:${get('minute')}`,
  }
}
