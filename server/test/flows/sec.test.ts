import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATASETS } from '../../src/api/sec/datasets.ts'
import { SEC_DATASETS, SEC_DETAILS, type SecDataset } from '../../src/model/sec/datasets.ts'
import type { SecRecord } from '../../src/model/sec/record.ts'
import { runs } from '../depth.ts'
import { assertError } from '../envelope.ts'
import { onEveryEngine, sampleForSuite } from '../harness.ts'

type Row = SecRecord & Record<string, unknown>
type Filter = [query: string, matches: (row: Row) => boolean]

const itemsOf = (row: Row) => (row.items as { code: string }[]).map(({ code }) => code)
const isBetween = (value: unknown, least: number, most = Infinity) =>
  typeof value === 'number' && value >= least && value <= most

/** Filters specific to each dataset, each with a naive predicate. */
const OWN_FILTERS: Record<SecDataset, Filter[]> = {
  'insider-trades': [
    ['ownerCik=9100650', ({ ownerCik }) => ownerCik === '0009100650'],
    ['ownerName=NEEDLE%20win', ({ ownerName }) => ownerName === 'Winifred Needlewood'],
    ['transactionCode=p,S', ({ transactionCode }) => transactionCode === 'P' || transactionCode === 'S'],
    ['transactionType=sale,gift', ({ transactionType }) => transactionType === 'sale' || transactionType === 'gift'],
    ['isOpenMarket=true', ({ isOpenMarket }) => isOpenMarket === true],
    ['isDerivative=true', ({ isDerivative }) => isDerivative === true],
    ['isOfficer=false', ({ isOfficer }) => isOfficer === false],
    ['isDirector=true&isOfficer=true', ({ isDirector, isOfficer }) => isDirector === true && isOfficer === true],
    ['valueMin=100000.5', ({ value }) => isBetween(value, 100_000.5)],
    ['filingValueMin=1000000&filingValueMax=9000000', ({ filingValue }) => isBetween(filingValue, 1e6, 9e6)],
    ['valueMin=0&valueMax=1000000', ({ value }) => isBetween(value, 0, 1_000_000)],
    ['transactionAfter=2026-01-05', ({ transactionDate: day }) => typeof day === 'string' && day >= '2026-01-05'],
    ['transactionBefore=2025-06-30', ({ transactionDate: day }) => typeof day === 'string' && day <= '2025-06-30'],
  ],
  'financial-filings': [
    ['item=2.02,9.01', (row) => itemsOf(row).some((code) => code === '2.02' || code === '9.01')],
    ['fiscalYear=2025', ({ fiscalYear }) => fiscalYear === 2025],
    ['fiscalPeriod=Q1,FY', ({ fiscalPeriod }) => fiscalPeriod === 'Q1' || fiscalPeriod === 'FY'],
  ],
  'institutional-holdings': [
    ['managerCik=0009200002', ({ managerCik }) => managerCik === '0009200002'],
    ['cusip=990023103', ({ cusip }) => cusip === '990023103'],
    ['positionStatus=new,closed', ({ positionStatus: status }) => status === 'new' || status === 'closed'],
    ['valueUsdMin=20000000', ({ valueUsd }) => isBetween(valueUsd, 20_000_000)],
  ],
  'beneficial-ownership': [
    ['isActivist=true', ({ isActivist }) => isActivist === true],
    ['isActivist=false', ({ isActivist }) => isActivist === false],
  ],
  'private-placements': [],
  'planned-sales': [],
  'material-events': [['item=5.02,8.01', (row) => itemsOf(row).some((code) => code === '5.02' || code === '8.01')]],
}

onEveryEngine('SEC datasets', (engine) => {
  const { call, get, service } = sampleForSuite(engine)
  const listAll = async (dataset: SecDataset, query = ''): Promise<Row[]> => {
    const rows: Row[] = []
    for (let after = ''; ; ) {
      const { data, meta } = await get(`/sec/${dataset}?limit=100${query}${after}`)
      rows.push(...data)
      if (meta.nextCursor === null) {
        assert.equal(meta.totalCount, rows.length)
        return rows
      }
      after = `&after=${meta.nextCursor}`
    }
  }
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

  test('the catalogue has every dataset with its count, its fields and its filters', async () => {
    const { data } = await get('/sec/datasets')
    assert.deepEqual(
      data.map(({ slug }: { slug: string }) => slug),
      SEC_DATASETS,
    )
    for (const { slug, path, recordCount, fields, filters } of data) {
      const rows = await listAll(slug)
      assert.ok(recordCount === rows.length && rows.length > 0)
      assert.equal(path, `/sec/${slug}`)
      assert.deepEqual(fields, Object.keys((await get(`${path}/${rows[0]?.id}`)).data))
      for (const name of ['search', 'cik', 'filedBefore', ...Object.keys(DATASETS[slug as SecDataset].filters)]) {
        assert.ok(filters.includes(name), name)
      }
      for (const name of ['limit', 'after', 'before', 'sortBy']) assert.ok(!filters.includes(name), name)
    }
  })

  for (const dataset of SEC_DATASETS) {
    test(`${dataset}: a record by id is that of the list, with more where there is more`, async () => {
      const detail = SEC_DETAILS[dataset]
      const all = await listAll(dataset, '&includeSuperseded=true')
      for (const row of all.filter((_, index) => index % runs(200, 40) === 0)) {
        const { data } = await get(`/sec/${dataset}/${row.id.toUpperCase()}`)
        const more = Object.keys(detail?.properties ?? {})
        assert.deepEqual(Object.keys(data), [...Object.keys(row), ...more])
        assert.deepEqual(data, { ...row, ...Object.fromEntries(more.map((name) => [name, data[name]])) })
      }
      const [other] = (await get(`/sec/${SEC_DATASETS.find((one) => one !== dataset)}?limit=1`)).data
      assertError(await call(`/sec/${dataset}/${other.id}`), 404, 'NOT_FOUND')
    })

    test(`${dataset}: what an amendment has replaced is listed only when it is asked for`, async () => {
      const [current, all] = [await listAll(dataset), await listAll(dataset, '&includeSuperseded=true')]
      assert.deepEqual(await listAll(dataset, '&includeSuperseded=false'), current)
      assert.deepEqual(
        all.filter(({ supersededById }) => supersededById === null),
        current,
      )
      const byId = new Map(all.map((row) => [row.id, row]))
      const replaced = all.filter(({ supersededById }) => supersededById !== null)
      assert.ok(replaced.length > 0)
      for (const { id, supersededById } of replaced) assert.equal(byId.get(supersededById ?? '')?.supersedesId, id)
      for (const { supersedesId, isAmendment } of all) {
        if (supersedesId === null) continue
        assert.ok(isAmendment && byId.has(supersedesId))
      }
    })

    test(`${dataset}: the filters of all datasets agree with each other and with the records`, async () => {
      const all = await listAll(dataset)
      const expect = async (query: string, matches: (row: Row) => boolean) =>
        assert.deepEqual(ids(await listAll(dataset, `&${query}`)), ids(all.filter(matches)), query)

      const listed = all.filter(({ assetKey }) => assetKey !== null)
      for (const { cik, ticker, assetKey, assetId } of listed.filter((_, index) => index % runs(400, 60) === 0)) {
        const own = (row: Row) => row.assetKey === assetKey
        await expect(`cik=${cik}`, own)
        await expect(`cik=${cik.replace(/^0+/, '')}`, own)
        await expect(`ticker=${ticker?.toLowerCase()}`, own)
        await expect(`assetKey=${assetKey?.toLowerCase()}`, own)
        await expect(`assetId=${assetId}`, own)
      }
      const [first, second] = [all[0], all.at(-1)]
      assert.ok(first && second)
      const numbers = [first.accessionNumber, second.accessionNumber]
      await expect(`cik=${first.cik},${second.cik}`, ({ cik }) => cik === first.cik || cik === second.cik)
      await expect(`accessionNumber=${numbers}`, ({ accessionNumber }) => numbers.includes(accessionNumber))
      for (const form of new Set(all.map(({ formType }) => formType))) {
        await expect(`formType=${encodeURIComponent(form.toLowerCase())}`, ({ formType }) => formType === form)
      }
      await expect('isAmendment=true', ({ isAmendment }) => isAmendment)
      await expect('isAmendment=false', ({ isAmendment }) => !isAmendment)
      const middle = all[Math.floor(all.length / 2)]?.filedAt ?? ''
      await expect(`filedAfter=${middle}`, ({ filedAt }) => filedAt >= middle)
      await expect(`filedBefore=${middle}`, ({ filedAt }) => filedAt <= middle)
      await expect(`filedAfter=${middle}&filedBefore=${middle}`, ({ filedAt }) => filedAt === middle)
      const word = /[a-z]{5,}/i.exec(first.companyName)?.[0] ?? ''
      const found = await listAll(dataset, `&search=${word}`)
      assert.ok(all.filter(({ companyName }) => companyName.includes(word)).every(({ id }) => ids(found).includes(id)))
      for (const [query, matches] of OWN_FILTERS[dataset]) await expect(query, matches)
      assert.ok(OWN_FILTERS[dataset].every(([, matches]) => all.some(matches)))
    })

    test(`${dataset}: the Free plan answers 403, for list and record, and charges nothing`, async () => {
      const free = await service.open('free', 10)
      const [{ id }] = (await get(`/sec/${dataset}?limit=1`)).data
      for (const path of [`/sec/${dataset}`, `/sec/${dataset}/${id}`, `/sec/${dataset}/none`, '/sec/datasets']) {
        assertError(await service.api(path, free.key), 403, 'FORBIDDEN')
      }
      assert.equal(await service.balance(free.id), 10)
    })
  }

  test('an unknown dataset answers 404', async () => {
    for (const path of ['/sec', '/sec/', '/sec/none', '/sec/none/1', '/sec/Insider-Trades', '/sec/insider_trades']) {
      assertError(await call(path), 404, 'NOT_FOUND')
    }
  })

  test('every own filter and every sort of a dataset is tried', async () => {
    for (const dataset of SEC_DATASETS) {
      const tried = OWN_FILTERS[dataset].flatMap(([query]) => [...new URLSearchParams(query).keys()])
      assert.deepEqual(new Set(tried), new Set(Object.keys(DATASETS[dataset].filters)))
      for (const sort of ['filedAt:desc', ...DATASETS[dataset].sorts]) {
        const [name = ''] = sort.split(':')
        const down = await listAll(dataset, `&sortBy=${name}`)
        assert.deepEqual(ids(await listAll(dataset, `&sortBy=${name}:asc`)), ids(down).reverse())
        const known = down.map((row) => row[name]).filter((value) => value !== null) as (string | number)[]
        assert.ok(known.every((value, index) => index === 0 || value <= (known[index - 1] ?? 0)))
      }
    }
  })
})
