import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { stableId } from '../../model/ids.ts'
import { isoDay, isoTime } from '../../model/time.ts'
import { SEC_TABLES } from '../sec/sec-tables.ts'
import { createStore } from '../store.ts'
import { Feed } from './feeds.ts'
import { ListQuery } from './list-query.ts'
import { Timelines } from './timelines.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const { list } = SEC_TABLES['private-placements']
const KNOWN = { from: 'filed_at', to: 'known_to' }

onEveryEngine('timelines', (engine) => {
  test('blocks of any size give the exact number of rows at any time, also after new rows and edits', async () => {
    const { db, close } = await openTestDb(engine)
    try {
      const sec = createStore(db).sec
      const times: number[] = []
      /** Adds records, each third of which supersedes the one seven before it. */
      const add = async (count: number) => {
        const filings = Array.from({ length: count }, () => {
          const number = times.length
          // Many at once, and in no order.
          const filedAt = START + ((number * 37) % 50) * 1_000 * (number % 2 === 0 ? 1 : 20)
          times.push(filedAt)
          return placement(number, filedAt)
        })
        await sec.insert('private-placements', filings, START)
      }
      const visibleAt = (time: number) =>
        times.filter((at, number) => {
          const by = number % 3 === 2 ? times[number + 7] : undefined
          return at <= time && !(by !== undefined && by <= time)
        }).length

      const feed = new Feed(db, list.table)
      const timelines = [1, 3, 40, 1_000].map((most) => new Timelines(feed, most))
      for (const more of [0, 1, 89, 20, 0, 60]) {
        await add(more)
        feed.changed()
        const head = await feed.head()
        const ever = (await ListQuery.for(db, list, { includeSuperseded: true }, 'filedAt:desc')) ?? assert.fail()
        for (let time = START - 1; time <= START + 1_000_000; time += 41_003) {
          const filters = { includeSuperseded: true, acceptedBy: time, knownAt: time }
          const past = (await ListQuery.for(db, list, filters, 'filedAt:desc')) ?? assert.fail()
          for (const one of timelines) {
            const counted = await one.countAt(time, 'all', [{ ...KNOWN, counts: ever.counts }], past, head.seq)
            assert.equal(counted, visibleAt(time))
          }
        }
      }
    } finally {
      await close()
    }
  })
})

function placement(number: number, filedAt: number) {
  const idOf = (one: number) => stableId('placement', String(one))
  return {
    record: {
      id: idOf(number),
      accessionNumber: `0001111111-26-${String(number).padStart(6, '0')}`,
      formType: 'D',
      isAmendment: false,
      supersedesId: number >= 7 && (number - 7) % 3 === 2 ? idOf(number - 7) : null,
      filedAt: isoTime(filedAt),
      filingDate: isoDay(filedAt),
      periodOfReport: null,
      cik: '0000000001',
      companyName: 'Sample Partners',
      ticker: null,
      assetKey: null,
      filingUrl: 'https://sec.sample.example/x',
      entityType: 'Limited Partnership',
      jurisdiction: null,
      industryGroup: 'Other',
      exemptions: [],
      securityTypes: [],
      firstSaleDate: null,
      totalOfferingAmount: null,
      totalAmountSold: 0,
      totalRemaining: null,
      minimumInvestment: null,
      investorCount: 0,
      relatedPersons: [],
    },
  }
}
