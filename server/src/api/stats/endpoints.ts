import Type from 'typebox'
import { nullable, share, time } from '../../model/schema.ts'
import { SEC_DATASETS } from '../../model/sec/datasets.ts'
import { SIGNAL_KINDS } from '../../model/signals.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { KindOutcomes } from '../../store/signals/signal-outcomes.ts'
import { endpoint } from '../services.ts'

export const statsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/stats',
    access: 'key',
    summary: 'Get record counts of this server and hit rates of signals by kind',
    cost: { credits: 0 },
    returns: 'object',
    data: Type.Object({
      entries: Type.Integer(),
      publishers: Type.Integer(),
      assets: Type.Integer(),
      topics: Type.Integer(),
      clusters: Type.Integer(),
      markets: Type.Integer(),
      predictionMarkets: Type.Integer(),
      secRecords: Type.Record(Type.Enum(SEC_DATASETS), Type.Integer(), { description: 'By dataset' }),
      signals: Type.Integer(),
      signalOutcomes: Type.Array(
        Type.Object({
          kind: Type.Enum(SIGNAL_KINDS),
          evaluated: Type.Integer({
            description: 'Signals whose horizon has passed and that had prices to evaluate them',
          }),
          hits: Type.Integer({ description: 'Of these, signals that were right' }),
          hitRate: nullable(share('hits / evaluated; null when none was evaluated')),
        }),
        { description: 'Results of signals, by kind' },
      ),
      lastEntryAt: nullable(time('createdAt of the newest entry')),
      generatedAt: time(),
    }),
    async handle(_input, { store, clock }) {
      const totals = await store.totals()
      return {
        ...totals,
        signalOutcomes: totals.signalOutcomes.map(withHitRate),
        lastEntryAt: isoTimeOrNull(totals.lastEntryAt),
        generatedAt: isoTime(clock.now()),
      }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/stats/languages',
    access: 'key',
    summary: 'List the number of entries per detected language, most first',
    cost: { credits: 1 },
    returns: 'list',
    data: Type.Object({
      language: nullable(Type.String({ description: 'Detected language code; null: entries without one' })),
      entries: Type.Integer(),
    }),
    handle: (_input, { store }) => store.entries.countByLanguage(),
  }),
]

function withHitRate({ kind, evaluated, hits }: KindOutcomes) {
  return { kind, evaluated, hits, hitRate: evaluated === 0 ? null : Math.round((hits / evaluated) * 10_000) / 10_000 }
}
