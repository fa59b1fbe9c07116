import { filtersOf } from '../../http/params.ts'
import { Cluster, ClusterDetail } from '../../model/clusters.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { ClusterQuery } from './schema.ts'

export const clustersEndpoints = [
  endpoint({
    method: 'GET',
    path: '/clusters',
    access: 'key',
    summary: 'List clusters of entries about the same event, most recently published first',
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
    summary: 'Get a cluster with its entries and their timeline',
    cost: { credits: 1 },
    params: idPath('Id of the cluster'),
    returns: 'object',
    data: ClusterDetail,
    handle: async ({ params }, { store, clock }) =>
      orNotFound(await store.clusters.findWithEntries(params.id, clock.now()), 'cluster'),
  }),
]
