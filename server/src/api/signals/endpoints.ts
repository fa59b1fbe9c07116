import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { DEMO_LIST_CAP } from '../../admission/demo.ts'
import { filtersOf } from '../../http/params.ts'
import type { Streaming } from '../../http/wire.ts'
import { Signal } from '../../model/signals.ts'
import { SignalStreamEvent } from '../../model/streams.ts'
import type { Store } from '../../store/store.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { paramsOnlyOf, STREAM, streamDescription } from '../stream.ts'
import { SignalAsOf, SignalQuery, StreamQuery } from './schema.ts'

/** Properties that both stream endpoints share. */
const stream = {
  ...STREAM,
  query: StreamQuery,
  refusesParams: paramsOnlyOf(SignalQuery, StreamQuery),
  data: SignalStreamEvent,
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
    description: streamDescription(
      'signal',
      '`signal` follows for each new signal with `change` new, and again with the same `signal.id` and `change` updated if it becomes stronger or has much more evidence. There are no events for expiry, supersession or outcomes.',
    ),
    returns: 'event-stream',
    handle: openStream,
  }),

  endpoint({
    ...stream,
    path: '/signals/ws',
    summary: 'Stream new signals over a WebSocket',
    description: 'The same events as `/signals/stream`, each as a message `{id, event, data}`.',
    returns: 'websocket',
    handle: openStream,
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
      orNotFound(await store.entries.find(params.id), 'entry')
      return store.signals.listByEntry(params.id, clock.now(), caller.account.isDemo ? DEMO_LIST_CAP : undefined)
    },
  }),
]

async function openStream(
  { query, caller, endpoint }: { query: Static<typeof StreamQuery>; caller: Caller; endpoint: string },
  { streams, store }: Services,
): Promise<Streaming> {
  const { lastEventId, ...filters } = await withKeys(query, store)
  return streams.signals.open(caller, endpoint, filtersOf(filters), lastEventId)
}

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
