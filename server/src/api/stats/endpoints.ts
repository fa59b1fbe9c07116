import Type from 'typebox'
import { nullable, time } from '../../model/schema.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import { endpoint } from '../services.ts'

export const statsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/stats',
    access: 'key',
    summary: 'How much data this server holds',
    cost: { credits: 0 },
    returns: 'object',
    data: Type.Object({
      entries: Type.Integer(),
      publishers: Type.Integer(),
      assets: Type.Integer(),
      topics: Type.Integer(),
      lastEntryAt: nullable(time('createdAt of the newest entry')),
      generatedAt: time(),
    }),
    async handle(_input, { store, clock }) {
      return {
        entries: await store.entries.total(),
        publishers: await store.publishers.count(),
        assets: await store.assets.count(),
        topics: await store.topics.count(),
        lastEntryAt: isoTimeOrNull(await store.entries.lastCreatedAt()),
        generatedAt: isoTime(clock.now()),
      }
    },
  }),
]
