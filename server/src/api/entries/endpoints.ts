import type { Static } from 'typebox'
import { filtersOf } from '../../http/params.ts'
import { textOf } from '../../ingest/entries/raw-entry.ts'
import type { Entity } from '../../model/entities.ts'
import { Entry } from '../../model/entries.ts'
import { ApiError } from '../../model/errors.ts'
import type { CursorPage, Position } from '../../model/paging.ts'
import type { SemanticSort } from '../../search/semantic-search.ts'
import type { EntryFilters, EntryParams } from '../../store/entries/entry-filters.ts'
import type { Store } from '../../store/store.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { EntryDetail, EntryDetailQuery, EntryListQuery } from './schema.ts'

export const entriesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/entries',
    access: 'key',
    summary: 'List news entries, newest first',
    cost: { credits: 1, with: { param: 'query', credits: 2 } },
    query: EntryListQuery,
    returns: 'cursor-list',
    data: Entry,
    handle({ query, page }, services) {
      const { query: question, ...rest } = query
      return entriesPage({ question, filters: filtersOf(rest), sort: query.sortBy, page }, services)
    },
  }),

  endpoint({
    method: 'GET',
    path: '/entries/:id',
    access: 'key',
    summary: 'Get a news entry',
    cost: { credits: 1 },
    params: idPath('Id of the entry'),
    query: EntryDetailQuery,
    returns: 'object',
    data: EntryDetail,
    async handle({ params, query }, services) {
      const entry = orNotFound(await services.store.entries.find(params.id, query), 'entry')
      return query.include === undefined ? entry : withIncluded(entry.parse(), query.include, services)
    },
  }),
]

/** Returns a page of entries that match the filters, found by semantic search if there is a question. */
export function entriesPage(
  request: {
    question: string | undefined
    filters: EntryParams
    inTopic?: EntryFilters['inTopic']
    sort: SemanticSort
    page: { limit: number; from: Position | undefined }
  },
  { store, search }: Pick<Services, 'store' | 'search'>,
): Promise<CursorPage<Entry>> {
  const { question, inTopic, sort } = request
  const filters = inTopic === undefined ? request.filters : { ...request.filters, inTopic }
  const { limit, from } = request.page
  if (question !== undefined) return search.page({ query: question, filters, sort, limit, from })
  if (sort === 'relevance:desc') {
    throw ApiError.invalid([{ field: 'sortBy', message: 'must not be relevance:desc without query' }])
  }
  return store.entries.page({ filters, sort, limit, from })
}

async function withIncluded(
  entry: Entry,
  include: readonly string[],
  { store, enrichment, clock }: Services,
): Promise<Static<typeof EntryDetail>> {
  const now = clock.now()
  const { publisherId, clusterId } = orNotFound(await store.entries.findRelations(entry.id), 'entry')
  const answer: Static<typeof EntryDetail> = { ...entry }
  if (include.includes('entities')) answer.entities = await entitiesOf(entry, store, enrichment)
  const publisher = include.includes('publisher') ? await store.publishers.find(publisherId, now) : undefined
  if (publisher !== undefined) answer.publisher = publisher
  if (include.includes('cluster')) {
    answer.cluster = clusterId === null ? null : ((await store.clusters.find(clusterId, now)) ?? null)
  }
  return answer
}

/** Returns the entry's assets with their mentions in the text. */
async function entitiesOf(entry: Entry, store: Store, enrichment: Services['enrichment']): Promise<Entity[]> {
  const content = await store.entries.findContent(entry.id)
  const entities = await enrichment.entitiesOf(textOf({ ...entry, content }))
  return entities.filter(({ assetKey }) => entry.assetKeys.includes(assetKey))
}
