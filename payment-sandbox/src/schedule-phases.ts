import type Stripe from 'stripe'
import { monthAt } from './billing-period.ts'
import { invalidParameter, notSupported } from './errors.ts'
import { itemOf } from './invoice-lines.ts'
import { objectId } from './objects.ts'
import { type ParamsOf, param, required } from './params.ts'
import { prorationParam } from './subscription-changes.ts'
import type { SandboxTransaction } from './transaction.ts'

type Phase = Stripe.SubscriptionSchedule.Phase

export const PHASE = {
  items: required(param.array(param.object({ price: required(param.string), quantity: param.integer }))),
  start_date: param.integer,
  end_date: param.integer,
  duration: param.object({ interval: required(param.enum('month')), interval_count: param.integer }),
  proration_behavior: prorationParam,
  metadata: param.metadata,
}
type PhaseParams = ParamsOf<typeof PHASE>

/** Checks the new phases: they start with the current one, which keeps its start and price, and leave no gap. */
export async function readPhases(
  tx: SandboxTransaction,
  schedule: Stripe.SubscriptionSchedule,
  given: PhaseParams[],
): Promise<Phase[]> {
  const subscription = await tx.get('subscription', objectId(schedule.subscription))
  const item = itemOf(subscription)
  const phases: Phase[] = []
  for (const [index, phase] of given.entries()) {
    const name = `phases[${index}]`
    const start = phase.start_date ?? phases.at(-1)?.end_date
    if (start === undefined) throw invalidParameter(`${name}[start_date]`, 'The first phase needs a start date.')
    const begun = schedule.current_phase?.start_date
    if (index === 0 && start !== begun) {
      throw invalidParameter(`${name}[start_date]`, 'You can not modify the start date of the current phase.')
    }
    if (index > 0 && start !== phases.at(-1)?.end_date) {
      throw invalidParameter(`${name}[start_date]`, 'A phase must start when the one before it ends.')
    }
    const [only, ...others] = phase.items
    if (only === undefined || others.length > 0 || (only.quantity ?? 1) !== 1) {
      throw notSupported('one item per phase, with a quantity of 1', `${name}[items]`)
    }
    const price = await tx.get('price', only.price, `${name}[items][0][price]`)
    if (index === 0 && price.id !== item.price.id)
      throw notSupported('changes of later phases, not of the current items', name)
    const end = endOf(subscription, phase, start, name)
    if (end <= Math.max(start, tx.now)) throw invalidParameter(`${name}[end_date]`, 'A phase must end in the future.')
    if (monthAt(subscription.billing_cycle_anchor, end).start !== end) {
      throw notSupported('phases that end with a month of the subscription', `${name}[end_date]`)
    }
    phases.push(newPhase(price.id, start, end, phase))
  }
  if (phases.length === 0) throw invalidParameter('phases', 'A schedule must have at least one phase.')
  return phases
}

function endOf(subscription: Stripe.Subscription, phase: PhaseParams, start: number, name: string): number {
  if (phase.end_date !== undefined && phase.duration !== undefined) {
    throw invalidParameter(`${name}[duration]`, 'A phase cannot have both an end date and a duration.')
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
