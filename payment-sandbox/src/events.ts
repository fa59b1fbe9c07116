import type Stripe from 'stripe'
import { DAY_SECONDS, SECOND_MS } from './clock.ts'
import { PAGE_PARAMS, type ParamsOf, param } from './params.ts'
import type { ObjectPage, SandboxTransaction } from './transaction.ts'

/** Longer than at Stripe (30 days), so that a service finds all events after months of downtime. */
export const EVENTS_KEPT_MS = 365 * DAY_SECONDS * SECOND_MS

export const LIST_EVENTS = {
  ...PAGE_PARAMS,
  created: param.object({ gte: param.integer }),
  types: param.array(param.string),
  type: param.string,
}

export function listEvents(
  tx: SandboxTransaction,
  params: ParamsOf<typeof LIST_EVENTS>,
): Promise<ObjectPage<Stripe.Event>> {
  const gte = params.created?.gte
  const labels = params.types ?? (params.type === undefined ? undefined : [params.type])
  return tx.list('event', { labels, created_from: gte === undefined ? undefined : gte * SECOND_MS }, params)
}
