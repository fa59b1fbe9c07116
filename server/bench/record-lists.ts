import { SEC_DATASETS, type SecDataset, type SecRecords } from '../src/model/sec/datasets.ts'
import type { NewFiling, NewRecord, SecRecord } from '../src/model/sec/record.ts'
import { DAY, isoDay, isoTime } from '../src/model/time.ts'
import type { SampleWorld } from '../src/sources/sample/world.ts'
import { SEC_TABLES } from '../src/store/sec/sec-tables.ts'
import type { Store } from '../src/store/store.ts'
import { type BenchList, pathsOf } from './bench-list.ts'
import { byFrequency, type Copy, insertCopies } from './copies.ts'

/** What a dataset has beyond what all have: fields in which copies differ, and questions. */
interface DatasetBench<R extends SecRecord> {
  differs?(record: NewRecord<R>, copy: Copy): Partial<NewRecord<R>>
  questions(records: readonly NewRecord<R>[], ago: string): Record<string, string>
}

const DATASETS: { [Dataset in SecDataset]: DatasetBench<SecRecords[Dataset]> } = {
  'insider-trades': {
    differs: (trade, copy) => ({
      transactionDate: trade.transactionDate && isoDay(copy.at - 2 * DAY),
      value: trade.value && copy.near(trade.value),
    }),
    questions: (trades, ago) => ({
      'by transactionDate': 'sortBy=transactionDate:desc',
      'by value': 'sortBy=value:desc',
      'by value, least first': 'sortBy=value:asc',
      ownerCik: `ownerCik=${most(trades, ({ ownerCik }) => ownerCik)}`,
      ownerName: 'ownerName=philippa',
      transactionCode: 'transactionCode=P',
      transactionType: 'transactionType=sale',
      isOpenMarket: 'isOpenMarket=true',
      isOfficer: 'isOfficer=true',
      'valueMin (common)': 'valueMin=1000000',
      'valueMin (rare)': `valueMin=${quantile(
        trades.map(({ value }) => value ?? 0),
        0.998,
      )}`,
      'valueMin by value': 'valueMin=1000000&sortBy=value:desc',
      'valueMax by value': 'valueMax=1000000&sortBy=value:desc',
      transactionAfter: `transactionAfter=${ago}`,
      'cik by value': `cik=${most(trades, ({ cik }) => cik)}&sortBy=value:desc`,
      'ownerCik by value': `ownerCik=${most(trades, ({ ownerCik }) => ownerCik)}&sortBy=value:desc`,
      'filedAfter by value': `filedAfter=${ago}&sortBy=value:desc`,
      'filedBefore by value': `filedBefore=${ago}&sortBy=value:desc`,
      'cik and transactionType': `cik=${most(trades, ({ cik }) => cik)}&transactionType=sale`,
      'search by value': 'search=inc&sortBy=value:desc',
    }),
  },

  'financial-filings': {
    differs: (filing, copy) => ({ periodEnd: filing.periodEnd && isoDay(copy.at - 30 * DAY) }),
    questions: (filings, ago) => ({
      'by periodEnd': 'sortBy=periodEnd:desc',
      'item (common)': 'item=2.02',
      'items, two': 'item=2.02,7.01',
      fiscalYear: `fiscalYear=${most(filings, ({ fiscalYear }) => (fiscalYear === null ? null : String(fiscalYear)))}`,
      fiscalPeriod: 'fiscalPeriod=Q2',
      'item by periodEnd': 'item=2.02&sortBy=periodEnd:desc',
      'cik by periodEnd': `cik=${most(filings, ({ cik }) => cik)}&sortBy=periodEnd:desc`,
      'filedAfter by periodEnd': `filedAfter=${ago}&sortBy=periodEnd:desc`,
    }),
  },

  'institutional-holdings': {
    differs: (holding, copy) => ({ valueUsd: copy.near(holding.valueUsd, 0) }),
    questions: (holdings, ago) => ({
      'by valueUsd': 'sortBy=valueUsd:desc',
      managerCik: `managerCik=${most(holdings, ({ managerCik }) => managerCik)}`,
      cusip: `cusip=${most(holdings, ({ cusip }) => cusip)}`,
      positionStatus: 'positionStatus=new',
      valueUsdMin: `valueUsdMin=${quantile(
        holdings.map(({ valueUsd }) => valueUsd),
        0.8,
      )}`,
      'managerCik by valueUsd': `managerCik=${most(holdings, ({ managerCik }) => managerCik)}&sortBy=valueUsd:desc`,
      'cusip by valueUsd': `cusip=${most(holdings, ({ cusip }) => cusip)}&sortBy=valueUsd:desc`,
      'filedAfter by valueUsd': `filedAfter=${ago}&sortBy=valueUsd:desc`,
    }),
  },

  'beneficial-ownership': { questions: () => ({ isActivist: 'isActivist=true' }) },
  'private-placements': { questions: () => ({}) },
  'planned-sales': { questions: () => ({}) },

  'material-events': {
    questions: () => ({
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
  { differs, questions }: DatasetBench<SecRecords[Dataset]>,
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
    tables: [SEC_TABLES[dataset].list.table],
    async fill({ store, count }) {
      await store.assets.insert(world.assets, now)
      const source = { count, now, idOf: ({ record }: Filing) => record.id }
      await insertCopies(filings, source, copyOf, (batch) => store.sec.insert(dataset, batch, now))
    },
    questions: pathsOf(`/sec/${dataset}`, { ...secQuestions(records, ago), ...questions(records, ago) }),
  }
}

/** What can be asked of every dataset. */
function secQuestions(records: readonly NewRecord<SecRecord>[], ago: string): Record<string, string> {
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
    ticker: `ticker=${most(records, ({ ticker }) => ticker)}`,
    assetKey: `assetKey=${most(records, ({ assetKey }) => assetKey)}`,
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

export function signalList(world: SampleWorld, now: number): BenchList {
  const ago = isoTime(now - 3 * DAY)
  const asset = most(world.signals, ({ assetKey }) => assetKey)
  return {
    name: 'signals',
    tables: ['signals'],
    async fill({ store, count }) {
      await store.assets.insert(world.assets, now)
      await insertCopies(
        world.signals,
        { count, now, idOf: ({ id }) => id },
        (signal, copy) => ({
          ...signal,
          id: copy.id(signal.id),
          strength: copy.near(signal.strength, 4),
          confidence: copy.near(signal.confidence, 4),
          generatedAt: isoTime(copy.at),
          expiresAt: isoTime(copy.at + Date.parse(signal.expiresAt) - Date.parse(signal.generatedAt)),
        }),
        (batch) => store.signals.insert(batch, now),
      )
    },
    questions: pathsOf('/signals', {
      page: '',
      'oldest first': 'sortBy=generatedAt:asc',
      'by strength': 'sortBy=strength:desc',
      'by confidence': 'sortBy=confidence:desc',
      'assetKey (common)': `assetKey=${asset}`,
      'assetKey (rare)': `assetKey=${byFrequency(world.signals.map(({ assetKey }) => assetKey)).at(-1)}`,
      'assetKeys, two': `assetKey=${asset},AAPL`,
      kind: 'kind=material_event',
      'status (common)': 'status=expired',
      'status (rare)': 'status=active',
      direction: 'direction=bullish',
      horizon: 'horizon=1mo',
      strengthMin: 'strengthMin=0.5',
      'strengthMin by strength': 'strengthMin=0.5&sortBy=strength:desc',
      generatedAfter: `generatedAfter=${ago}`,
      generatedBefore: `generatedBefore=${ago}`,
      'assetKey by strength': `assetKey=${asset}&sortBy=strength:desc`,
      'kind by strength': 'kind=insider_large_sale&sortBy=strength:desc',
      'generatedAfter by strength': `generatedAfter=${ago}&sortBy=strength:desc`,
      'assetKey and kind': `assetKey=${asset}&kind=material_event`,
      'search (common)': 'search=sentiment',
      'search (rare)': 'search=dogecoin',
      'search by strength': 'search=sentiment&sortBy=strength:desc',
    }),
  }
}

export function predictionMarketList(world: SampleWorld, now: number): BenchList {
  const ahead = isoTime(now + 3 * DAY)
  return {
    name: 'prediction-markets',
    tables: ['prediction_markets', 'prediction_assets', 'prediction_topics'],
    async fill({ store, count }) {
      await insertCatalogues(store, world, now)
      await insertCopies(
        world.predictionMarkets,
        { count, now, idOf: ({ id }) => id },
        (market, copy) => ({
          ...market,
          id: copy.id(market.id),
          slug: `${market.slug}-${copy.round}`,
          volume: copy.near(market.volume),
          probability: market.probability && copy.near(market.probability, 4),
          priceChange24h: market.priceChange24h && copy.near(market.priceChange24h, 4),
          openAt: isoTime(copy.at),
          // Those that are open close as far ahead as others have closed back.
          closeAt: isoTime(market.status === 'open' ? 2 * now - copy.at + DAY : copy.at),
          history: market.history.slice(-2),
        }),
        (batch) => store.predictionMarkets.insert(batch, now),
      )
    },
    questions: pathsOf('/prediction-markets', {
      page: '',
      'least volume first': 'sortBy=volume:asc',
      'by closeAt': 'sortBy=closeAt:asc',
      'by probability': 'sortBy=probability:desc',
      'by priceChange24h': 'sortBy=priceChange24h:desc',
      'by createdAt': 'sortBy=createdAt:desc',
      assetKey: 'assetKey=BTC',
      'topicSlug (common)': 'topicSlug=earnings',
      'topicSlug (rare)': 'topicSlug=bank-of-england',
      'topicSlugs, two': 'topicSlug=earnings,bitcoin',
      category: 'category=crypto',
      venue: 'venue=manifold',
      'status (common)': 'status=open',
      'status (rare)': 'status=cancelled',
      type: 'type=scalar',
      probabilityMin: 'probabilityMin=0.5',
      'probabilityMax by probability': 'probabilityMax=0.1&sortBy=probability:desc',
      volumeMin: 'volumeMin=1000000',
      closeAfter: `closeAfter=${ahead}`,
      closeBefore: `closeBefore=${ahead}`,
      'closeAfter by closeAt': `closeAfter=${ahead}&sortBy=closeAt:asc`,
      'topicSlug by closeAt': 'topicSlug=earnings&sortBy=closeAt:asc',
      'venue by probability': 'venue=manifold&sortBy=probability:desc',
      'status by closeAt': 'status=open&sortBy=closeAt:asc',
      'search (common)': 'search=polymarket',
      'search (rare)': 'search=apple',
    }),
  }
}

export async function insertCatalogues(store: Store, world: SampleWorld, now: number): Promise<void> {
  await store.assets.insert(world.assets, now)
  await store.topics.insert(world.topics, now)
}

const most = <T>(rows: readonly T[], value: (row: T) => string | null): string =>
  encodeURIComponent(byFrequency(rows.map(value))[0] ?? '')

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
