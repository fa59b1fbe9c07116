import type { Stripe } from 'stripe'
import type { About, ReceivedEvent } from '../store/billing/events.ts'

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
} as const satisfies Record<string, About['kind']>

export type StripeEventType = keyof typeof STRIPE_EVENTS

export const isStripeEventType = (type: string): type is StripeEventType => Object.hasOwn(STRIPE_EVENTS, type)

/** Undefined for an event that is not listened to, or that names nothing of ours. */
export function readStripeEvent(event: Pick<Stripe.Event, 'id' | 'type' | 'data'>): ReceivedEvent | undefined {
  // A signature says who sent it, not that it is an event.
  const { id, type, data } = fieldsOf(event)
  if (typeof id !== 'string' || typeof type !== 'string' || !isStripeEventType(type)) return undefined
  const kind = STRIPE_EVENTS[type]
  const about = idOf(kind, fieldsOf(fieldsOf(data).object))
  return about === undefined ? undefined : { id, type, about: { kind, id: about } }
}

/** Whatever the event is about, it names the subscription or the payment that we know. */
function idOf(kind: About['kind'], object: Record<string, unknown>): string | undefined {
  if (object.object === 'subscription_schedule')
    return textOf(object.subscription) ?? textOf(object.released_subscription)
  return textOf(kind === 'payment' ? object.payment_intent : object.id)
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
