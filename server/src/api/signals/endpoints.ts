import { filtersOf } from '../../http/params.ts'
import { Signal } from '../../model/signals.ts'
import { found, IdPath } from '../found.ts'
import { endpoint } from '../services.ts'
import { SignalQuery } from './schema.ts'

export const signalsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/signals',
    access: 'key',
    summary: 'List signals, newest first',
    cost: { credits: 2 },
    query: SignalQuery,
    returns: 'cursor-list',
    data: Signal,
    handle: ({ query, page }, { store, clock }) =>
      store.signals.page({ filters: filtersOf(query), sort: query.sortBy, ...page }, clock.now()),
  }),

  endpoint({
    method: 'GET',
    path: '/signals/:id',
    access: 'key',
    summary: 'One signal',
    cost: { credits: 1 },
    params: IdPath,
    returns: 'object',
    data: Signal,
    handle: async ({ params }, { store, clock }) => found(await store.signals.find(params.id, clock.now()), 'signal'),
  }),

  endpoint({
    method: 'GET',
    path: '/signals/by-entry/:id',
    access: 'key',
    summary: 'The signals that name an entry as evidence, newest first',
    cost: { credits: 1 },
    params: IdPath,
    returns: 'list',
    data: Signal,
    async handle({ params }, { store, clock }) {
      found(await store.entries.find(params.id), 'entry')
      return store.signals.listByEntry(params.id, clock.now())
    },
  }),
]
