import type { TObject } from 'typebox'
import type { DailyDataset } from '../../export/daily-files.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { Entry } from '../../model/entries.ts'
import { SEC_DATASETS } from '../../model/sec/datasets.ts'
import { DAY } from '../../model/time.ts'
import type { Feature } from '../../plans/plans.ts'
import type { DatedSource } from '../../store/changes/changes.ts'
import type { ListWalk, WalkRequest } from '../../store/lists/feed-pages.ts'
import { clustersEndpoints } from '../clusters/endpoints.ts'
import { entriesEndpoints } from '../entries/endpoints.ts'
import { predictionMarketsEndpoints } from '../prediction-markets/endpoints.ts'
import { secEndpoints } from '../sec/endpoints.ts'
import type { Services } from '../services.ts'
import { signalsEndpoints } from '../signals/endpoints.ts'

type Stores = Pick<Services, 'store' | 'clock'>

/** How a list is read. Its filters are those of its endpoint, which has their types. */
interface Source {
  // biome-ignore lint/suspicious/noExplicitAny: the filters of every list
  walk(request: WalkRequest<any, any>, stores: Stores): Promise<ListWalk>
  /** Set if records belong to days, by a time that never changes. */
  daily?: {
    /** The time as the filters and the sort name it. */
    filter: string
    sort: string
    /** Returns a number that grows with each change of a record. */
    version(stores: Stores): Promise<number>
    /** Returns those of the days whose records may have been added or revised since a version; undefined for all. */
    changedDays?(stores: Stores, since: number, days: readonly number[]): Promise<number[]>
  }
}

/** Returns how the changes of a list are found in the log of changes. */
const loggedAs = (source: DatedSource) => ({
  version: ({ store }: Stores) => store.changes.head(),
  changedDays: ({ store }: Stores, since: number, days: readonly number[]) =>
    store.changes.listChangedDays(source, since, days),
})

/** The datasets by name, which is the last part of the path of their list. */
const SOURCES: Record<string, Source> = {
  entries: {
    walk: (request, { store }) => store.entries.walk(request),
    daily: { filter: 'published', sort: 'publishedAt:asc', ...loggedAs('entries') },
  },
  clusters: { walk: (request, { store, clock }) => store.clusters.walk(request, clock.now()) },
  'prediction-markets': { walk: (request, { store, clock }) => store.predictionMarkets.walk(request, clock.now()) },
  signals: {
    walk: (request, { store, clock }) => store.signals.walk(request, clock.now()),
    daily: { filter: 'generated', sort: 'generatedAt:asc', version: ({ store }) => store.signals.version() },
  },
  ...Object.fromEntries(
    SEC_DATASETS.map((dataset): [string, Source] => [
      dataset,
      {
        walk: (request, { store }) => store.sec.walk(dataset, request),
        daily: { filter: 'filed', sort: 'filedAt:asc', ...loggedAs(dataset) },
      },
    ]),
  ),
}

const LISTS: readonly AnyEndpoint<Services>[] = [
  ...entriesEndpoints,
  ...clustersEndpoints,
  ...predictionMarketsEndpoints,
  ...signalsEndpoints,
  ...secEndpoints,
]

/** A list that can be exported. */
export interface Dataset extends Source {
  name: string
  /** The endpoint of the list. */
  list: AnyEndpoint<Services>
  /** Schema of a row. */
  schema: TObject
  /** Cost of a page, before the plan's multiplier. */
  credits: number
  needs: Feature
}

export const EXPORTED: readonly Dataset[] = Object.entries(SOURCES).map(([name, source]) => {
  const list = LISTS.find(({ path, params }) => params === undefined && path.endsWith(`/${name}`))
  if (list === undefined) throw new Error(`there is no list of ${name}`)
  return {
    ...source,
    name,
    list,
    // Not what `include` may add.
    schema: name === 'entries' ? Entry : (list.data as TObject),
    credits: list.cost.credits,
    needs: list.needs === 'sec' ? 'secExport' : 'bulkExport',
  }
})

export function datasetNamed(name: string): Dataset {
  const found = EXPORTED.find((dataset) => dataset.name === name)
  if (found === undefined) throw new Error(`there is no dataset ${name}`)
  return found
}

/** Datasets with a file per day. */
export const DAILY_DATASETS = EXPORTED.flatMap(({ daily, ...dataset }) => (daily ? { ...dataset, daily } : []))

/** Returns how the records of a day are read, for each dataset that has files. */
export function dailyDatasets(stores: Stores): DailyDataset[] {
  return DAILY_DATASETS.map(({ name, schema, walk, daily }) => ({
    name,
    schema,
    walk(day) {
      const filters = { [`${daily.filter}After`]: day, [`${daily.filter}Before`]: day + DAY - 1 }
      return walk({ filters, sort: daily.sort, after: undefined }, stores)
    },
    version: () => daily.version(stores),
    changedDays: async (since, days) => daily.changedDays?.(stores, since, days) ?? days,
  }))
}
