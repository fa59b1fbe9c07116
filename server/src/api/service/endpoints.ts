import Type from 'typebox'
import { API_PREFIX } from '../../http/endpoint.ts'
import { ApiError } from '../../model/errors.ts'
import { time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { endpoint } from '../services.ts'

/** The two open endpoints of spec 4.1. */
export const serviceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/',
    access: 'open',
    summary: 'Get the name and version of this server',
    cost: { credits: 0 },
    returns: 'object',
    data: Type.Object({
      name: Type.String(),
      version: Type.String(),
      links: Type.Object({ entries: Type.String(), health: Type.String() }),
    }),
    handle(_input, { version }) {
      return { name: 'Mintick', version, links: { entries: `${API_PREFIX}/entries`, health: '/health' } }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/health',
    access: 'open',
    summary: 'Check whether this server is healthy',
    cost: { credits: 0 },
    returns: 'object',
    data: Type.Object({
      status: Type.Literal('ok'),
      checks: Type.Object({ store: Type.Object({ engine: Type.String(), status: Type.Literal('ok') }) }),
      uptimeSeconds: Type.Integer(),
      time: time(),
    }),
    async handle(_input, { store, clock, startedAt }) {
      try {
        await store.ping()
      } catch (cause) {
        throw new ApiError('INTERNAL_ERROR', 'The store is not available', { statusCode: 503, cause })
      }
      const now = clock.now()
      return {
        status: 'ok' as const,
        checks: { store: { engine: store.engine, status: 'ok' as const } },
        uptimeSeconds: Math.floor((now - startedAt) / 1_000),
        time: isoTime(now),
      }
    },
  }),
]
