import type { Static } from 'typebox'
import { DEMO_LIST_CAP } from '../../admission/demo.ts'
import { filtersOf } from '../../http/params.ts'
import { Signal } from '../../model/signals.ts'
import { HEARTBEAT_MS, LOG_KEPT_MS, StreamEvent } from '../../model/streams.ts'
import { HOUR, SECOND } from '../../model/time.ts'
import { STREAM_COST } from '../../plans/cost.ts'
import type { Store } from '../../store/store.ts'
import { idPath, notFound, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { SignalAsOf, SignalQuery, StreamQuery } from './schema.ts'

const STREAM_DESCRIPTION = [
  'Opening a stream is free; each minute costs credits. The time of all streams of an account is summed, and the rest of a started minute counts for the next stream.',
  `The first event is \`ready\`. \`signal\` follows for each new signal with \`change\` new, and again with the same \`signal.id\` and \`change\` updated if it becomes stronger or has much more evidence; \`heartbeat\` follows every ${HEARTBEAT_MS / SECOND} seconds. There are no events for expiry, supersession or outcomes. Before the service closes the stream, \`closing\` gives the reason and when to reconnect.`,
  `The id of an event is an integer that orders the events; the id of a signal is \`data.signal.id\`. To resume, send the id of the last event: missed events are sent first, up to ${LOG_KEPT_MS / HOUR} hours back. \`gap\` names events that are no longer available; if its id is lower than yours, the service was restored from a backup.`,
].join(' ')

/** Properties that both stream endpoints share. */
const stream = {
  method: 'GET',
  access: 'key',
  cost: STREAM_COST,
  needs: 'realtime',
  errors: { 503: 'This server is shutting down; `Retry-After` says when to try again.' },
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
    summary: 'Stream new signals as server-sent events',
    description: STREAM_DESCRIPTION,
    returns: 'event-stream',
    handle: async ({ query, caller, endpoint }, { streams, store }) =>
      streams.open(caller, endpoint, filtersOf(await withKeys(query, store))),
  }),

  endpoint({
    ...stream,
    path: '/signals/ws',
    summary: 'Stream new signals over a WebSocket',
    description: 'The same events as `/signals/stream`, each as a message `{id, event, data}`.',
    returns: 'websocket',
    handle: async ({ query, caller, endpoint }, { streams, store }) =>
      streams.open(caller, endpoint, filtersOf(await withKeys(query, store))),
  }),

  endpoint({
    method: 'GET',
    path: '/signals/:id',
    access: 'key',
    summary: 'Get a signal',
    cost: { credits: 1 },
    params: idPath('Id of the signal, not of a stream event'),
    query: SignalAsOf,
    returns: 'object',
    data: Signal,
    handle: async ({ params, query }, { store, clock }) =>
      orNotFound(await store.signals.find(params.id, clock.now(), query), 'signal'),
  }),

  endpoint({
    method: 'GET',
    path: '/signals/by-entry/:id',
    access: 'key',
    summary: 'List the signals that have an entry as evidence, newest first',
    cost: { credits: 1 },
    params: idPath('Id of the entry'),
    returns: 'list',
    data: Signal,
    async handle({ params, caller }, { store, clock }) {
      if (!(await store.entries.exists(params.id))) throw notFound('entry')
      return store.signals.listByEntry(params.id, clock.now(), caller.account.isDemo ? DEMO_LIST_CAP : undefined)
    },
  }),
]

/** Replaces symbols of assets by their keys, by which streams are filtered. */
async function withKeys({ ticker, symbol, ...rest }: Static<typeof StreamQuery>, store: Store) {
  let { assetKey } = rest
  for (const symbols of [ticker, symbol]) {
    if (symbols === undefined) continue
    const keys = await store.assets.listKeys(symbols)
    assetKey = assetKey?.filter((key) => keys.includes(key)) ?? keys
  }
  return assetKey === undefined ? rest : { ...rest, assetKey }
}
