import Type, { type Static } from 'typebox'
import { flag, integer, nullable, text, texts, time } from '../../model/schema.ts'
import { isoTime, SECOND } from '../../model/time.ts'
import { hasSample } from '../../sample/load.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

const StoreView = Type.Object(
  {
    bytes: Type.Record(Type.String(), Type.Integer(), { description: 'Size by database' }),
    entriesToIndex: integer('Entries that are not clustered or embedded yet'),
    sourcesDue: integer('Sources that are to be read now'),
    alertsToSend: integer('Messages about low balances that are not delivered yet'),
    paymentEventsToProcess: integer('Events of the payment processor that are not processed yet'),
    hasSample: flag('Whether it contains sample data'),
  },
  { description: 'The store and the work that waits in it; null while it does not answer' },
)

export const healthEndpoint = endpoint({
  ...operator('read'),
  method: 'GET',
  path: '/admin/health',
  summary: 'Get the readiness of this instance, its version, and the work that waits',
  returns: 'object',
  data: Type.Object(
    {
      isReady: flag('Whether charged requests would succeed'),
      problems: texts('Why they would not; empty if they would'),
      version: text('Version of the software'),
      engine: Type.Enum(['sqlite', 'postgres'], { description: 'Engine of the store' }),
      startedAt: time('When this instance started'),
      uptimeSeconds: integer('Seconds since then'),
      store: nullable(StoreView),
    },
    { description: 'Health of this instance' },
  ),
  async handle(_input, services) {
    const { readiness, version, store, startedAt, clock } = services
    const problems = await readiness.problems()
    const isReady = problems.length === 0
    return {
      isReady,
      problems,
      version,
      engine: store.engine,
      startedAt: isoTime(startedAt),
      uptimeSeconds: Math.floor((clock.now() - startedAt) / SECOND),
      store: isReady ? await describeStore(services).catch(() => null) : null,
    }
  },
})

async function describeStore({ store, indexing, clock }: Services): Promise<Static<typeof StoreView>> {
  const [bytes, entriesToIndex, due, alertsToSend, paymentEventsToProcess, isSample] = await Promise.all([
    store.sizes(),
    indexing.left(),
    store.sources.listDue(clock.now(), Number.MAX_SAFE_INTEGER),
    store.alerts.countUndelivered(),
    store.processorEvents.countWaiting(),
    hasSample(store),
  ])
  return { bytes, entriesToIndex, sourcesDue: due.length, alertsToSend, paymentEventsToProcess, hasSample: isSample }
}
