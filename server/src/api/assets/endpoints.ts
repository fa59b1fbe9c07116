import { filtersOf } from '../../http/params.ts'
import { Asset } from '../../model/assets.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { AssetQuery } from './schema.ts'

export const assetsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/assets',
    access: 'key',
    summary: 'List assets by name',
    cost: { credits: 1 },
    query: AssetQuery,
    returns: 'page-list',
    data: Asset,
    handle: ({ query, page }, { store, clock }) =>
      store.assets.page({ filters: filtersOf(query), sort: query.sortBy, ...page }, clock.now()),
  }),

  endpoint({
    method: 'GET',
    path: '/assets/:id',
    access: 'key',
    summary: 'Get an asset by id or key',
    cost: { credits: 1 },
    params: idPath('Id or key of the asset, such as AAPL'),
    returns: 'object',
    data: Asset,
    handle: async ({ params }, { store, clock }) =>
      orNotFound(await store.assets.find(params.id, clock.now()), 'asset', 'id or key'),
  }),
]
