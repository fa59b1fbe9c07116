import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import {
  COMPANY_FACTS,
  FORM_144,
  OWNERSHIP,
  THIRTEEN_F_TABLE,
  TICKERS_EXCHANGE,
  thirteenFCover,
} from '../../../test/edgar-answers.ts'
import { columnsOf, EdgarSimulator, type SimulatedFiling } from '../../../test/edgar-simulator.ts'
import { FakeClock, onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { Ingest } from '../../ingest/ingest.ts'
import type { SecDataset } from '../../model/sec/datasets.ts'
import type { SecRecord } from '../../model/sec/record.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../model/time.ts'
import { createStore, type Store } from '../../store/store.ts'
import { Fetcher } from '../fetch/fetcher.ts'
import { SourceRunner } from '../runner.ts'
import { SourceSink } from '../sink.ts'
import { SourceManager } from '../source-manager.ts'

const XML = OWNERSHIP.slice(OWNERSHIP.indexOf('<ownershipDocument>'), OWNERSHIP.indexOf('</XML>'))
const FORM_4 = XML.replace('4/A', '4').replace(/<dateOfOriginal.*\n/, '')

/** A Monday in winter. */
const START = Date.parse('2026-03-02T15:00:00Z')

let last = 0
const filing = (formType: string, at: number, document: string): SimulatedFiling => {
  last += 1
  return {
    accessionNumber: `0001234567-26-${String(last).padStart(6, '0')}`,
    formType,
    acceptedAt: isoTime(at),
    ciks: ['0001700000', '0001700001'],
    document,
  }
}

onEveryEngine('EDGAR', (engine) => {
  let simulator: EdgarSimulator
  let url: string
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let store: Store
  let ingest: Ingest
  let runner: SourceRunner
  let manager: SourceManager
  let clock: FakeClock

  before(async () => {
    simulator = new EdgarSimulator()
    url = await simulator.listen()
  })
  after(() => simulator.close())

  beforeEach(async () => {
    simulator.filings = []
    simulator.latest = () => simulator.filings
    simulator.refuse = () => undefined
    simulator.documents.clear()
    simulator.documents.set('/files/company_tickers_exchange.json', TICKERS_EXCHANGE)
    simulator.takeRequests()
    clock = new FakeClock(START)
    opened = await openTestDb(engine)
    store = createStore(opened.db)
    const onError = (error: unknown) => assert.fail(String(error))
    ingest = new Ingest({ store, clock, embedder: undefined, index: undefined, onError })
    const { intake, enrichment } = ingest
    runner = new SourceRunner({
      store,
      clock,
      sink: new SourceSink({ store, intake, enrichment, clock }),
      fetcher: new Fetcher({ allowHosts: ['127.0.0.1'], timeoutMs: 5_000, now: () => clock.now() }),
      onError,
      random: () => 0.5,
      wait: async () => {},
    })
    manager = new SourceManager({ store, runner, clock })
  })
  afterEach(async () => {
    await runner.stop()
    await ingest.stop()
    await opened.close()
  })

  const add = (options: object = {}) =>
    manager.add({ kind: 'edgar', contact: 'me@example.com', url, dataUrl: url, ...options })

  const records = async (dataset: SecDataset): Promise<SecRecord[]> => {
    const request = { filters: { includeSuperseded: true }, sort: 'filedAt:asc', limit: 100, from: undefined }
    return (await store.sec.page(dataset, request as never)).data.parse()
  }
  const numbersOf = async (dataset: SecDataset) => [
    ...new Set((await records(dataset)).map(({ accessionNumber }) => accessionNumber)),
  ]
  const submissions = () => simulator.takeRequests().filter((path) => path.endsWith('.txt'))
  const errors = async () => (await store.sources.list()).map(({ lastError }) => lastError)

  test('new filings are stored once, with the company, and not read again', async () => {
    const trade = filing('4', START - HOUR, FORM_4)
    simulator.filings = [trade, filing('144', START - HOUR / 2, FORM_144), filing('S-1', START, '')]
    await add()
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    assert.deepEqual(await numbersOf('insider-trades'), [trade.accessionNumber])
    const [first] = await records('insider-trades')
    assert.deepEqual(
      [first?.filedAt, first?.assetKey, first?.cik, (await records('planned-sales')).length],
      [isoTime(START - HOUR), 'PEBL', '0001700000', 1],
    )
    assert.equal((await store.assets.find('MOSS', START))?.cik, '0001700003')
    assert.equal(submissions().length, 2)
    assert.deepEqual([...simulator.userAgents], [`Mintick/0.1.0 me@example.com`])

    simulator.filings.push(filing('4', START + MINUTE, FORM_4))
    clock.advance(3 * MINUTE)
    await runner.runDue()
    assert.equal(submissions().length, 1)
    assert.equal((await numbersOf('insider-trades')).length, 2)
  })

  test('after an outage of days the index brings what the feed no longer lists', async () => {
    simulator.filings = [filing('4', START - HOUR, FORM_4)]
    await add()
    await runner.runDue()
    // Tuesday and Wednesday; Thursday has no index, like a holiday.
    simulator.filings.push(filing('4', START + DAY, FORM_4), filing('4', START + 2 * DAY, FORM_4))
    simulator.latest = () => simulator.filings.slice(-1)
    clock.advance(7 * DAY)
    simulator.takeRequests()
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    assert.equal((await numbersOf('insider-trades')).length, 3)
    assert.equal(submissions().length, 2)
    const [source] = await store.sources.list()
    assert.equal(source?.state.day, '2026-03-08')
  })

  test('rows of an index that cannot be read are counted once, and the others are stored', async () => {
    await add()
    await runner.runDue()
    const tuesday = filing('4', START + DAY, FORM_4)
    simulator.filings = [tuesday]
    simulator.latest = () => []
    const row = (cik: string, path: string) => `${cik}|Pebble Robotics, Inc.|4|20260303|${path}`
    const rows = [
      row('x', 'edgar/data/x'),
      row('1700000', `edgar/data/1700000/${tuesday.accessionNumber}.txt`),
      row('1', ''),
    ]
    const titles = `CIK|Company Name|Form Type|Date Filed|File Name\n${'-'.repeat(80)}`
    simulator.documents.set('/Archives/edgar/daily-index/2026/QTR1/form.20260303.idx', [titles, ...rows].join('\n'))
    clock.advance(3 * DAY)
    await runner.runDue()
    clock.advance(DAY)
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    assert.deepEqual(await numbersOf('insider-trades'), [tuesday.accessionNumber])
    const [source] = await store.sources.list()
    assert.equal(source?.rejected, 2)
  })

  test('an amendment supersedes the lines of the filing that it corrects', async () => {
    simulator.filings = [filing('4', START - 2 * HOUR, FORM_4), filing('4/A', START - HOUR, XML)]
    await add()
    await runner.runDue()
    const all = await records('insider-trades')
    const [original, amendment] = [all.slice(0, 3), all.slice(3)]
    assert.deepEqual(original.map(({ supersededById }) => supersededById).sort(), amendment.map(({ id }) => id).sort())
  })

  test('a restatement of a 13F supersedes all earlier tables of its quarter, also lines that it drops', async () => {
    const [line = ''] = /<n1:infoTable>.*?<\/n1:infoTable>/.exec(THIRTEEN_F_TABLE) ?? []
    const tableOf = (cusips: readonly string[], amendment?: string) => {
      const cover = { period: '12-31-2025', signed: '02-10-2026', total: 1, ...(amendment && { amendment }) }
      const lines = cusips.map((cusip) => line.replace('037833100', cusip))
      return `${thirteenFCover(cover)}<n1:informationTable>${lines.join('')}</n1:informationTable>`
    }
    const [one, two, three, four] = ['111111111', '222222222', '333333333', '444444444'] as const
    simulator.filings = [
      filing('13F-HR', START - 4 * HOUR, tableOf([one, two, three])),
      filing('13F-HR/A', START - 3 * HOUR, tableOf([four], 'NEW HOLDINGS')),
      filing('13F-HR/A', START - 2 * HOUR, tableOf([two, one, four], 'RESTATEMENT')),
    ]
    await add()
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    const all = (await records('institutional-holdings')) as (SecRecord & { cusip: string })[]
    const cusipOf = new Map(all.map(({ id, cusip }) => [id, cusip]))
    const replacements = all.map(({ cusip, supersededById }) => [cusip, cusipOf.get(supersededById ?? '') ?? null])
    assert.deepEqual(replacements, [
      [one, one],
      [two, two],
      // The first line stands for the table.
      [three, two],
      [four, four],
      [two, null],
      [one, null],
      [four, null],
    ])
  })

  test('the filings of a company are read back to the first one, and an interrupted run goes on', async () => {
    const filings = Array.from({ length: 5 }, (_, index) => filing('4', START - (20 - index) * DAY, FORM_4))
    const report = filing('10-Q', START - 3 * DAY, '')
    simulator.filings = filings
    const recent = [{ ...report, accessionNumber: '0001700000-25-000002' }, ...filings.slice(3).reverse()]
    simulator.documents.set(
      '/submissions/CIK0001700000.json',
      JSON.stringify({
        cik: '1700000',
        name: 'Pebble Robotics, Inc.',
        tickers: ['PEBL'],
        exchanges: ['NYSE'],
        formerNames: [{ name: 'PEBBLE TOYS INC' }],
        filings: { recent: columnsOf(recent), files: [{ name: 'CIK0001700000-submissions-001.json' }] },
      }),
    )
    simulator.documents.set(
      '/submissions/CIK0001700000-submissions-001.json',
      JSON.stringify(columnsOf(filings.slice(0, 3).reverse())),
    )
    simulator.documents.set('/api/xbrl/companyfacts/CIK0001700000.json', COMPANY_FACTS)
    let requests = 0
    simulator.refuse = (path) => (path.endsWith('.txt') && ++requests === 3 ? 503 : undefined)
    await add({ tickers: ['pebl'] })
    await runner.runDue()
    assert.match(String(await errors()), /503/)
    assert.equal((await numbersOf('insider-trades')).length, 2)

    clock.advance(2 * MINUTE)
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    assert.deepEqual(
      await numbersOf('insider-trades'),
      filings.map(({ accessionNumber }) => accessionNumber),
    )
    assert.equal(submissions().length, 6)
    const [source] = await store.sources.list()
    assert.deepEqual([source?.key, source?.state.progress], ['edgar:PEBL', { stored: 6, total: 6 }])
    assert.deepEqual((await store.assets.find('PEBL', START))?.aliases, ['PEBBLE TOYS INC'])
    const [figures] = (await records('financial-filings')) as (SecRecord & { facts: object; periodEnd: string })[]
    assert.deepEqual([figures?.formType, figures?.periodEnd], ['10-Q', '2025-06-30'])
  })

  test('filings of a time and a form come from the index of the quarter', async () => {
    simulator.filings = [
      filing('4', Date.parse('2026-02-02T15:00Z'), FORM_4),
      filing('144', Date.parse('2026-02-03T15:00Z'), FORM_144),
      filing('4', Date.parse('2026-02-20T15:00Z'), FORM_4),
    ]
    await add({ forms: ['4'], from: '2026-02-01', to: '2026-02-10' })
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    assert.deepEqual([(await numbersOf('insider-trades')).length, submissions().length], [1, 1])
  })

  test('a refusal pauses all sources of EDGAR for ten minutes', async () => {
    simulator.refuse = () => 403
    await add()
    await runner.runDue()
    const [source] = await store.sources.list()
    assert.match(String(source?.lastError), /403/)
    assert.ok((source?.nextRunAt ?? 0) >= START + 10 * MINUTE)
    simulator.refuse = () => undefined
    simulator.takeRequests()
    await add({ ciks: ['1700000'] })
    await runner.runDue()
    assert.deepEqual(simulator.takeRequests(), [])
    assert.match(String(await errors()), /refused too many requests/)
  })

  test('a document that is missing holds no other up, is read later and given up after a week', async () => {
    const [late, lost, other] = [1, 2, 3].map((hour) => filing('4', START - (4 - hour) * HOUR, FORM_4))
    assert.ok(late && lost && other)
    simulator.filings = [late, lost, other]
    let missing = [late, lost]
    simulator.refuse = (path) =>
      missing.some(({ accessionNumber }) => path.includes(accessionNumber)) ? 404 : undefined
    await add()
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    assert.deepEqual(await numbersOf('insider-trades'), [other.accessionNumber])

    // The feed does not list them any more, and their day has no index.
    simulator.latest = () => []
    simulator.filings = [late, lost].map((one) => ({ ...one, acceptedAt: isoTime(START - 30 * DAY) }))
    missing = [lost]
    clock.advance(HOUR)
    await runner.runDue()
    assert.equal((await numbersOf('insider-trades')).length, 2)

    submissions()
    for (let passed = 0; passed < 8 * DAY; passed += 6 * HOUR) {
      clock.advance(6 * HOUR)
      await runner.runDue()
    }
    assert.deepEqual(await errors(), [null])
    const tries = submissions().length
    assert.ok(tries > 2 && tries < 20, `${tries} attempts`)
    const [source] = await store.sources.list()
    assert.deepEqual([source?.rejected, source?.state.missing], [1, []])
  })

  test('an index that comes late is read when it is there', async () => {
    await add()
    await runner.runDue()
    const late = filing('4', START + HOUR, FORM_4)
    simulator.latest = () => []
    clock.advance(DAY)
    await runner.runDue()
    simulator.filings = [late]
    clock.advance(12 * HOUR)
    await runner.runDue()
    assert.deepEqual(await numbersOf('insider-trades'), [late.accessionNumber])
  })

  test('a report that a list names as another form is stored as a report', async () => {
    const report = { ...filing('10-Q', START - HOUR, ''), listedAs: '8-K' }
    const lost = { ...filing('10-Q', START - 2 * HOUR, ''), listedAs: '8-K' }
    simulator.filings = [lost, report]
    simulator.refuse = (path) => (path.includes(lost.accessionNumber) ? 404 : undefined)
    simulator.documents.set('/api/xbrl/companyfacts/CIK0001700000.json', COMPANY_FACTS)
    await add()
    await runner.runDue()
    const stored = await records('financial-filings')
    assert.deepEqual(
      stored.map(({ accessionNumber, formType, filedAt }) => [accessionNumber, formType, filedAt]),
      [[report.accessionNumber, '10-Q', report.acceptedAt]],
    )
    simulator.refuse = () => undefined
    submissions()
    clock.advance(HOUR)
    await runner.runDue()
    assert.equal(submissions().length, 1)
    assert.deepEqual(await numbersOf('financial-filings'), [lost.accessionNumber, report.accessionNumber])
    assert.deepEqual(await numbersOf('material-events'), [])
    const [source] = await store.sources.list()
    assert.deepEqual([source?.rejected, source?.lastError, source?.state.missing], [0, null, []])
  })

  test('rows of the filings of a company that cannot be read are counted, and the others are stored', async () => {
    const good = filing('4', START - DAY, FORM_4)
    simulator.filings = [good]
    const columns = (numbers: readonly string[]) =>
      columnsOf(numbers.map((accessionNumber) => ({ ...good, accessionNumber })))
    simulator.documents.set(
      '/submissions/CIK0001700000.json',
      JSON.stringify({
        cik: '1700000',
        name: 'Pebble Robotics, Inc.',
        filings: {
          recent: columns(['nonsense', good.accessionNumber]),
          files: [{ name: 'CIK0001700000-submissions-001.json' }],
        },
      }),
    )
    simulator.documents.set('/submissions/CIK0001700000-submissions-001.json', JSON.stringify(columns(['1', '2'])))
    await add({ ciks: ['1700000'] })
    await runner.runDue()
    assert.deepEqual(await errors(), [null])
    assert.deepEqual(await numbersOf('insider-trades'), [good.accessionNumber])
    const [source] = await store.sources.list()
    assert.equal(source?.rejected, 3)
  })

  test('a filing that cannot be read is counted and not read again', async () => {
    simulator.filings = [filing('4', START - HOUR, '<html>no XML</html>')]
    await add()
    await runner.runDue()
    clock.advance(3 * MINUTE)
    await runner.runDue()
    assert.equal(submissions().length, 1)
    const [source] = await store.sources.list()
    assert.deepEqual([source?.rejected, source?.lastError], [1, null])
  })
})
