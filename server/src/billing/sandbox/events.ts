import type Stripe from 'stripe'
import { DAY, SECOND } from '../../model/time.ts'
import type { Desk, Page } from './desk.ts'
import type { Kind, Kinds } from './objects.ts'
import type { PageParams } from './params.ts'

/** Longer than at Stripe: a service that was off for months is to find them all. */
export const EVENTS_KEPT_MS = 365 * DAY

export function listEvents(
  desk: Desk,
  params: PageParams & {
    created: { gte: number | undefined } | undefined
    types: string[] | undefined
    type: string | undefined
  },
): Promise<Page<Stripe.Event>> {
  const gte = params.created?.gte
  const labels = params.types ?? (params.type === undefined ? undefined : [params.type])
  return desk.list('event', { labels, createdFrom: gte === undefined ? undefined : gte * SECOND }, params)
}

/** Tells that an object has changed, and what its changed fields were before. */
export function emitUpdate<K extends Kind>(
  desk: Desk,
  type: Stripe.Event.Type,
  object: Kinds[K],
  before: Kinds[K],
): void {
  const now = object as unknown as Record<string, unknown>
  const then = before as unknown as Record<string, unknown>
  const changed = Object.keys(now).filter((key) => JSON.stringify(now[key]) !== JSON.stringify(then[key]))
  if (changed.length === 0) return
  desk.emit(type, object, Object.fromEntries(changed.map((key) => [key, then[key]])))
}
