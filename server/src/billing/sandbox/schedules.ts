import type Stripe from 'stripe'
import { type Desk, idOf, newId } from './desk.ts'
import { emitUpdate } from './events.ts'
import { badParameter, notInSandbox, refused } from './fault.ts'
import { itemOf } from './invoice-lines.ts'
import { monthAt, setPrice } from './subscriptions.ts'

type Schedule = Stripe.SubscriptionSchedule

interface PhaseParams {
  items: { price: string; quantity: number | undefined }[]
  start_date: number | undefined
  end_date: number | undefined
  duration: { interval: 'month'; interval_count: number | undefined } | undefined
  proration_behavior: 'none' | 'create_prorations' | 'always_invoice' | undefined
  metadata: Stripe.Metadata | undefined
}

export async function createSchedule(desk: Desk, params: { from_subscription: string }): Promise<Schedule> {
  const subscription = await desk.get('subscription', params.from_subscription, 'from_subscription')
  if (subscription.schedule !== null) {
    throw refused(
      `You cannot migrate a subscription that is already attached to a schedule: \`${idOf(subscription.schedule)}\`.`,
    )
  }
  if (subscription.status === 'canceled') throw refused('A canceled subscription cannot have a schedule.')
  if (subscription.cancel_at_period_end) throw notInSandbox('a schedule of a subscription that is to be canceled')
  const item = itemOf(subscription)
  const phase = newPhase(item.price.id, item.current_period_start, item.current_period_end)
  const schedule = desk.add<Schedule>(newSchedule(desk, subscription, phase), {}, phase.end_date)
  desk.emit('subscription_schedule.created', schedule)
  attach(desk, subscription, schedule.id)
  return schedule
}

export async function updateSchedule(
  desk: Desk,
  params: {
    phases: PhaseParams[] | undefined
    end_behavior: 'release' | undefined
    proration_behavior: 'none' | 'create_prorations' | 'always_invoice' | undefined
    metadata: Stripe.Metadata | undefined
  },
  id: string,
): Promise<Schedule> {
  const schedule = await getActive(desk, id, 'update')
  const before = structuredClone(schedule)
  if (params.metadata !== undefined) schedule.metadata = { ...schedule.metadata, ...params.metadata }
  if (params.phases !== undefined) {
    const phases = await readPhases(desk, schedule, params.phases)
    const [current] = phases
    schedule.phases = phases
    schedule.current_phase = current ? { start_date: current.start_date, end_date: current.end_date } : null
    desk.wake(schedule, current?.end_date ?? null)
  }
  desk.save(schedule)
  emitUpdate<'subscription_schedule'>(desk, 'subscription_schedule.updated', schedule, before)
  return schedule
}

/** The subscription goes on as it is, without the schedule. */
export async function releaseSchedule(desk: Desk, _: object, id: string): Promise<Schedule> {
  const schedule = await getActive(desk, id, 'release')
  const subscription = await desk.get('subscription', idOf(schedule.subscription))
  schedule.status = 'released'
  schedule.released_at = desk.now
  schedule.released_subscription = subscription.id
  schedule.subscription = null
  schedule.current_phase = null
  desk.wake(schedule, null)
  desk.emit('subscription_schedule.released', schedule)
  attach(desk, subscription, null)
  return schedule
}

/** A phase is over: the price of the next one is that of the month that begins now, or the schedule has done its work. */
export async function nextPhase(desk: Desk, schedule: Schedule): Promise<void> {
  const next = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.end_date)
  if (next === undefined) {
    await releaseSchedule(desk, {}, schedule.id)
    return
  }
  const before = structuredClone(schedule)
  schedule.current_phase = { start_date: next.start_date, end_date: next.end_date }
  desk.wake(schedule, next.end_date)
  emitUpdate<'subscription_schedule'>(desk, 'subscription_schedule.updated', schedule, before)
  const subscription = await desk.get('subscription', idOf(schedule.subscription))
  const subscriptionBefore = structuredClone(subscription)
  setPrice(desk, subscription, await desk.get('price', idOf(next.items[0]?.price)))
  emitUpdate<'subscription'>(desk, 'customer.subscription.updated', subscription, subscriptionBefore)
}

async function getActive(desk: Desk, id: string, verb: string): Promise<Schedule> {
  const schedule = await desk.get('subscription_schedule', id)
  if (schedule.status === 'active') return schedule
  throw refused(`You cannot ${verb} a subscription schedule that is currently in the \`${schedule.status}\` status.`)
}

/** Phases follow each other without a gap, from the one that has begun; what has begun cannot be made anew. */
async function readPhases(
  desk: Desk,
  schedule: Schedule,
  given: PhaseParams[],
): Promise<Stripe.SubscriptionSchedule.Phase[]> {
  const subscription = await desk.get('subscription', idOf(schedule.subscription))
  const item = itemOf(subscription)
  const phases: Stripe.SubscriptionSchedule.Phase[] = []
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

function attach(desk: Desk, subscription: Stripe.Subscription, schedule: string | null): void {
  const before = structuredClone(subscription)
  subscription.schedule = schedule
  desk.save(subscription)
  emitUpdate<'subscription'>(desk, 'customer.subscription.updated', subscription, before)
}

function newPhase(price: string, start: number, end: number, given?: PhaseParams): Stripe.SubscriptionSchedule.Phase {
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

function newSchedule(
  desk: Desk,
  subscription: Stripe.Subscription,
  phase: Stripe.SubscriptionSchedule.Phase,
): Schedule {
  return {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: desk.now,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: idOf(subscription.customer),
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  }
}
