import { filtersOf } from '../../http/params.ts'
import { Signal } from '../../model/signals.ts'
import { HEARTBEAT_MS, LOG_KEPT_MS, StreamEvent } from '../../model/streams.ts'
import { HOUR, SECOND } from '../../model/time.ts'
import { STREAM_COST } from '../../plans/cost.ts'
import { IdPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { SignalQuery, StreamQuery } from './schema.ts'

const STREAM_DESCRIPTION = [
  'Opening is free; each minute that the stream is open costs credits. The time of all streams of an account is added up, and what is left of a minute counts for the next stream.',
  `First comes \`ready\`, then \`signal\` for each signal that is found, or told again because it has become stronger or has much more evidence (the same id), and \`heartbeat\` every ${HEARTBEAT_MS / SECOND} seconds. That a signal expires, gives way to a newer one or gets its outcome is not told. Before the service ends the stream it says why, and when to come back, in \`closing\`.`,
  `To go on where you were, send the last id: what you missed is sent first, up to ${LOG_KEPT_MS / HOUR} hours back. \`gap\` names what is no longer kept.`,
].join(' ')

/** What both ways to follow signals share: the same events, the same price, the same slots. */
const stream = {
  method: 'GET',
  access: 'key',
  cost: STREAM_COST,
  needs: 'realtime',
  query: StreamQuery,
  data: StreamEvent,
} as const

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
    ...stream,
    path: '/signals/stream',
    summary: 'Signals as they are found, as server-sent events',
    description: STREAM_DESCRIPTION,
    returns: 'event-stream',
    handle: ({ query, caller, endpoint }, { streams }) => streams.open(caller, endpoint, filtersOf(query)),
  }),

  endpoint({
    ...stream,
    path: '/signals/ws',
    summary: 'Signals as they are found, over a WebSocket',
    description: 'The same events as those of `/signals/stream`, each as a message `{id, event, data}`.',
    returns: 'websocket',
    handle: ({ query, caller, endpoint }, { streams }) => streams.open(caller, endpoint, filtersOf(query)),
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
    handle: async ({ params }, { store, clock }) =>
      orNotFound(await store.signals.find(params.id, clock.now()), 'signal'),
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
      orNotFound(await store.entries.find(params.id), 'entry')
      return store.signals.listByEntry(params.id, clock.now())
    },
  }),
]
