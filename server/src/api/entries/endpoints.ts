import { filtersOf } from '../../http/params.ts'
import { Entry } from '../../model/entries.ts'
import { found, IdPath } from '../found.ts'
import { endpoint } from '../services.ts'
import { EntryQuery } from './schema.ts'

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
    returns: 'object',
    data: Entry,
    handle: async ({ params }, { store }) => found(await store.entries.find(params.id), 'entry'),
  }),
]
