import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import {
  FORM_144,
  FORM_D,
  OWNERSHIP,
  SCHEDULE_13G,
  THIRTEEN_F_TABLE,
  thirteenFCover,
} from '../../../test/edgar-answers.ts'
import { submissionOf } from '../../../test/edgar-simulator.ts'
import { FakeClock, onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { Ingest } from '../../ingest/ingest.ts'
import type { SecDataset } from '../../model/sec/datasets.ts'
import { HOUR, isoTime } from '../../model/time.ts'
import { createStore, type Store } from '../../store/store.ts'
import { EdgarSink } from './edgar-sink.ts'
import { type FilingRows, parseFiling } from './filing-rows.ts'
import { listStored, type StoredRecord } from './stored-records.ts'

const START = Date.parse('2026-03-02T15:00:00Z')
const HOURS = 4

interface Opened {
  store: Store
  sink: EdgarSink
  close(): Promise<unknown>
}

async function open(engine: Parameters<typeof openTestDb>[0]): Promise<Opened> {
  const clock = new FakeClock(START)
  const opened = await openTestDb(engine)
  const store = createStore(opened.db)
  const onError = (error: unknown) => assert.fail(String(error))
  const ingest = new Ingest({ store, clock, embedder: undefined, index: undefined, onError })
  const sink = new EdgarSink({ store, intake: ingest.intake, clock })
  const close = async () => {
    await ingest.stop()
    await opened.close()
  }
  return { store, sink, close }
}

const take = ({ sink }: Opened, filings: readonly FilingRows[]) =>
  sink.takeFilings({
    kind: 'filings',
    filings: [...filings],
    accessionNumbers: filings.map(({ accessionNumber }) => accessionNumber),
    reasons: [],
  })

/** Returns the records of a filer without the time of their arrival, at each hour and now. */
async function stateOf({ store }: Opened, dataset: SecDataset, filer: object) {
  const times = [undefined, ...Array.from({ length: HOURS + 1 }, (_, hour) => START + hour * HOUR - 1)]
  const lists: unknown[] = []
  for (const asOf of times) {
    for (const includeSuperseded of [false, true]) {
      const past = asOf === undefined ? {} : { asOf }
      const records = await listStored(store.sec, dataset, { ...filer, ...past, includeSuperseded })
      const fields = records.map(({ createdAt: _, ...record }) => record)
      lists.push(fields.sort((one, other) => (one.id < other.id ? -1 : 1)))
    }
  }
  return lists
}

/** A filing of a world: its hour, what it is, and a number that chooses its lines and its period. */
interface Drawn {
  hour: number
  kind: 'original' | 'amendment' | 'addition' | 'named'
  period: number
  lines: number[]
  named: number
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  hour: fc.nat({ max: HOURS - 1 }),
  kind: fc.constantFrom('original', 'amendment', 'addition', 'named'),
  period: fc.nat({ max: 1 }),
  lines: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 4 }),
  named: fc.nat({ max: 5 }),
})

const accessionNumberOf = (world: number, place: number) =>
  `0001234567-26-${String(world * 10 + place).padStart(6, '0')}`
const cikOf = (world: number) => String(1_800_000 + world).padStart(10, '0')

/** All datasets whose documents are read: lines of an owner, tables of a quarter, and single records. */
const TEMPLATES = {
  'insider-trades': { formType: '4', document: OWNERSHIP.slice(OWNERSHIP.indexOf('<ownershipDocument>')) },
  'planned-sales': { formType: '144', document: FORM_144 },
  'institutional-holdings': {
    formType: '13F-HR',
    document: `${thirteenFCover({ period: '12-31-2025', signed: '02-10-2026', total: 1 })}${THIRTEEN_F_TABLE}`,
  },
  'beneficial-ownership': { formType: 'SCHEDULE 13G', document: SCHEDULE_13G },
  'private-placements': { formType: 'D', document: FORM_D },
  'material-events': { formType: '8-K', document: '<html><body><p>Item 8.01 Other Events</p></body></html>' },
} satisfies Partial<Record<SecDataset, { formType: string; document: string }>>
type Dataset = keyof typeof TEMPLATES
/** Datasets with one record per filing. */
const SINGLE: readonly Dataset[] = ['beneficial-ownership', 'private-placements', 'material-events']

function filingOf(
  dataset: Dataset,
  { hour, kind, period, lines, named }: Drawn,
  world: number,
  place: number,
): FilingRows {
  const { formType, document } = TEMPLATES[dataset]
  const acceptedAt = isoTime(START + hour * HOUR)
  const accessionNumber = accessionNumberOf(world, place)
  const submission = submissionOf({ accessionNumber, formType, acceptedAt, ciks: ['0001700000'], document })
  const parsed = parseFiling(Buffer.from(submission))
  const [row] = parsed.rows
  assert.ok(row !== undefined)
  const isAmendment = kind !== 'original'
  const amendment = {
    number: null,
    effect: kind === 'addition' ? ('adds' as const) : ('replaces' as const),
    accessionNumber: kind === 'named' ? accessionNumberOf(world, named) : null,
    filingDate: null,
  }
  const rows = lines.map((line, index) => ({
    ...row,
    formType: isAmendment ? `${formType}/A` : formType,
    isAmendment,
    amendment: isAmendment ? amendment : null,
    periodOfReport: period === 0 ? '2025-09-30' : '2025-12-31',
    cik: cikOf(world),
    securityTitle: `Class ${line}`,
    ...(dataset === 'insider-trades' && { lineNumber: line + 1 }),
    ...(dataset === 'institutional-holdings' && {
      managerCik: cikOf(world),
      cusip: `${line}`.repeat(9),
      shares: 10 * place + index,
    }),
  }))
  // Only tables of 13F have the same line twice.
  const keys = new Set<string>()
  const isFirst = (_: unknown, index: number) => !keys.has(`${lines[index]}`) && keys.add(`${lines[index]}`)
  const distinct = dataset === 'institutional-holdings' ? rows : rows.filter(isFirst)
  return { ...parsed, rows: SINGLE.includes(dataset) ? distinct.slice(0, 1) : distinct }
}

const acceptanceOrder = (filings: readonly FilingRows[]) =>
  [...filings].sort((one, other) => {
    const [a, b] = [one.rows[0], other.rows[0]]
    return (
      Date.parse(a?.filedAt ?? '') - Date.parse(b?.filedAt ?? '') ||
      Number(a?.isAmendment) - Number(b?.isAmendment) ||
      (one.accessionNumber < other.accessionNumber ? -1 : 1)
    )
  })

/** Computes the expected changes of a 13F from the filings that were accepted before it. */
function expectedChanges(filings: readonly FilingRows[], filing: FilingRows): unknown[] {
  type Holding = FilingRows['rows'][number] & { cusip: string; shares: number }
  const [own] = filing.rows
  const tableOf = (period: string) => {
    const known = acceptanceOrder(filings).filter(
      ({ rows: [row] }) => row?.periodOfReport === period && (row.filedAt ?? '') <= (own?.filedAt ?? ''),
    )
    const whole = known.findLastIndex(({ rows: [row] }) => row?.amendment?.effect === 'replaces')
    return known.slice(Math.max(whole, 0)).flatMap(({ rows }) => rows as Holding[])
  }
  const sharesIn = (table: readonly Holding[], cusip: string) =>
    table.filter((holding) => holding.cusip === cusip).reduce((sum, { shares }) => sum + shares, 0)
  const now = tableOf(own?.periodOfReport ?? '')
  const before = own?.periodOfReport === '2025-12-31' ? tableOf('2025-09-30') : []
  return (filing.rows as Holding[]).map(({ cusip }) => {
    if (before.length === 0) return [cusip, null, null, null]
    const [shares, prior] = [sharesIn(now, cusip), sharesIn(before, cusip)]
    const moved = prior === 0 ? 'new' : shares > prior ? 'increased' : shares === 0 ? 'closed' : 'decreased'
    return [cusip, prior, shares - prior, shares === prior ? 'unchanged' : moved]
  })
}

onEveryEngine('filings of EDGAR in any order', (engine) => {
  let ordered: Opened
  let mixed: Opened
  let world = 0
  before(async () => {
    ordered = await open(engine)
    mixed = await open(engine)
  })
  after(async () => {
    await ordered.close()
    await mixed.close()
  })

  for (const dataset of Object.keys(TEMPLATES) as Dataset[]) {
    test(`${dataset} are the same as if they had arrived in the order of acceptance`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(drawn, fc.nat(), fc.boolean()), { minLength: 2, maxLength: 6 }),
          async (given) => {
            world += 1
            const filings = given.map(([one], place) => filingOf(dataset, one, world, place))
            for (const filing of acceptanceOrder(filings)) await take(ordered, [filing])
            const arrivals = given
              .map(([, order, isTogether], place) => ({ order, isTogether, filing: filings[place] }))
              .sort((one, other) => one.order - other.order)
            let together: FilingRows[] = []
            for (const { isTogether, filing } of arrivals) {
              if (filing !== undefined) together.push(filing)
              if (isTogether) continue
              await take(mixed, together)
              together = []
            }
            await take(mixed, together)
            const filer = { cik: [cikOf(world)] }
            const expected = await stateOf(ordered, dataset, filer)
            assert.ok((expected[1] as StoredRecord[]).length >= given.length)
            assert.deepEqual(await stateOf(mixed, dataset, filer), expected)
          },
        ),
        { numRuns: runs(6, 100) },
      )
    })
  }

  test('positions of a 13F are compared with the quarter before, as known at its acceptance', async () => {
    const table = drawn.map((one) => ({ ...one, kind: one.kind === 'named' ? ('original' as const) : one.kind }))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(table, { minLength: 2, maxLength: 4, selector: ({ hour }) => hour }),
        async (given) => {
          world += 1
          const filings = given.map((one, place) => filingOf('institutional-holdings', one, world, place))
          for (const filing of filings) await take(mixed, [filing])
          for (const filing of filings) {
            const filters = { accessionNumber: [filing.accessionNumber] }
            const records = await listStored(mixed.store.sec, 'institutional-holdings', filters)
            assert.deepEqual(
              records.map((record) => [record.cusip, record.priorShares, record.sharesChange, record.positionStatus]),
              expectedChanges(filings, filing),
            )
          }
        },
      ),
      { numRuns: runs(10, 100) },
    )
  })

  test('a quarter that arrives later completes the one after it', async () => {
    world += 1
    const plain = { kind: 'original' as const, named: 0 }
    const [before, after] = [
      filingOf('institutional-holdings', { ...plain, hour: 0, period: 0, lines: [1, 2] }, world, 1),
      filingOf('institutional-holdings', { ...plain, hour: 1, period: 1, lines: [0, 1] }, world, 2),
    ]
    const changes = async () => {
      const filters = { accessionNumber: [after.accessionNumber] }
      const records = await listStored(mixed.store.sec, 'institutional-holdings', filters)
      return records.map((record) => [record.priorShares, record.sharesChange, record.positionStatus])
    }
    await take(mixed, [after])
    assert.deepEqual(await changes(), [
      [null, null, null],
      [null, null, null],
    ])
    await take(mixed, [before])
    assert.deepEqual(await changes(), [
      [0, 20, 'new'],
      [10, 11, 'increased'],
    ])
    const filters = { cik: [cikOf(world)], positionStatus: ['new'], includeSuperseded: false }
    assert.equal((await listStored(mixed.store.sec, 'institutional-holdings', filters)).length, 1)
  })

  test('an original that arrives after its amendment is known from its acceptance to that of the amendment', async () => {
    world += 1
    const plain = { period: 1, lines: [0, 1], named: 0 }
    const original = filingOf('insider-trades', { ...plain, hour: 1, kind: 'original' }, world, 0)
    const amendment = filingOf('insider-trades', { ...plain, hour: 3, kind: 'amendment' }, world, 1)
    await take(mixed, [amendment])
    await take(mixed, [original])
    const numbersAt = async (asOf: number) => {
      const filters = { cik: [cikOf(world)], includeSuperseded: false, asOf }
      return (await listStored(mixed.store.sec, 'insider-trades', filters)).map((record) => record.accessionNumber)
    }
    const [first, second] = [original.accessionNumber, amendment.accessionNumber]
    assert.deepEqual(await numbersAt(START), [])
    assert.deepEqual(await numbersAt(START + HOUR), [first, first])
    assert.deepEqual(await numbersAt(START + 3 * HOUR - 1), [first, first])
    assert.deepEqual(await numbersAt(START + 3 * HOUR), [second, second])
  })
})
