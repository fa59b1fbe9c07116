import type { Static } from 'typebox'
import { filtersOf } from '../../http/params.ts'
import { Entry } from '../../model/entries.ts'
import type { Store } from '../../store/store.ts'
import { found, IdPath } from '../found.ts'
import { endpoint } from '../services.ts'
import { EntryDetail, EntryDetailQuery, EntryQuery } from './schema.ts'

export const entriesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/entries',
    access: 'key',
    summary: 'List news entries, newest first',
    cost: { credits: 1, with: { param: 'query', credits: 2 } },
    query: EntryQuery,
    returns: 'cursor-list',
    data: Entry,
    handle({ query, page }, { store }) {
      const { query: _query, ...filters } = filtersOf(query)
      return store.entries.page({ filters, sort: query.sortBy, ...page })
    },
  }),

  endpoint({
    method: 'GET',
    path: '/entries/:id',
    access: 'key',
    summary: 'One news entry',
    cost: { credits: 1 },
    params: IdPath,
    query: EntryDetailQuery,
    returns: 'object',
    data: EntryDetail,
    async handle({ params, query }, { store, clock }) {
      const entry = found(await store.entries.find(params.id), 'entry')
      return query.include === undefined ? entry : withIncluded(entry.parse(), query.include, store, clock.now())
    },
  }),
]

async function withIncluded(
  entry: Entry,
  include: readonly string[],
  store: Store,
  now: number,
): Promise<Static<typeof EntryDetail>> {
  const { publisherId, clusterId } = found(await store.entries.findRelations(entry.id), 'entry')
  const answer: Static<typeof EntryDetail> = { ...entry }
  const publisher = include.includes('publisher') ? await store.publishers.find(publisherId, now) : undefined
  if (publisher !== undefined) answer.publisher = publisher
  if (include.includes('cluster')) {
    answer.cluster = clusterId === null ? null : ((await store.clusters.find(clusterId, now)) ?? null)
  }
  return answer
}
