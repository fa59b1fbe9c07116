import type { EventSubject, ReceivedEvent } from '../../store/billing/events.ts'

/** The events that are listened to, with what each makes us look at again. The webhook has to be set up for these. */
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

/** For asking the processor. */
export const STRIPE_EVENT_TYPES = Object.keys(STRIPE_EVENTS).filter(isStripeEventType)

/**
 * What a message says: a signature tells who sent it, not that it is an event. Undefined when it is none that is listened
 * to; `about` is undefined when it names nothing that could be ours.
 */
export function readStripeEvent(
  message: unknown,
): (Omit<ReceivedEvent, 'about'> & { about: EventSubject | undefined }) | undefined {
  const { id, type, data } = fieldsOf(message)
  if (typeof id !== 'string' || !isStripeEventType(type)) return undefined
  const kind = STRIPE_EVENTS[type]
  const about = idOf(kind, fieldsOf(fieldsOf(data).object))
  return { id, type, about: about === undefined ? undefined : { kind, id: about } }
}

/** Whatever the event is about, it names the subscription or the payment that we know. */
function idOf(kind: EventSubject['kind'], object: Record<string, unknown>): string | undefined {
  if (object.object === 'subscription_schedule')
    return textOf(object.subscription) ?? textOf(object.released_subscription)
  return textOf(kind === 'payment' ? object.payment_intent : object.id)
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
