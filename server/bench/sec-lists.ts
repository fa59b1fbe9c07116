import { SEC_DATASETS, type SecDataset, type SecRecords } from '../src/model/sec/datasets.ts'
import type { NewFiling, NewRecord, SecRecord } from '../src/model/sec/record.ts'
import { DAY, isoDay, isoTime } from '../src/model/time.ts'
import type { SampleWorld } from '../src/sample/world/world.ts'
import { SEC_TABLES } from '../src/store/sec/sec-tables.ts'
import { type BenchList, pathsOf } from './bench-list.ts'
import { byFrequency, type Copy, insertCopies, mostCommon } from './copies.ts'

/** Specifics of a dataset: fields in which copies differ, and additional queries. */
interface DatasetBench<R extends SecRecord> {
  differs?(record: NewRecord<R>, copy: Copy): Partial<NewRecord<R>>
  queries(records: readonly NewRecord<R>[], ago: string): Record<string, string>
}

const DATASETS: { [Dataset in SecDataset]: DatasetBench<SecRecords[Dataset]> } = {
  'insider-trades': {
    differs: (trade, copy) => ({
      transactionDate: trade.transactionDate && isoDay(copy.at),
      value: trade.value && copy.near(trade.value),
    }),
    queries: (trades, ago) => ({
      'by transactionDate': 'sortBy=transactionDate:desc',
      'by value': 'sortBy=value:desc',
      'by value, least first': 'sortBy=value:asc',
      ownerCik: `ownerCik=${mostCommon(trades, ({ ownerCik }) => ownerCik)}`,
      ownerName: 'ownerName=philippa',
      transactionCode: 'transactionCode=P',
      transactionType: 'transactionType=sale',
      isOpenMarket: 'isOpenMarket=true',
      isOfficer: 'isOfficer=true',
      'valueMin (common)': 'valueMin=1000000',
      'valueMin (rare)': `valueMin=${quantile(
        trades.map(({ value }) => value ?? 0),
        0.98,
      )}`,
      'valueMin by value': 'valueMin=1000000&sortBy=value:desc',
      'by filingValue': 'sortBy=filingValue:desc',
      filingValueMin: 'filingValueMin=5000000',
      'filingValueMin, purchases': 'filingValueMin=1000000&transactionType=purchase',
      'filingValueMin by filingValue': 'filingValueMin=1000000&sortBy=filingValue:desc',
      'cik by filingValue': `cik=${mostCommon(trades, ({ cik }) => cik)}&sortBy=filingValue:desc`,
      'valueMax by value': 'valueMax=1000000&sortBy=value:desc',
      transactionAfter: `transactionAfter=${ago}`,
      'cik by value': `cik=${mostCommon(trades, ({ cik }) => cik)}&sortBy=value:desc`,
      'ownerCik by value': `ownerCik=${mostCommon(trades, ({ ownerCik }) => ownerCik)}&sortBy=value:desc`,
      'filedAfter by value': `filedAfter=${ago}&sortBy=value:desc`,
      'filedBefore by value': `filedBefore=${ago}&sortBy=value:desc`,
      'cik and transactionType': `cik=${mostCommon(trades, ({ cik }) => cik)}&transactionType=sale`,
      'search by value': 'search=inc&sortBy=value:desc',
    }),
  },

  'financial-filings': {
    differs: (filing, copy) => ({ periodEnd: filing.periodEnd && isoDay(copy.at - 30 * DAY) }),
    queries: (filings, ago) => ({
      'by periodEnd': 'sortBy=periodEnd:desc',
      'item (common)': 'item=2.02',
      'items, two': 'item=2.02,7.01',
      fiscalYear: `fiscalYear=${mostCommon(filings, ({ fiscalYear }) => (fiscalYear === null ? null : String(fiscalYear)))}`,
      fiscalPeriod: 'fiscalPeriod=Q2',
      'item by periodEnd': 'item=2.02&sortBy=periodEnd:desc',
      'cik by periodEnd': `cik=${mostCommon(filings, ({ cik }) => cik)}&sortBy=periodEnd:desc`,
      'filedAfter by periodEnd': `filedAfter=${ago}&sortBy=periodEnd:desc`,
    }),
  },

  'institutional-holdings': {
    differs: (holding, copy) => ({ valueUsd: copy.near(holding.valueUsd, 0) }),
    queries: (holdings, ago) => ({
      'by valueUsd': 'sortBy=valueUsd:desc',
      managerCik: `managerCik=${mostCommon(holdings, ({ managerCik }) => managerCik)}`,
      cusip: `cusip=${mostCommon(holdings, ({ cusip }) => cusip)}`,
      positionStatus: 'positionStatus=new',
      valueUsdMin: `valueUsdMin=${quantile(
        holdings.map(({ valueUsd }) => valueUsd),
        0.8,
      )}`,
      'managerCik by valueUsd': `managerCik=${mostCommon(holdings, ({ managerCik }) => managerCik)}&sortBy=valueUsd:desc`,
      'cusip by valueUsd': `cusip=${mostCommon(holdings, ({ cusip }) => cusip)}&sortBy=valueUsd:desc`,
      'filedAfter by valueUsd': `filedAfter=${ago}&sortBy=valueUsd:desc`,
    }),
  },

  'beneficial-ownership': { queries: () => ({ isActivist: 'isActivist=true' }) },
  'private-placements': { queries: () => ({}) },
  'planned-sales': { queries: () => ({}) },

  'material-events': {
    queries: () => ({
      'item (common)': 'item=2.02',
      'item (rare)': 'item=4.02',
      'items, two': 'item=2.02,7.01',
      'item and formType': 'item=9.01&formType=8-K%2FA',
    }),
  },
}

export function secLists(world: SampleWorld, now: number): BenchList[] {
  return SEC_DATASETS.map((dataset) => secList(dataset, DATASETS[dataset], world, now))
}

function secList<Dataset extends SecDataset>(
  dataset: Dataset,
  { differs, queries }: DatasetBench<SecRecords[Dataset]>,
  world: SampleWorld,
  now: number,
): BenchList {
  type Filing = NewFiling<SecRecords[Dataset]>
  const filings: readonly Filing[] = world.sec[dataset]
  const records = filings.map(({ record }) => record)
  const ago = isoTime(now - 3 * DAY)
  const copyOf = ({ record, detail }: Filing, copy: Copy): Filing => ({
    record: {
      ...record,
      id: copy.id(record.id),
      supersedesId: record.supersedesId && copy.id(record.supersedesId),
      accessionNumber: `${String(copy.round).padStart(10, '0')}${record.accessionNumber.slice(10)}`,
      filedAt: isoTime(copy.at),
      filingDate: isoDay(copy.at),
      ...differs?.(record, copy),
    },
    ...(detail && { detail }),
  })
  return {
    name: dataset,
    hasPast: true,
    rows: {
      tables: [SEC_TABLES[dataset].list.table],
      fill: ({ store, count }) => {
        const source = { count, now, idOf: ({ record }: Filing) => record.id }
        return insertCopies(filings, source, copyOf, (batch) => store.sec.insert(dataset, batch, now))
      },
    },
    queries: pathsOf(`/sec/${dataset}`, { ...secQueries(records, ago), ...queries(records, ago) }),
  }
}

/** Returns the queries of every dataset. */
function secQueries(records: readonly NewRecord<SecRecord>[], ago: string): Record<string, string> {
  const companies = byFrequency(records.map(({ companyName }) => companyName)).map((name) => name.split(' ')[0])
  const ciks = byFrequency(records.map(({ cik }) => cik))
  const forms = byFrequency(records.map(({ formType }) => formType)).map(encodeURIComponent)
  return {
    page: '',
    'oldest first': 'sortBy=filedAt:asc',
    'cik (common)': `cik=${ciks[0]}`,
    'cik (rare)': `cik=${ciks.at(-1)}`,
    'ciks, three': `cik=${ciks.slice(0, 3)}`,
    'cik, oldest first': `cik=${ciks[0]}&sortBy=filedAt:asc`,
    ticker: `ticker=${mostCommon(records, ({ ticker }) => ticker)}`,
    assetKey: `assetKey=${mostCommon(records, ({ assetKey }) => assetKey)}`,
    'formType (common)': `formType=${forms[0]}`,
    'formType (rare)': `formType=${forms.at(-1)}`,
    isAmendment: 'isAmendment=true',
    filedAfter: `filedAfter=${ago}`,
    filedBefore: `filedBefore=${ago}`,
    'cik and filedBefore': `cik=${ciks[0]}&filedBefore=${ago}`,
    includeSuperseded: 'includeSuperseded=true',
    'cik, includeSuperseded': `cik=${ciks[0]}&includeSuperseded=true`,
    'search (common)': 'search=inc',
    'search (middling)': `search=${companies[Math.floor(companies.length / 2)]}`,
    'search (rare)': `search=${companies.at(-1)}`,
    'search and formType': `search=inc&formType=${forms[0]}`,
  }
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
