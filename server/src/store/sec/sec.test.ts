import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { stableId } from '../../model/ids.ts'
import type { CursorPage, Position } from '../../model/paging.ts'
import { type InsiderTrade, ownerRoleOf } from '../../model/sec/insider-trades.ts'
import type { NewRecord } from '../../model/sec/record.ts'
import { isoDay, isoTime } from '../../model/time.ts'
import { createRandom, type Random } from '../../sample/world/random.ts'
import { assetsStore } from '../assets.ts'
import { countsStore } from '../counts/counts.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import type { AsOf } from '../lists/past-query.ts'
import { createStore } from '../store.ts'
import type { Sec } from './sec.ts'
import type { SecFilters } from './sec-tables.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const COUNT = 700
const companies = builtInAssets.filter(({ cik }) => cik !== null).slice(0, 6)
const OWNERS = ['Ada Quillon', 'Bram van Ostrik', 'Élise Marchand', 'Chen Li-Wei']

/** Few distinct values, so that many rows tie and the tie-breaker decides. */
function trade(random: Random, number: number): NewRecord<InsiderTrade> {
  const company = random.chance(0.1) ? undefined : random.pick(companies)
  const filedAt = NOW - random.int(0, 40) * 43_200_000
  const value = random.chance(0.3) ? null : random.int(0, 30) * 1_000.25
  const owner = random.int(0, 3)
  const isAmendment = random.chance(0.1)
  return {
    id: stableId('trade', String(number)),
    accessionNumber: `0009999999-26-${String(Math.floor(number / 3)).padStart(6, '0')}`,
    formType: isAmendment ? '4/A' : random.pick(['3', '4', '5']),
    isAmendment,
    supersedesId: isAmendment && number > 0 ? stableId('trade', String(random.int(0, COUNT - 1))) : null,
    filedAt: isoTime(filedAt),
    filingDate: isoDay(filedAt),
    periodOfReport: null,
    cik: company?.cik ?? '0009000000',
    companyName: company?.name ?? 'Unlisted Sample Holdings',
    ticker: company?.symbol ?? null,
    assetKey: company?.key ?? null,
    filingUrl: 'https://sec.sample.example/x',
    ownerCik: `000000000${owner}`,
    ownerName: OWNERS[owner] ?? '',
    isDirector: random.chance(0.5),
    isOfficer: random.chance(0.5),
    isTenPercentOwner: false,
    officerTitle: null,
    transactionDate: random.chance(0.2) ? null : isoDay(filedAt - random.int(0, 3) * 86_400_000),
    transactionCode: random.pick(['P', 'S', null]),
    transactionType: random.pick(['purchase', 'sale', 'other'] as const),
    isOpenMarket: random.chance(0.5),
    acquiredDisposed: random.pick(['A', 'D', null] as const),
    securityTitle: 'Common stock',
    isDerivative: random.chance(0.3),
    isHolding: false,
    shares: null,
    pricePerShare: null,
    value,
    sharesOwnedAfter: null,
    ownershipType: 'direct',
    ownershipNature: null,
    exercisePrice: null,
    exerciseDate: null,
    expirationDate: null,
    underlyingSecurityTitle: null,
    underlyingShares: null,
    is10b5One: null,
    footnotes: [],
    lineNumber: (number % 3) + 1,
  }
}

const random = createRandom('sec-store')
const WORLD = Array.from({ length: COUNT }, (_, number) => trade(random, number))
const superseded = new Set(WORLD.map(({ supersedesId }) => supersedesId))

/** Returns what superseded a record up to a time, in the order of acceptance. */
const supersedersOf = (id: string, asOf = Infinity) =>
  WORLD.filter(({ supersedesId, filedAt }) => supersedesId === id && Date.parse(filedAt) <= asOf).sort(
    (a, b) => Date.parse(a.filedAt) - Date.parse(b.filedAt) || (a.id < b.id ? -1 : 1),
  )

type Line = Pick<InsiderTrade, 'accessionNumber' | 'ownerCik' | 'transactionType' | 'acquiredDisposed' | 'value'>
const SAME = ['accessionNumber', 'ownerCik', 'transactionType', 'acquiredDisposed'] as const

/** Sums up the lines of a filing that belong together, in whole cents. */
function filingValueOf(row: Line, lines: readonly Line[] = WORLD): number | null {
  const own = lines.filter((line) => SAME.every((field) => line[field] === row[field]))
  const cents = own.flatMap(({ value }) => (value === null ? [] : Math.round(value * 100)))
  return cents.length === 0 ? null : cents.reduce((sum, value) => sum + value, 0) / 100
}

type Test = (row: NewRecord<InsiderTrade>) => boolean
type Filters = SecFilters['insider-trades']
type Asked = [filters: Filters, matches: Test]

const some = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const time = fc.integer({ min: 0, max: 42 }).map((steps) => NOW - steps * 43_200_000)
const amount = fc.integer({ min: 0, max: 31 }).map((steps) => steps * 1_000)
const asked = <Name extends keyof Filters>(name: Name, value: Filters[Name], matches: Test): Asked => [
  { [name]: value },
  matches,
]

/** The filters of the list, each with a naive predicate. */
const filters: fc.Arbitrary<Asked> = fc.oneof(
  some(companies.flatMap(({ cik }) => cik ?? [])).map((ciks) =>
    asked(
      'cik',
      ciks.map((cik) => cik.replace(/^0+/, '')),
      (row) => ciks.includes(row.cik),
    ),
  ),
  some([...companies.map(({ symbol }) => symbol), 'NONE']).map((tickers) =>
    asked('ticker', tickers, (row) => tickers.includes(row.ticker ?? '')),
  ),
  some([...companies.map(({ key }) => key), 'NONE']).map((keys) =>
    asked('assetKey', keys, (row) => keys.includes(row.assetKey ?? '')),
  ),
  some(['3', '4', '4/A', '5']).map((forms) => asked('formType', forms, (row) => forms.includes(row.formType))),
  some(['P', 'S']).map((codes) => asked('transactionCode', codes, (row) => codes.includes(row.transactionCode ?? ''))),
  some(['0000000001', '0000000003']).map((ciks) => asked('ownerCik', ciks, (row) => ciks.includes(row.ownerCik))),
  fc
    .constantFrom('quillon', 'élise march', 'Li-Wei', 'van  ostrik')
    .map((name) =>
      asked(
        'ownerName',
        name,
        (row) => row.ownerName === OWNERS[['quillon', 'van  ostrik', 'élise march', 'Li-Wei'].indexOf(name)],
      ),
    ),
  fc.boolean().map((isOfficer) => asked('isOfficer', isOfficer, (row) => row.isOfficer === isOfficer)),
  fc.boolean().map((isAmendment) => asked('isAmendment', isAmendment, (row) => row.isAmendment === isAmendment)),
  amount.map((least) => asked('valueMin', least, (row) => row.value !== null && row.value >= least)),
  amount.map((most) => asked('valueMax', most, (row) => row.value !== null && row.value <= most)),
  amount.map((least) => asked('filingValueMin', least, (row) => (filingValueOf(row) ?? -1) >= least)),
  amount.map((most) => asked('filingValueMax', most, (row) => (filingValueOf(row) ?? Infinity) <= most)),
  time.map((at) => asked('filedAfter', at, (row) => Date.parse(row.filedAt) >= at)),
  time.map((at) => asked('filedBefore', at, (row) => Date.parse(row.filedAt) <= at)),
  time.map((at) =>
    asked('transactionAfter', at, (row) => row.transactionDate !== null && Date.parse(row.transactionDate) >= at),
  ),
  fc.constantFrom('apple', '"apple inc"', 'quillon apple', '-quillon', 'quillon or marchand', 'zebra').map((search) => {
    const has = (row: NewRecord<InsiderTrade>, word: string) =>
      `${row.companyName} ${row.ownerName}`.toLowerCase().includes(word)
    const tests: Record<string, Test> = {
      apple: (row) => has(row, 'apple'),
      '"apple inc"': (row) => has(row, 'apple inc'),
      'quillon apple': (row) => has(row, 'quillon') && has(row, 'apple'),
      '-quillon': (row) => !has(row, 'quillon'),
      'quillon or marchand': (row) => has(row, 'quillon') || has(row, 'marchand'),
    }
    return asked('search', search, tests[search] ?? (() => false))
  }),
)

const SORTS: Record<string, (row: NewRecord<InsiderTrade>) => number> = {
  filedAt: (row) => Date.parse(row.filedAt),
  transactionDate: (row) => (row.transactionDate === null ? -Infinity : Date.parse(row.transactionDate)),
  value: (row) => row.value ?? -Infinity,
  filingValue: (row) => filingValueOf(row) ?? -Infinity,
}

onEveryEngine('SEC records', (engine) => {
  let sec: Sec
  let close: () => Promise<void>
  before(async () => {
    const test = await openTestDb(engine)
    close = test.close
    await assetsStore(test.db, countsStore(test.db)).insert(builtInAssets, NOW)
    sec = createStore(test.db).sec
    // Amendments may arrive before the records they replace.
    for (let start = 0; start < COUNT; start += 100) {
      const filings = WORLD.slice(start, start + 100).map((record) => ({ record }))
      assert.equal(await sec.insert('insider-trades', filings, NOW), 100)
      assert.equal(await sec.insert('insider-trades', filings, NOW), 0)
    }
  })
  after(() => close())

  test('a superseded record appears only on request and names its replacement', async () => {
    const all = await readAll(sec, { includeSuperseded: true }, 'filedAt:desc', 100)
    assert.equal(all.length, COUNT)
    for (const row of all) {
      const replacement = WORLD.find(({ id }) => id === row.supersededById)
      assert.equal(row.supersededById !== null, superseded.has(row.id))
      if (replacement !== undefined) assert.equal(replacement.supersedesId, row.id)
    }
    const current = await readAll(sec, {}, 'filedAt:desc', 100)
    assert.equal(current.length, all.filter(({ supersededById }) => supersededById === null).length)
    assert.equal(await sec.total('insider-trades'), current.length)
  })

  test('pages match a naive filter and sort, forwards and backwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(filters, { maxLength: 3 }),
        fc.constantFrom(...Object.keys(SORTS)),
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 7, max: 100 }),
        fc.boolean(),
        fc.option(fc.tuple(time, fc.integer({ min: -1, max: 1 })).map(([at, more]) => at + more)),
        async (given, sort, direction, limit, includeSuperseded, past) => {
          const asOf = past ?? Infinity
          const options = { includeSuperseded, ...(past !== null && { asOf }) }
          const query: Filters & AsOf = Object.assign(options, ...given.map(([filter]) => filter))
          // The last of two filters with the same name counts.
          const tests = new Map(given.map(([filter, matches]) => [Object.keys(filter)[0], matches]))
          const keyOf = SORTS[sort] ?? (() => 0)
          const sign = direction === 'asc' ? 1 : -1
          const expected = WORLD.map((row, index) => ({ row, index }))
            .filter(({ row }) => Date.parse(row.filedAt) <= asOf)
            .filter(({ row }) => includeSuperseded || supersedersOf(row.id, asOf).length === 0)
            .filter(({ row }) => [...tests.values()].every((matches) => matches(row)))
            .sort((a, b) => sign * (compare(keyOf(a.row), keyOf(b.row)) || a.index - b.index))
            .map(({ row }) => ({
              id: row.id,
              supersededById: supersedersOf(row.id, asOf).at(-1)?.id ?? null,
              filingValue: filingValueOf(row),
            }))
          const read = await readAll(sec, query, `${sort}:${direction}`, limit)
          assert.deepEqual(
            read.map(({ id, supersededById, filingValue }) => ({ id, supersededById, filingValue })),
            expected,
          )
        },
      ),
      { numRuns: runs(engine === 'sqlite' ? 8 : 3, engine === 'sqlite' ? 120 : 60) },
    )
  })
})

onEveryEngine('the value of a filing', (engine) => {
  const MARK = 'https://sec.sample.example/removed'
  /** Lines of few filings: the place is the id, so that a later line with the same place revises it. */
  const line = fc.record({
    place: fc.nat({ max: 9 }),
    filing: fc.nat({ max: 2 }),
    owner: fc.nat({ max: 1 }),
    transactionType: fc.constantFrom('purchase' as const, 'sale' as const),
    acquiredDisposed: fc.constantFrom('A' as const, null),
    value: fc.option(fc.integer({ min: -5, max: 1e9 }).map((cents) => cents / 100)),
    supersedes: fc.option(fc.nat({ max: 9 }), { freq: 4 }),
    isRemoved: fc.boolean(),
  })
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: ({ place }) => place }) },
    { weight: 1, arbitrary: fc.constant('remove' as const) },
  )

  test('it is the sum of its lines, whatever arrives, is revised, superseded or removed', async () => {
    const { db, close } = await openTestDb(engine)
    const sec = createStore(db).sec
    let world = 0
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          world += 1
          const cik = String(world).padStart(10, '0')
          const idOf = (place: number) => stableId('line', `${world} ${place}`)
          const expected = new Map<string, NewRecord<InsiderTrade>>()
          for (const step of steps) {
            if (step === 'remove') {
              await sec.removeContaining('insider-trades', MARK, 100, NOW)
              for (const [id, { filingUrl }] of expected) if (filingUrl === MARK) expected.delete(id)
              continue
            }
            const records = step.map(({ place, filing, owner, supersedes, isRemoved, ...fields }) => ({
              ...trade(createRandom('line'), place),
              ...fields,
              id: idOf(place),
              cik,
              accessionNumber: `${world} ${filing}`,
              filedAt: isoTime(NOW + filing * 86_400_000),
              ownerCik: `000000000${owner}`,
              supersedesId: supersedes === null ? null : idOf(supersedes),
              filingUrl: isRemoved ? MARK : 'https://sec.sample.example/kept',
            }))
            await sec.upsert(
              'insider-trades',
              records.map((record) => ({ record })),
              NOW,
            )
            for (const record of records) expected.set(record.id, record)
          }
          const filters = { cik: [cik], includeSuperseded: true }
          const byValue = await readAll(sec, filters, 'filingValue:asc', 100)
          const lines = [...expected.values()]
          assert.deepEqual(
            new Map(byValue.map(({ id, filingValue }) => [id, filingValue])),
            new Map(lines.map((one) => [one.id, filingValueOf(one, lines)])),
          )
          const sums = byValue.map(({ filingValue }) => filingValue ?? -Infinity)
          assert.deepEqual(sums, sums.toSorted(compare))
          for (const day of [0, 1, 2]) {
            const past = await readAll(sec, { ...filters, asOf: NOW + day * 86_400_000 }, 'filedAt:asc', 100)
            for (const one of past) assert.equal(one.filingValue, filingValueOf(one, lines))
          }
        }),
        { numRuns: runs(engine === 'sqlite' ? 25 : 8, 300) },
      )
    } finally {
      await close()
    }
  })

  test('the migration fills it for trades that the store already has', async () => {
    const { db, close } = await openTestDb(engine)
    try {
      const filings = WORLD.map((record) => ({ record }))
      await createStore(db).sec.insert('insider-trades', filings, NOW)
      const read = () => readAll(createStore(db).sec, { includeSuperseded: true }, 'filingValue:desc', 100)
      const before = await read()
      await undoFilingValues(db)
      await migrate(db, NOW)
      assert.deepEqual(await read(), before)
    } finally {
      await close()
    }
  })
})

/** Takes the store back to before the migration. */
async function undoFilingValues(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('drop index sec_insider_trades_by_filing_value')
    await tx.query('drop index sec_insider_trades_by_cik_filing_value')
    await tx.query('alter table sec_insider_trades drop column filing_value')
    await tx.query('alter table sec_insider_trades drop column acquired_disposed')
    await tx.query("delete from migrations where name like '031-%'")
    const rows = await tx.query<{ seq: number; doc: string }>('select seq, doc from sec_insider_trades_docs')
    for (const { seq, doc } of rows) {
      const { filingValue: _, ownerRole: __, ...before } = JSON.parse(doc) as InsiderTrade
      await tx.query('update sec_insider_trades_docs set doc = $1 where seq = $2', [JSON.stringify(before), seq])
    }
  })
}

test('the role of an insider is stated in words', () => {
  const nobody = { officerTitle: null, isOfficer: false, isDirector: false, isTenPercentOwner: false }
  assert.equal(ownerRoleOf(nobody), null)
  assert.equal(ownerRoleOf({ ...nobody, isDirector: true }), 'Director')
  assert.equal(ownerRoleOf({ ...nobody, isTenPercentOwner: true }), '10% Owner')
  assert.equal(ownerRoleOf({ ...nobody, isOfficer: true }), 'Officer')
  assert.equal(ownerRoleOf({ ...nobody, isOfficer: true, officerTitle: 'CEO', isDirector: true }), 'CEO, Director')
})

onEveryEngine('SEC filings', (engine) => {
  const EMPTY = { formType: '4', isAmendment: false, supersedesId: null, assetKey: null, ticker: null } as const
  const accessionNumber = (filing: number) => `0001111111-26-${String(filing).padStart(6, '0')}`

  /** Filings of one to three records, some of which supersede others, accepted at few distinct times. */
  const filing = fc.record({
    day: fc.integer({ min: 0, max: 5 }),
    lines: fc.integer({ min: 0, max: 3 }),
    supersedes: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
  })

  test('whole filings supersede others, in whatever order they arrive', async () => {
    const { db, close } = await openTestDb(engine)
    const sec = createStore(db).sec
    let world = 0
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(filing, { minLength: 1, maxLength: 6 }),
          fc.array(fc.nat({ max: 5 }), { minLength: 12, maxLength: 12 }),
          async (given, order) => {
            world += 1
            const cik = String(world).padStart(10, '0')
            const nameOf = (place: number) => accessionNumber(world * 10 + place)
            const filings = given.map(({ day, lines, supersedes }, place) => {
              const acceptedAt = NOW + day * 86_400_000
              const records = Array.from({ length: lines }, (_, line) => ({
                record: {
                  ...trade(createRandom('filing'), line),
                  ...EMPTY,
                  id: stableId('filing', `${world} ${place} ${line}`),
                  accessionNumber: nameOf(place),
                  filedAt: isoTime(acceptedAt),
                  cik,
                },
              }))
              return { accessionNumber: nameOf(place), acceptedAt, supersedes: supersedes.map(nameOf), records }
            })
            // Some twice, and at last all of them, alone or together.
            for (const place of order) {
              const one = filings[place]
              if (one !== undefined) await sec.add('insider-trades', [one], NOW)
            }
            await sec.add('insider-trades', filings, NOW)
            assert.equal(await sec.add('insider-trades', [...filings, ...filings], NOW), 0)

            for (const asOf of [undefined, ...Array.from({ length: 7 }, (_, day) => NOW + day * 86_400_000 - 1)]) {
              const isKnown = ({ acceptedAt }: { acceptedAt: number }) => acceptedAt <= (asOf ?? Infinity)
              const known = filings.filter(isKnown)
              const hidden = new Set(known.flatMap(({ supersedes }) => supersedes))
              const expected = known
                .filter((one) => !hidden.has(one.accessionNumber))
                .flatMap(({ records }) => records.map(({ record }) => record.id))
              const past = asOf === undefined ? {} : { asOf }
              const read = await readAll(sec, { cik: [cik], ...past }, 'filedAt:asc', 100)
              assert.deepEqual(read.map(({ id }) => id).sort(), expected.sort())
              for (const { record } of filings.flatMap(({ records }) => records)) {
                const found = (await sec.find('insider-trades', record.id, past))?.parse()
                assert.equal(found !== undefined, Date.parse(record.filedAt) <= (asOf ?? Infinity))
                const by = known.find(({ records }) => records[0]?.record.id === found?.supersededById)
                if (found?.supersededById != null) assert.ok(by?.supersedes.includes(found.accessionNumber))
                if (expected.includes(record.id)) assert.equal(found?.supersededById, null)
              }
            }
          },
        ),
        { numRuns: runs(6, 60) },
      )
    } finally {
      await close()
    }
  })
})

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

/** Reads all pages forwards and backwards; both must be equal. */
async function readAll(sec: Sec, filters: Filters & AsOf, sort: string, limit: number): Promise<InsiderTrade[]> {
  const forwards: InsiderTrade[] = []
  let from: Position | undefined
  let page: CursorPage<InsiderTrade>
  const pages: InsiderTrade[][] = []
  do {
    page = (await sec.page('insider-trades', { filters, sort, limit, from })) as CursorPage<InsiderTrade>
    const rows = page.data.parse()
    assert.equal(rows.length, page.count)
    pages.push(rows)
    forwards.push(...rows)
    from = page.last === null ? undefined : { direction: 'after', key: page.last, inclusive: false }
  } while (page.hasMore)
  assert.equal(page.totalCount, forwards.length)
  for (const expected of pages.toReversed().slice(1)) {
    assert.ok(page.hasPrev && page.first !== null)
    from = { direction: 'before', key: page.first, inclusive: false }
    page = (await sec.page('insider-trades', { filters, sort, limit, from })) as CursorPage<InsiderTrade>
    assert.deepEqual(page.data.parse(), expected)
  }
  assert.equal(page.hasPrev, false)
  return forwards
}
