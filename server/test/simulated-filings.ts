import assert from 'node:assert/strict'
import { SEC_DATASETS } from '../src/model/sec/datasets.ts'
import { DAY, HOUR, isoDay, isoTime, MINUTE } from '../src/model/time.ts'
import { datasetOfForm } from '../src/sources/edgar/filing-forms.ts'
import { parseFiling } from '../src/sources/edgar/filing-rows.ts'
import type { Store } from '../src/store/store.ts'
import { FORM_144, FORM_D, OWNERSHIP, SCHEDULE_13G, THIRTEEN_F_TABLE, thirteenFCover } from './edgar-answers.ts'
import { type SimulatedFiling, submissionOf } from './edgar-simulator.ts'

/** A Monday. Filings before are for the backfill. */
export const START = Date.parse('2026-03-02T00:00:00Z')
export const FIRST_DAY = '2025-03-03'
export const COMPANY = '0001700000'

const FORM_4 = OWNERSHIP.slice(OWNERSHIP.indexOf('<ownershipDocument>'), OWNERSHIP.indexOf('</XML>'))
const COVER = thirteenFCover({ period: '12-31-2025', signed: '02-10-2026', total: 55_000 })

/** Forms in turn: as listed, as filed, and the document. A form may change between the list and the document. */
const FORMS: readonly (readonly [listedAs: string, formType: string, document: string])[] = [
  ['4', '4', FORM_4],
  ['144', '144', FORM_144],
  ['10-Q', '10-Q', ''],
  ['4', '4/A', FORM_4],
  ['8-K', '8-K', '<html><body><p>Item 8.01 Other Events</p></body></html>'],
  ['S-1', 'S-1', ''],
  ['13F-HR', '13F-HR', COVER + THIRTEEN_F_TABLE],
  ['SCHEDULE 13G', '4', FORM_4],
  ['8-K', '10-Q', ''],
  ['D', 'D', FORM_D],
  ['SCHEDULE 13G/A', 'SCHEDULE 13G/A', SCHEDULE_13G],
]

/** Returns filings in the order of acceptance: some on each working day of a time. */
export function filingsOf(from: number, to: number, perDay: (day: number) => number): SimulatedFiling[] {
  const days = Array.from({ length: Math.ceil((to - from) / DAY) }, (_, index) => from + index * DAY)
  return days
    .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
    .flatMap((day) =>
      Array.from({ length: perDay(day) }, (_, number): SimulatedFiling => {
        const [listedAs, formType, document] = FORMS[(day / DAY + number) % FORMS.length] ?? ['4', '4', FORM_4]
        const company = number % 3 === 0 ? COMPANY : `000170001${number % 3}`
        return {
          accessionNumber: `0001234567-${isoDay(day).slice(2, 4)}-${String((day / DAY) % 1_000).padStart(3, '0')}${String(number).padStart(3, '0')}`,
          listedAs,
          formType,
          acceptedAt: isoTime(day + 15 * HOUR + number * 7 * MINUTE),
          ciks: [company, '0001700001', '0001700002'],
          document,
        }
      }),
    )
}

/** Checks that the store has exactly these filings, each with all its records once. */
export async function checkFilings(store: Store, offered: readonly SimulatedFiling[]): Promise<void> {
  const expected = offered.flatMap((filing) => {
    const { accessionNumber, formType } = filing
    const dataset = datasetOfForm(formType)
    if (dataset === undefined) return []
    const records = dataset === 'financial-filings' ? 1 : parseFiling(Buffer.from(submissionOf(filing))).rows.length
    return [`${dataset} ${accessionNumber} ${records}`]
  })
  const stored: string[] = []
  for (const dataset of SEC_DATASETS) {
    const rows = await store.sec.listAfter(dataset, { from: 0, to: await store.sec.head(dataset), limit: 100_000 })
    const byFiling = Map.groupBy(rows, ({ record }) => record.accessionNumber)
    for (const [accessionNumber, records] of byFiling) stored.push(`${dataset} ${accessionNumber} ${records.length}`)
  }
  assert.deepEqual(stored.sort(), expected.sort())
}
