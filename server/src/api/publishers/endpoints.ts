import { filtersOf } from '../../http/params.ts'
import { Publisher } from '../../model/publishers.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { PublisherQuery } from './schema.ts'

export const publishersEndpoints = [
  endpoint({
    method: 'GET',
    path: '/publishers',
    access: 'key',
    summary: 'List publishers by name',
    cost: { credits: 1 },
    query: PublisherQuery,
    returns: 'page-list',
    data: Publisher,
    handle: ({ query, page }, { store, clock }) =>
      store.publishers.page({ filters: filtersOf(query), sort: query.sortBy, ...page }, clock.now()),
  }),

  endpoint({
    method: 'GET',
    path: '/publishers/:id',
    access: 'key',
    summary: 'Get a publisher by id or slug',
    cost: { credits: 1 },
    params: idPath('Id or slug of the publisher'),
    returns: 'object',
    data: Publisher,
    handle: async ({ params }, { store, clock }) =>
      orNotFound(await store.publishers.find(params.id, clock.now()), 'publisher', 'id or slug'),
  }),
]
