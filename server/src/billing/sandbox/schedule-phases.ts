import type Stripe from 'stripe'
import type { Desk } from './desk.ts'
import { badParameter, notInSandbox } from './fault.ts'
import { itemOf } from './invoice-lines.ts'
import { idOf } from './objects.ts'
import { monthAt } from './subscriptions.ts'

type Phase = Stripe.SubscriptionSchedule.Phase

export interface PhaseParams {
  items: { price: string; quantity: number | undefined }[]
  start_date: number | undefined
  end_date: number | undefined
  duration: { interval: 'month'; interval_count: number | undefined } | undefined
  proration_behavior: 'none' | 'create_prorations' | 'always_invoice' | undefined
  metadata: Stripe.Metadata | undefined
}

/** Phases follow each other without a gap, from the one that has begun; what has begun cannot be made anew. */
export async function readPhases(
  desk: Desk,
  schedule: Stripe.SubscriptionSchedule,
  given: PhaseParams[],
): Promise<Phase[]> {
  const subscription = await desk.get('subscription', idOf(schedule.subscription))
  const item = itemOf(subscription)
  const phases: Phase[] = []
  for (const [index, phase] of given.entries()) {
    const name = `phases[${index}]`
    const start = phase.start_date ?? phases.at(-1)?.end_date
    if (start === undefined) throw badParameter(`${name}[start_date]`, 'The first phase needs a start date.')
    const begun = schedule.current_phase?.start_date
    if (index === 0 && start !== begun) {
      throw badParameter(`${name}[start_date]`, 'You can not modify the start date of the current phase.')
    }
    if (index > 0 && start !== phases.at(-1)?.end_date) {
      throw badParameter(`${name}[start_date]`, 'A phase must start when the one before it ends.')
    }
    const [only, ...others] = phase.items
    if (only === undefined || others.length > 0 || (only.quantity ?? 1) !== 1) {
      throw notInSandbox('a phase has one item in a quantity of 1', `${name}[items]`)
    }
    const price = await desk.get('price', only.price, `${name}[items][0][price]`)
    if (index === 0 && price.id !== item.price.id) throw notInSandbox('changing the items of the current phase', name)
    const end = endOf(subscription, phase, start, name)
    if (end <= Math.max(start, desk.now)) throw badParameter(`${name}[end_date]`, 'A phase must end in the future.')
    if (monthAt(subscription.billing_cycle_anchor, end).start !== end) {
      throw notInSandbox('phases end with a month of the subscription', `${name}[end_date]`)
    }
    phases.push(newPhase(price.id, start, end, phase))
  }
  if (phases.length === 0) throw badParameter('phases', 'A schedule has at least one phase.')
  return phases
}

function endOf(subscription: Stripe.Subscription, phase: PhaseParams, start: number, name: string): number {
  if (phase.end_date !== undefined && phase.duration !== undefined) {
    throw badParameter(`${name}[duration]`, 'A phase has an end date or a duration.')
  }
  if (phase.end_date !== undefined) return phase.end_date
  let end = start
  for (let month = 0; month < (phase.duration?.interval_count ?? 1); month += 1) {
    end = monthAt(subscription.billing_cycle_anchor, end).end
  }
  return end
}

export function newPhase(price: string, start: number, end: number, given?: PhaseParams): Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: 'usd',
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: end,
    invoice_settings: null,
    items: [{ billing_thresholds: null, discounts: [], metadata: {}, plan: price, price, quantity: 1, tax_rates: [] }],
    metadata: given?.metadata ?? {},
    on_behalf_of: null,
    proration_behavior: given?.proration_behavior ?? 'create_prorations',
    start_date: start,
    transfer_data: null,
    trial_end: null,
  }
}
