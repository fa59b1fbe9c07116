import type { EventSubject, ReceivedEvent } from '../../store/billing/processor-events.ts'

/** The handled event types, each with the kind of object to refresh. The webhook must be set up for these types. */
export const STRIPE_EVENTS = {
  'checkout.session.completed': 'checkout',
  'checkout.session.async_payment_succeeded': 'checkout',
  'checkout.session.async_payment_failed': 'checkout',
  'checkout.session.expired': 'checkout',
  'invoice.paid': 'invoice',
  'invoice.payment_failed': 'invoice',
  'customer.subscription.created': 'subscription',
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'subscription_schedule.updated': 'subscription',
  'subscription_schedule.released': 'subscription',
  'charge.refunded': 'payment',
  'refund.created': 'payment',
  'refund.updated': 'payment',
  'refund.failed': 'payment',
  'charge.dispute.created': 'payment',
  'charge.dispute.updated': 'payment',
  'charge.dispute.closed': 'payment',
} as const satisfies Record<string, EventSubject['kind']>

type StripeEventType = keyof typeof STRIPE_EVENTS

const isStripeEventType = (type: unknown): type is StripeEventType =>
  typeof type === 'string' && Object.hasOwn(STRIPE_EVENTS, type)

export const STRIPE_EVENT_TYPES = Object.keys(STRIPE_EVENTS).filter(isStripeEventType)

/**
 * Parses an event; undefined if its type is not handled. `subject` is undefined if it names no object that could be
 * ours. The signature proves the sender, not the shape, so every field is checked.
 */
export function readStripeEvent(
  message: unknown,
): (Omit<ReceivedEvent, 'subject'> & { subject: EventSubject | undefined }) | undefined {
  const { id, type, data } = fieldsOf(message)
  if (typeof id !== 'string' || !isStripeEventType(type)) return undefined
  const kind = STRIPE_EVENTS[type]
  const subjectId = idOf(kind, fieldsOf(fieldsOf(data).object))
  return { id, type, subject: subjectId === undefined ? undefined : { kind, id: subjectId } }
}

/** Schedules, refunds and disputes are reduced to their subscription or payment, which the store knows. */
function idOf(kind: EventSubject['kind'], object: Record<string, unknown>): string | undefined {
  if (object.object === 'subscription_schedule')
    return textOf(object.subscription) ?? textOf(object.released_subscription)
  return textOf(kind === 'payment' ? object.payment_intent : object.id)
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
