import Type from 'typebox'
import { flag, id } from '../../model/schema.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { operator } from './operator.ts'

export const entryRemovalEndpoint = endpoint({
  ...operator('owner'),
  method: 'DELETE',
  path: '/admin/entries/:id',
  summary: 'Take an entry down',
  description:
    'Removes the entry from all lists, counts, clusters and signals, for good: no source and no import adds it again.',
  params: idPath('Id of the entry'),
  returns: 'object',
  data: Type.Object({ id: id('Id of the entry'), removed: flag('Always true') }, { description: 'The removed entry' }),
  async handle({ params }, { store, clock }) {
    const entryId = params.id.toLowerCase()
    const removed = (await store.entries.remove([entryId], clock.now())) > 0
    return orNotFound(removed ? { id: entryId, removed } : undefined, 'entry')
  },
})
