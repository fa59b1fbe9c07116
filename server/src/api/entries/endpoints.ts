import Type from 'typebox'
import { Entry } from '../../model/entries.ts'
import { ApiError } from '../../model/errors.ts'
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
      const { limit: _limit, after: _after, before: _before, sortBy, query: _query, ...filters } = query
      return store.entries.page({ filters, sort: sortBy, ...page })
    },
  }),

  endpoint({
    method: 'GET',
    path: '/entries/:id',
    access: 'key',
    summary: 'One news entry',
    cost: { credits: 1 },
    params: Type.Object({ id: Type.String() }),
    returns: 'object',
    data: Entry,
    async handle({ params }, { store }) {
      const entry = await store.entries.find(params.id)
      if (entry === undefined) throw new ApiError('NOT_FOUND', 'No entry has this id')
      return entry
    },
  }),
]
