import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type Stripe from 'stripe'
import { DAY } from '../../src/model/time.ts'
import { addMonths } from '../../src/plans/period.ts'
import { onEveryEngine } from '../harness.ts'
import { SandboxRig } from './rig.ts'

onEveryEngine('subscription schedules', (engine) => {
  let rig: SandboxRig
  let small: Stripe.Price
  let large: Stripe.Price
  let subscription: Stripe.Subscription
  let end: number
  beforeEach(async () => {
    rig = await SandboxRig.open(engine)
    small = await rig.price(4_900, true)
    large = await rig.price(19_900, true)
    subscription = await rig.subscribe(large)
    end = subscription.items.data[0]?.current_period_end ?? 0
    await rig.pass(10 * DAY)
  })
  afterEach(() => rig.close())
  const reload = () => rig.stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] })
  const plan = async (more: object = {}) => {
    const schedule = await rig.stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
    const start = schedule.current_phase?.start_date ?? 0
    return rig.stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        { items: [{ price: large.id, quantity: 1 }], start_date: start, end_date: end },
        { items: [{ price: small.id, quantity: 1 }], ...more },
      ],
    })
  }
  const totals = async () => {
    const invoices = await Array.fromAsync(rig.stripe.invoices.list({ subscription: subscription.id }))
    return invoices.map(({ total }) => total).reverse()
  }

  test('a schedule starts with the current period of the subscription', async () => {
    const schedule = await rig.stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
    assert.deepEqual(schedule.current_phase, { start_date: subscription.billing_cycle_anchor, end_date: end })
    assert.deepEqual([schedule.phases.length, schedule.phases[0]?.items[0]?.price], [1, large.id])
    assert.equal(((await reload()).schedule as Stripe.SubscriptionSchedule).id, schedule.id)
    await assert.rejects(
      rig.stripe.subscriptionSchedules.create({ from_subscription: subscription.id }),
      /already attached/,
    )
  })

  test('the next phase changes the price at the renewal without proration, and the schedule is released after it', async () => {
    const schedule = await plan()
    assert.equal(schedule.phases[1]?.end_date, addMonths(subscription.billing_cycle_anchor * 1_000, 2) / 1_000)
    const preview = await rig.stripe.invoices.createPreview({ subscription: subscription.id })
    assert.equal(preview.total, 4_900)
    await rig.pass(end * 1_000 - rig.clock.now())
    const renewed = await reload()
    assert.equal(renewed.items.data[0]?.price.id, small.id)
    assert.deepEqual(await totals(), [19_900, 4_900])
    assert.equal((renewed.schedule as Stripe.SubscriptionSchedule).current_phase?.start_date, end)
    await rig.pass(65 * DAY)
    assert.equal((await reload()).schedule, null)
    const released = await rig.stripe.subscriptionSchedules.retrieve(schedule.id)
    assert.deepEqual(
      [released.status, released.released_at, released.released_subscription, released.subscription],
      ['released', schedule.phases[1]?.end_date, subscription.id, null],
    )
    assert.deepEqual(await totals(), [19_900, 4_900, 4_900, 4_900])
  })

  test('a released schedule has no further effect', async () => {
    const schedule = await plan({ duration: { interval: 'month', interval_count: 2 } })
    assert.equal((await rig.stripe.subscriptionSchedules.release(schedule.id)).status, 'released')
    await assert.rejects(rig.stripe.subscriptionSchedules.release(schedule.id), /`released` status/)
    await rig.pass(30 * DAY)
    assert.deepEqual(await totals(), [19_900, 19_900])
    const types = await rig.eventTypes()
    assert.ok(['created', 'updated', 'released'].every((end) => types.includes(`subscription_schedule.${end}`)))
  })

  test('an update of a subscription cannot change fields that its schedule manages', async () => {
    await plan()
    const item = subscription.items.data[0]?.id ?? ''
    await assert.rejects(
      rig.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
      /managed by the subscription schedule/,
    )
    const items = [{ id: item, price: small.id }]
    await assert.rejects(
      rig.stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }),
      /managed by the subscription schedule/,
    )
    await rig.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false, metadata: { a: 'b' } })
  })

  test('canceling a subscription cancels its schedule', async () => {
    const schedule = await plan()
    await rig.stripe.subscriptions.cancel(subscription.id)
    assert.equal((await rig.stripe.subscriptionSchedules.retrieve(schedule.id)).status, 'canceled')
    await rig.pass(65 * DAY)
    assert.deepEqual(await totals(), [19_900])
  })

  test('phases that overlap, leave a gap or rewrite the current phase are refused', async () => {
    const { id, current_phase } = await rig.stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
    const start = current_phase?.start_date ?? 0
    const items = [{ price: large.id }]
    const bad: Stripe.SubscriptionScheduleUpdateParams.Phase[][] = [
      [{ items, start_date: start + 1, end_date: end }],
      [{ items, start_date: start, end_date: end - 1 }],
      [{ items: [{ price: small.id }], start_date: start, end_date: end }],
      [
        { items, start_date: start, end_date: end },
        { items, start_date: end + 1 },
      ],
      [{ items: [{ price: 'price_none' }], start_date: start, end_date: end }],
    ]
    for (const [index, phases] of bad.entries()) {
      await assert.rejects(rig.stripe.subscriptionSchedules.update(id, { phases }), { statusCode: 400 }, String(index))
    }
  })
})
