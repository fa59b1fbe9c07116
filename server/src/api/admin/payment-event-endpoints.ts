import Type, { type Static } from 'typebox'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import * as param from '../../http/params.ts'
import { ApiError } from '../../model/errors.ts'
import { integer, nullable, text, time } from '../../model/schema.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import type { StoredEvent } from '../../store/billing/processor-events.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

const PaymentEventView = Type.Object(
  {
    id: text('Id at the payment processor'),
    type: text('Type of the event, such as invoice.paid'),
    subjectKind: Type.Enum(['checkout', 'invoice', 'subscription', 'payment'], {
      description: 'What the event is about',
    }),
    subjectId: text('Id of that at the payment processor'),
    receivedAt: time('When the event arrived'),
    processedAt: nullable(time('When it was processed; null if it waits')),
    attempts: integer('How often it was processed, in vain or not'),
    nextAttemptAt: nullable(time('When it is processed again; null if it was processed')),
    error: nullable(text('Why the last attempt failed; null if none did')),
  },
  { description: 'An event of the payment processor' },
)

/** The events of the payment processor, which the service processes by itself. */
export const paymentEventEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/payment-events',
    summary: 'List events of the payment processor, newest first',
    description: 'Processed events are kept for LOG_RETENTION_DAYS.',
    query: Type.Object({
      limit: param.limit(),
      offset: param.offset(),
      isProcessed: param.flag('true: only processed events; false: only those that wait'),
    }),
    returns: 'offset-list',
    data: PaymentEventView,
    async handle({ query, page }, { store }) {
      const { data, totalCount } = await store.processorEvents.page(param.filtersOf(query), page.limit, page.offset)
      return { data: data.map(toView), totalCount }
    },
  }),

  endpoint({
    ...operator('owner'),
    method: 'POST',
    path: '/admin/payment-events/:id/retry',
    summary: 'Process a waiting event now',
    description: 'If it fails again, the answer has the error, and the event is processed again later.',
    params: idPath('Id of the event'),
    returns: 'object',
    data: PaymentEventView,
    async handle({ params }, { store, billing }) {
      const event = orNotFound(await store.processorEvents.find(params.id), 'payment event')
      if (billing === undefined) throw new ApiError('BAD_REQUEST', 'Payments are off, so events are not processed')
      await billing.inbox.process(event, event.attempts)
      return toView(orNotFound(await store.processorEvents.find(params.id), 'payment event'))
    },
  }),
]

function toView({ subject, ...event }: StoredEvent): Static<typeof PaymentEventView> {
  return {
    id: event.id,
    type: event.type,
    subjectKind: subject.kind,
    subjectId: subject.id,
    receivedAt: isoTime(event.receivedAt),
    processedAt: isoTimeOrNull(event.doneAt),
    attempts: event.attempts,
    nextAttemptAt: event.doneAt === null ? isoTime(event.nextAt) : null,
    error: event.error,
  }
}
