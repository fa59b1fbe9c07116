import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { filtersOf } from '../../http/params.ts'
import type { Streaming } from '../../http/wire.ts'
import { LONGEST_CONTENT, textOf } from '../../ingest/entries/raw-entry.ts'
import type { Entity } from '../../model/entities.ts'
import { type Entry, EntryCount, EntryCountMeta } from '../../model/entries.ts'
import { ApiError } from '../../model/errors.ts'
import { Json } from '../../model/json.ts'
import type { CursorPage, Position } from '../../model/paging.ts'
import type { Publisher } from '../../model/publishers.ts'
import { EntryStreamEvent } from '../../model/streams.ts'
import type { SemanticSort } from '../../search/semantic-search.ts'
import type { EntryFilters, EntryParams } from '../../store/entries/entry-filters.ts'
import type { Store } from '../../store/store.ts'
import { type EntryStreamFilters, entryFilter } from '../../streams/entry-events.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { paramsOnlyOf, STREAM, streamDescription } from '../stream.ts'
import { countEntries, MAX_INTERVALS } from './counts.ts'
import { EntryCountQuery, EntryDetail, EntryDetailQuery, EntryListQuery, EntryStreamQuery } from './schema.ts'

/** Properties that both stream endpoints share. */
const stream = {
  ...STREAM,
  query: EntryStreamQuery,
  refusesParams: paramsOnlyOf(EntryListQuery, EntryStreamQuery),
  data: EntryStreamEvent,
} as const

export const entriesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/entries',
    access: 'key',
    summary: 'List news entries, newest first',
    cost: { credits: 1, with: { param: 'query', credits: 2 } },
    query: EntryListQuery,
    returns: 'cursor-list',
    data: EntryDetail,
    handle({ query, page }, services) {
      const { query: question, group, include, ...rest } = query
      return entriesPage({ question, filters: filtersOf(rest), sort: query.sortBy, page, group, include }, services)
    },
  }),

  endpoint({
    method: 'GET',
    path: '/entries/counts',
    access: 'key',
    summary: 'Count entries over time, with their mean sentiment',
    description: `Counts by the time of publication, with the filters of /entries, except query. Intervals without entries are omitted. A response covers at most ${MAX_INTERVALS} intervals: without publishedAfter the last ones, else the first ones, and \`meta.nextPublishedAfter\` says where to go on.`,
    cost: { credits: 1 },
    query: EntryCountQuery,
    returns: 'series',
    data: EntryCount,
    meta: EntryCountMeta,
    handle: ({ query, caller }, services) => countEntries(query, caller, services),
  }),

  endpoint({
    ...stream,
    path: '/entries/stream',
    summary: 'Stream new and changed entries as server-sent events',
    description: streamDescription(
      'entry',
      '`entry` follows for each new entry that matches the filters with `change` new, and for each changed one that matches them then with `change` updated. There are no events for removals: `/changes` has them.',
    ),
    returns: 'event-stream',
    handle: openStream,
  }),

  endpoint({
    ...stream,
    path: '/entries/ws',
    summary: 'Stream new and changed entries over a WebSocket',
    description: 'The same events as `/entries/stream`, each as a message `{id, event, data}`.',
    returns: 'websocket',
    handle: openStream,
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
      if (query.include === undefined) return entry
      refuseLater(query.include, query.asOf)
      const [detail] = await withIncluded([entry.parse()], query.include, services)
      return orNotFound(detail, 'entry')
    },
  }),
]

function openStream(
  { query, caller, endpoint }: { query: Static<typeof EntryStreamQuery>; caller: Caller; endpoint: string },
  { streams }: Services,
): Promise<Streaming> {
  const { lastEventId, ...rest } = query
  const filters: EntryStreamFilters = filtersOf(rest)
  return streams.entries.open(caller, endpoint, entryFilter(filters), lastEventId)
}

interface EntriesRequest {
  question: string | undefined
  filters: EntryParams
  inTopic?: EntryFilters['inTopic']
  sort: SemanticSort
  page: { limit: number; from: Position | undefined }
  group?: 'cluster' | undefined
  include: readonly string[] | undefined
}

/** Returns a page of entries with the parts to include. */
export async function entriesPage(request: EntriesRequest, services: Services): Promise<CursorPage<EntryDetail>> {
  const { include, group } = request
  refuseLater(include, request.filters.asOf, group)
  if (request.question === undefined) refuseWithoutQuery(request)
  const page = await plainPage(request, services)
  // The page itself: its rendered body is cached with it.
  if (include === undefined) return page
  const entries = await withIncluded(page.data.parse(), include, services)
  const scored = entries.map((entry, place) => ({ ...entry, score: page.scores?.[place] ?? 0 }))
  return { ...page, data: Json.text(JSON.stringify(include.includes('score') ? scored : entries)) }
}

function refuseWithoutQuery({ group, include }: EntriesRequest): void {
  if (group !== undefined) throw ApiError.invalid([{ field: 'group', message: 'needs query' }])
  if (include?.includes('score')) {
    throw ApiError.invalid([{ field: 'include', message: 'must not have score without query' }])
  }
}

/** Returns a page of entries that match the filters, found by semantic search if there is a question. */
function plainPage(
  request: EntriesRequest,
  { store, search }: Services,
): Promise<CursorPage<Entry> & { scores?: number[] }> {
  const { question, inTopic, sort, group } = request
  const filters = inTopic === undefined ? request.filters : { ...request.filters, inTopic }
  const { limit, from } = request.page
  if (question !== undefined) {
    return search.page({ query: question, filters, sort, limit, from, isGrouped: group === 'cluster' })
  }
  if (sort === 'relevance:desc') {
    throw ApiError.invalid([{ field: 'sortBy', message: 'must not be relevance:desc without query' }])
  }
  return store.entries.page({ filters, sort, limit, from })
}

/** Publishers and clusters know of later entries, which an answer about the past must not. */
function refuseLater(include: readonly string[] | undefined, asOf: number | undefined, group?: 'cluster'): void {
  if (asOf === undefined) return
  const later = include?.filter((part) => part !== 'entities' && part !== 'score') ?? []
  if (later.length > 0) {
    throw ApiError.invalid([
      { field: 'include', message: `must not have ${later.join(', ')} with asOf: they are of today` },
    ])
  }
  if (group !== undefined) {
    throw ApiError.invalid([{ field: 'group', message: 'must not be given with asOf: clusters are of today' }])
  }
}

/** Adds parts to entries. */
async function withIncluded(
  entries: readonly Entry[],
  include: readonly string[],
  { store, enrichment, clock }: Services,
): Promise<EntryDetail[]> {
  const now = clock.now()
  const ids = entries.map(({ id }) => id)
  const isRelated = include.includes('publisher') || include.includes('cluster')
  const relations = await store.entries.listRelations(isRelated ? ids : [])
  const related = [...relations.values()]
  const publishers = include.includes('publisher')
    ? await publishersOf(new Set(related.map(({ publisherId }) => publisherId)), store, now)
    : undefined
  const clusters = include.includes('cluster')
    ? await store.clusters.listById([...new Set(related.flatMap(({ clusterId }) => clusterId ?? []))], now)
    : undefined
  const entities = include.includes('entities') ? await entitiesOf(entries, store, enrichment) : undefined
  return entries.map((entry) => {
    const { publisherId = '', clusterId = null } = relations.get(entry.id) ?? {}
    const publisher = publishers?.get(publisherId)
    return {
      ...entry,
      ...(entities && { entities: entities.get(entry.id) ?? [] }),
      ...(publisher && { publisher }),
      ...(clusters && { cluster: clusters.get(clusterId ?? '') ?? null }),
    }
  })
}

async function publishersOf(ids: Iterable<string>, store: Store, now: number): Promise<Map<string, Publisher>> {
  const found = await Promise.all(Array.from(ids, (id) => store.publishers.find(id, now)))
  return new Map(found.flatMap((publisher) => (publisher === undefined ? [] : [[publisher.id, publisher]])))
}

/** Returns the assets of entries with their mentions in the texts, by the id of the entry. */
async function entitiesOf(
  entries: readonly Entry[],
  store: Store,
  enrichment: Services['enrichment'],
): Promise<Map<string, Entity[]>> {
  const sources = await store.entries.listSourcesBy(
    'id',
    entries.map(({ id }) => id),
    LONGEST_CONTENT,
  )
  const found = await enrichment.entitiesOf(sources.map(({ entry, content }) => textOf({ ...entry, content })))
  return new Map(
    sources.map(({ entry }, place) => [
      entry.id,
      (found[place] ?? []).filter(({ assetKey }) => entry.assetKeys.includes(assetKey)),
    ]),
  )
}
