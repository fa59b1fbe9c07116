import Type, { type Static } from 'typebox'
import { integer, nullable, share, text, time } from '../../model/schema.ts'
import { SEC_DATASETS } from '../../model/sec/datasets.ts'
import { SIGNAL_KINDS } from '../../model/signals.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { KindOutcomes } from '../../store/signals/signal-outcomes.ts'
import { endpoint, type Services } from '../services.ts'

export const StatsView = Type.Object(
  {
    entries: integer('Number of entries'),
    publishers: integer('Number of publishers'),
    assets: integer('Number of assets, delisted ones included'),
    topics: integer('Number of topics'),
    clusters: integer('Number of clusters, closed ones included'),
    markets: integer('Number of markets'),
    predictionMarkets: integer('Number of prediction markets, resolved ones included'),
    secRecords: Type.Record(Type.Enum(SEC_DATASETS), integer('Number of records, without superseded ones'), {
      description: 'Number of SEC records by dataset',
    }),
    signals: integer('Number of signals, expired and superseded ones included'),
    signalOutcomes: Type.Array(
      Type.Object({
        kind: Type.Enum(SIGNAL_KINDS, { description: 'Kind of the signals' }),
        evaluated: integer('Signals whose horizon has passed and that had prices to evaluate them'),
        hits: integer('Of these, signals that were right'),
        hitRate: nullable(share('hits / evaluated; null when none was evaluated')),
      }),
      { description: 'Results of signals, by kind' },
    ),
    lastEntryAt: nullable(time('createdAt of the newest entry; null if there are no entries')),
    generatedAt: time('Time of the response'),
  },
  { description: 'Numbers of records of this server' },
)

export async function describeStats({ store, clock }: Services): Promise<Static<typeof StatsView>> {
  const totals = await store.totals()
  return {
    ...totals,
    signalOutcomes: totals.signalOutcomes.map(withHitRate),
    lastEntryAt: isoTimeOrNull(totals.lastEntryAt),
    generatedAt: isoTime(clock.now()),
  }
}

export const statsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/stats',
    access: 'key',
    summary: 'Get record counts of this server and hit rates of signals by kind',
    cost: { credits: 0 },
    returns: 'object',
    data: StatsView,
    handle: (_input, services) => describeStats(services),
  }),

  endpoint({
    method: 'GET',
    path: '/stats/languages',
    access: 'key',
    summary: 'List the number of entries per detected language, most first',
    cost: { credits: 1 },
    returns: 'list',
    data: Type.Object(
      {
        language: nullable(text('Detected language code; null: entries without one')),
        entries: integer('Number of entries in this language'),
      },
      { description: 'A language with its entries' },
    ),
    handle: (_input, { store }) => store.entries.countByLanguage(),
  }),
]

function withHitRate({ kind, evaluated, hits }: KindOutcomes) {
  return { kind, evaluated, hits, hitRate: evaluated === 0 ? null : Math.round((hits / evaluated) * 10_000) / 10_000 }
}
