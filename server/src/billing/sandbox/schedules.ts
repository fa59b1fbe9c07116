import type Stripe from 'stripe'
import type { Desk } from './desk.ts'
import { emitUpdate } from './events.ts'
import { notInSandbox, refused } from './fault.ts'
import { itemOf } from './invoice-lines.ts'
import { idOf, newId } from './objects.ts'
import { newPhase, type PhaseParams, readPhases } from './schedule-phases.ts'
import { setPrice } from './subscriptions.ts'

type Schedule = Stripe.SubscriptionSchedule

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

function attach(desk: Desk, subscription: Stripe.Subscription, schedule: string | null): void {
  const before = structuredClone(subscription)
  subscription.schedule = schedule
  desk.save(subscription)
  emitUpdate<'subscription'>(desk, 'customer.subscription.updated', subscription, before)
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
