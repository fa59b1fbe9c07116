import type Stripe from 'stripe'
import { invalidRequest, notSupported } from './errors.ts'
import { itemOf } from './invoice-lines.ts'
import { newId, objectId } from './objects.ts'
import { type ParamsOf, param, required } from './params.ts'
import { newPhase, PHASE, readPhases } from './schedule-phases.ts'
import { prorationParam } from './subscription-changes.ts'
import { setPrice } from './subscriptions.ts'
import type { SandboxTransaction } from './transaction.ts'

type Schedule = Stripe.SubscriptionSchedule

export const CREATE_SCHEDULE = { from_subscription: required(param.string) }

export const UPDATE_SCHEDULE = {
  phases: param.array(param.object(PHASE)),
  end_behavior: param.enum('release'),
  proration_behavior: prorationParam,
  metadata: param.metadata,
}

export async function createSchedule(
  tx: SandboxTransaction,
  params: ParamsOf<typeof CREATE_SCHEDULE>,
): Promise<Schedule> {
  const subscription = await tx.get('subscription', params.from_subscription, 'from_subscription')
  if (subscription.schedule !== null) {
    throw invalidRequest(
      `You cannot migrate a subscription that is already attached to a schedule: \`${objectId(subscription.schedule)}\`.`,
    )
  }
  if (subscription.status === 'canceled') throw invalidRequest('A canceled subscription cannot have a schedule.')
  if (subscription.cancel_at_period_end) throw notSupported('schedules of subscriptions that are not to be canceled')
  const item = itemOf(subscription)
  const phase = newPhase(item.price.id, item.current_period_start, item.current_period_end)
  const schedule = tx.add<Schedule>(newSchedule(tx, subscription, phase), {}, phase.end_date)
  tx.emit('subscription_schedule.created', schedule)
  setSchedule(tx, subscription, schedule.id)
  return schedule
}

export async function updateSchedule(
  tx: SandboxTransaction,
  id: string,
  params: ParamsOf<typeof UPDATE_SCHEDULE>,
): Promise<Schedule> {
  const schedule = await getActive(tx, id, 'update')
  if (params.metadata !== undefined) schedule.metadata = { ...schedule.metadata, ...params.metadata }
  if (params.phases !== undefined) {
    const phases = await readPhases(tx, schedule, params.phases)
    const [current] = phases
    schedule.phases = phases
    schedule.current_phase = current ? { start_date: current.start_date, end_date: current.end_date } : null
    tx.setDueAt(schedule, current?.end_date ?? null)
  }
  tx.emitUpdate('subscription_schedule.updated', schedule)
  return schedule
}

/** Ends the schedule; the subscription continues as it is. */
export async function releaseSchedule(tx: SandboxTransaction, id: string): Promise<Schedule> {
  const schedule = await getActive(tx, id, 'release')
  const subscription = await tx.get('subscription', objectId(schedule.subscription))
  schedule.status = 'released'
  schedule.released_at = tx.now
  schedule.released_subscription = subscription.id
  schedule.subscription = null
  schedule.current_phase = null
  tx.setDueAt(schedule, null)
  tx.emit('subscription_schedule.released', schedule)
  setSchedule(tx, subscription, null)
  return schedule
}

/** Changes the subscription to the price of the next phase, or releases the schedule after the last one. */
export async function startNextPhase(tx: SandboxTransaction, schedule: Schedule): Promise<void> {
  const next = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.end_date)
  if (next === undefined) {
    await releaseSchedule(tx, schedule.id)
    return
  }
  schedule.current_phase = { start_date: next.start_date, end_date: next.end_date }
  tx.setDueAt(schedule, next.end_date)
  tx.emitUpdate('subscription_schedule.updated', schedule)
  const subscription = await tx.get('subscription', objectId(schedule.subscription))
  setPrice(subscription, await tx.get('price', objectId(next.items[0]?.price)))
  tx.emitUpdate('customer.subscription.updated', subscription)
}

async function getActive(tx: SandboxTransaction, id: string, verb: string): Promise<Schedule> {
  const schedule = await tx.get('subscription_schedule', id)
  if (schedule.status === 'active') return schedule
  throw invalidRequest(
    `You cannot ${verb} a subscription schedule that is currently in the \`${schedule.status}\` status.`,
  )
}

function setSchedule(tx: SandboxTransaction, subscription: Stripe.Subscription, schedule: string | null): void {
  subscription.schedule = schedule
  tx.emitUpdate('customer.subscription.updated', subscription)
}

function newSchedule(
  tx: SandboxTransaction,
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
    created: tx.now,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: objectId(subscription.customer),
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
