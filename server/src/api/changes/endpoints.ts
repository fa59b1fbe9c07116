import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { lacksFeature } from '../../admission/gate.ts'
import { CHANGE_TYPES, Change, type ChangeSource, SOURCES_BY_TYPE } from '../../model/changes.ts'
import { ApiError } from '../../model/errors.ts'
import { SEC_DATASETS } from '../../model/sec/datasets.ts'
import { FEATURES } from '../../plans/plans.ts'
import { endpoint } from '../services.ts'
import { ChangeQuery } from './schema.ts'

const DESCRIPTION = [
  'Keeps a mirror exact: insert and replace records by `recordId`, delete them after a removal, and ask again with the id of the last change as `after`. Changes are in the order of commits, oldest first; none is added before one that you have read.',
  'The list reaches back to the first record, so a new mirror starts without `after`. To start with an export or with the lists instead, first take the id of the newest change, `sortBy=id:desc&limit=1`, and follow from there.',
  'Records are current. A record has at most one insert and one revision in the list: a later revision replaces the one before, and a removal both.',
  'Entries are revised when their text or what is derived from it changes, prediction markets with every change of a field, odds included, and filings also when another filing supersedes them or changes the sum of their trade. Markets are revised when their description changes, but not by prices: lastPrice and all figures from candles, intervals, historyStartAt and updatedAt may be older in a mirror.',
  'Filings are listed on plans with SEC data.',
].join(' ')

export const changesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/changes',
    access: 'key',
    summary: 'List inserts, revisions and removals of records, in the order of commits',
    description: DESCRIPTION,
    cost: { credits: 1 },
    query: ChangeQuery,
    // Records are current: a mirror of the past would be wrong.
    refusesParams: ['asOf'],
    returns: 'cursor-list',
    data: Change,
    async handle({ query, page, caller }, { store, clock }) {
      const sources = sourcesOf(query, caller)
      // Markets close at their time, when they are read.
      if (sources.includes('prediction-markets')) await store.predictionMarkets.closeDue(clock.now())
      const last = await store.changes.head()
      if ((page.from?.key[0] ?? 0) > last) {
        throw ApiError.invalid([
          {
            field: page.from?.direction ?? 'after',
            message: `is later than the last change, ${last}: the service was restored from a backup; read all changes again`,
          },
        ])
      }
      return store.changes.page({ sources, sort: query.sortBy, ...page })
    },
  }),
]

/** Returns the lists whose changes are requested. Throws if the plan does not include what is requested by name. */
function sourcesOf({ type, dataset }: Static<typeof ChangeQuery>, caller: Caller): ChangeSource[] {
  const hasFilings = FEATURES.sec.allows(caller.plan)
  if (!hasFilings && (type?.includes('filing') || dataset !== undefined)) throw lacksFeature(caller, 'sec')
  const types = CHANGE_TYPES.filter((one) => type?.includes(one) ?? true)
  const isFiling = (source: ChangeSource) => (SEC_DATASETS as readonly ChangeSource[]).includes(source)
  const isIncluded = (source: ChangeSource) => hasFilings && (dataset?.some((one) => one === source) ?? true)
  return types.flatMap((one) => SOURCES_BY_TYPE[one]).filter((source) => !isFiling(source) || isIncluded(source))
}
