import Type from 'typebox'
import { API_PREFIX } from '../../http/endpoint.ts'
import { ApiError } from '../../model/errors.ts'
import { integer, text, time } from '../../model/schema.ts'
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
    data: Type.Object(
      {
        name: text('Name of the software'),
        version: text('Version of the software'),
        links: Type.Object(
          { entries: text('Path of the list of entries'), health: text('Path of the health check') },
          { description: 'Paths to start from' },
        ),
      },
      { description: 'This server' },
    ),
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
    data: Type.Object(
      {
        status: Type.Literal('ok', { description: 'Always ok; an unhealthy server answers with status 503' }),
        checks: Type.Object(
          {
            store: Type.Object(
              {
                engine: text('sqlite or postgres'),
                status: Type.Literal('ok', { description: 'Always ok, as above' }),
              },
              { description: 'The store' },
            ),
          },
          { description: 'What was checked' },
        ),
        uptimeSeconds: integer('Seconds since the server started'),
        time: time('Time of the server'),
      },
      { description: 'Health of this server' },
    ),
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
