import Type from 'typebox'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { flag, integer, nullable, text, texts } from '../../model/schema.ts'
import { clearSample } from '../../sample/clear.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

/** How long a request removes sample data. */
const CLEARING_MS = 3_000

const ReindexView = Type.Object(
  {
    isRunning: flag('Whether it is in progress'),
    done: integer('Entries reindexed so far'),
    total: integer('Entries to reindex'),
    changed: integer('Of the entries done, those with changed fields'),
    error: nullable(text('Why the last run ended early; null if it did not')),
    isPaused: flag('Whether the last run was paused; POST /admin/reindex continues it'),
    older: integer('Entries that were read by older rules'),
    entries: integer('Number of entries'),
  },
  { description: 'Progress of reindexing' },
)

/** Reindexing, removal of the sample, and the audit of the ledger. */
export const maintenanceEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator('owner'),
    method: 'POST',
    path: '/admin/reindex',
    summary: 'Start or continue reindexing: derive the fields of all entries again, in the background',
    returns: 'object',
    data: ReindexView,
    async handle(_input, { reindex }) {
      await reindex.start()
      return reindex.status()
    },
  }),

  endpoint({
    ...operator('owner'),
    method: 'POST',
    path: '/admin/reindex/pause',
    summary: 'Pause reindexing; the next start continues it',
    returns: 'object',
    data: ReindexView,
    async handle(_input, { reindex }) {
      await reindex.pause()
      return reindex.status()
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/reindex',
    summary: 'Get the progress of reindexing',
    returns: 'object',
    data: ReindexView,
    handle: (_input, { reindex }) => reindex.status(),
  }),

  endpoint({
    ...operator('owner'),
    method: 'POST',
    path: '/admin/sample/clear',
    summary: 'Remove the sample data',
    description:
      'Removes entries, publishers, markets, prediction markets, SEC records and signals of the sample; own data, assets, topics, accounts and logs stay. Works for some seconds: repeat the request until isDone is true.',
    returns: 'object',
    data: Type.Object(
      {
        isDone: flag('false if there is more to remove: repeat the request'),
        removed: Type.Object(
          {
            entries: integer('Number of entries'),
            publishers: integer('Number of publishers'),
            markets: integer('Number of markets, with all their candles'),
            predictionMarkets: integer('Number of prediction markets'),
            secRecords: integer('Number of SEC records'),
            signals: integer('Number of signals'),
          },
          { description: 'Records that this request removed' },
        ),
      },
      { description: 'Progress of the removal' },
    ),
    handle(_input, { store, clock }) {
      const end = performance.now() + CLEARING_MS
      return clearSample(store, clock.now(), { mayGoOn: () => performance.now() < end })
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/audit',
    summary: 'Check that balances, lots, transfers and charge records agree',
    returns: 'object',
    data: Type.Object(
      {
        isBalanced: flag('Whether there are no problems'),
        accounts: integer('Number of accounts checked'),
        charges: integer('Number of charge records checked'),
        problems: texts('Each problem with the id of its account; empty if there are none'),
      },
      { description: 'The result of the audit' },
    ),
    async handle(_input, { store, admission }) {
      await admission.requestWriter.drain()
      return store.audit.run()
    },
  }),
]
