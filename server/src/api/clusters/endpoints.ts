import { filtersOf } from '../../http/params.ts'
import { Cluster } from '../../model/clusters.ts'
import { found, IdPath } from '../found.ts'
import { endpoint } from '../services.ts'
import { ClusterDetail, ClusterQuery } from './schema.ts'

export const clustersEndpoints = [
  endpoint({
    method: 'GET',
    path: '/clusters',
    access: 'key',
    summary: 'List stories, the one that was last reported first',
    cost: { credits: 1 },
    query: ClusterQuery,
    returns: 'cursor-list',
    data: Cluster,
    handle: ({ query, page }, { store, clock }) =>
      store.clusters.page({ filters: filtersOf(query), sort: query.sortBy, ...page }, clock.now()),
  }),

  endpoint({
    method: 'GET',
    path: '/clusters/:id',
    access: 'key',
    summary: 'One story with its entries and their timeline',
    cost: { credits: 1 },
    params: IdPath,
    returns: 'object',
    data: ClusterDetail,
    handle: async ({ params }, { store, clock }) =>
      found(await store.clusters.findWithEntries(params.id, clock.now()), 'cluster'),
  }),
]
