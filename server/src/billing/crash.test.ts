/** Tests that the state is the same after the process died, or a connection broke, at any await. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { runs } from '../../test/depth.ts'
import { onEveryEngine } from '../../test/harness.ts'
import { Breakage, crashing } from '../../test/money/crashing.ts'
import { remembering } from '../../test/money/remembering.ts'
import { MoneyRig } from '../../test/money/rig.ts'
import { Snapshot } from '../../test/money/snapshot.ts'
import { stateOf } from '../../test/money/state.ts'
import { ApiError } from '../model/errors.ts'
import { DAY, HOUR, SECOND } from '../model/time.ts'
import { PACKS } from '../plans/packs.ts'
import { PAID_PLAN_SLUGS, type PlanSlug } from '../plans/plans.ts'
import { createStore } from '../store/store.ts'
import type { Billing } from './billing.ts'

/**
 * Every n-th place is tried: in a deep run every place on SQLite, and fewer on PostgreSQL, where the same places are
 * reached more slowly.
 */
const STRIDES = {
  sqlite: { listening: runs(19, 1), acting: runs(61, 1) },
  postgres: { listening: runs(61, 12), acting: runs(151, 20) },
}

/** An action that is interrupted and then repeated. Returns the answer to the caller. */
type Deed = (billing: Billing) => Promise<string | undefined>

onEveryEngine('interrupted billing', (engine) => {
  let rig: MoneyRig
  let id: string
  beforeEach(async () => {
    rig = await MoneyRig.open(engine)
  })
  afterEach(() => rig.close())

  const openAccount = async () => {
    id = (await rig.open('free')).id
    await rig.addKeys(id, 5)
  }
  /** Opens an account. The prices exist already, so that their creation is not interrupted each time. */
  const openBuyer = async () => {
    await openAccount()
    const customer = await rig.processor.createCustomer(await rig.account(id))
    for (const planSlug of PAID_PLAN_SLUGS) {
      await rig.processor.createCheckout({ accountId: id, planSlug }, customer, planSlug)
    }
  }
  const deliverAll = async () => rig.deliver(await rig.waitingEvents())
  const paidPack = async () => {
    const session = await rig.buyPack(id, 1_000)
    await deliverAll()
    await rig.spend(id, 600)
    return rig.paymentOf(session)
  }
  const paidPlan = async (plan: PlanSlug, fields: Record<string, string> = {}) => {
    const session = await rig.subscribe(id, plan, 'pay', fields)
    await deliverAll()
    await rig.spend(id, 300)
    await rig.pass(3 * DAY)
    await rig.sweep()
    return rig.subscriptionOf(session)
  }
  const deliver: Deed = async (billing) => {
    for (const event of await rig.waitingEvents()) await billing.inbox.process(event)
    return undefined
  }
  const change =
    (plan: PlanSlug): Deed =>
    async (billing) => {
      await billing.planChanges.change(await rig.account(id), plan)
      return undefined
    }

  /** Returns the state without ids, which differ between attempts. */
  const endState = async () => {
    const { subscriptions, purchases, reversals, checkouts, transfers, subscription, ...rest } = await stateOf(rig, id)
    const sessions = await rig.documents('checkout.session')
    const charges = await rig.documents('charge')
    return {
      ...rest,
      transfers,
      hasSubscription: subscription !== null,
      subscriptions: subscriptions.map(({ id: _, accountId, ...state }) => state),
      purchases: purchases.map(({ lot, credits, amountUsdCents }) => `${lot} ${credits} ${amountUsdCents}`).toSorted(),
      reversals: reversals.map(({ kind, credits }) => `${kind} ${credits}`).toSorted(),
      paidCheckouts: checkouts.filter(({ status }) => status === 'paid').length,
      charges: charges.filter(({ paid }) => paid).map(({ amount }) => amount),
      openPlanSessions: sessions.filter((one) => one.mode === 'subscription' && one.status === 'open').length,
    }
  }

  /**
   * Interrupts the action at its first await, its second, and so on until it completes: the process dies, or a
   * connection to the processor breaks and the process continues. Then the service starts again: a caller who got an
   * error tries again, events are delivered again, and the sweeper runs.
   */
  const breakEverywhere = async (deed: Deed, then?: (told: string | undefined) => Promise<unknown>) => {
    await rig.pass(SECOND)
    // Delivering events changes nothing at the processor.
    const isListening = deed === deliver
    const start = await (isListening ? Snapshot.take(rig.db) : Snapshot.takeAll(rig.db))
    const startedAt = rig.clock.now()
    // Processors cache prices, which may be created in only one of the attempts.
    const arePricesKnown = (await rig.documents('price')).length >= PAID_PLAN_SLUGS.length
    const at = (port: number) => {
      const kept = rig.processorAt(port)
      return () => (arePricesKnown ? kept : rig.processorAt(port))
    }
    const remembered = remembering(rig.processorAt(rig.sandbox.port))
    const unbroken = isListening ? () => remembered : at(rig.sandbox.port)
    const breaking = at(rig.wire.port)
    const recover = async (told: string | undefined, isFailed: boolean, isCallerFirst: boolean) => {
      // The lease of a process that died expires by the clock of the engine, which a test cannot move.
      await rig.db.transaction((tx) => tx.query('delete from leases'))
      const billing = rig.instance({ processor: unbroken() })
      let answer = told
      const again = async () => {
        if (isFailed) answer = await unlessDone(deed(billing))
      }
      if (isCallerFirst) await again()
      await deliver(billing)
      if (!isCallerFirst) await again()
      if (then !== undefined) {
        await then(answer)
        await deliver(billing)
      }
      await rig.pass(2 * HOUR)
      await billing.sweeper.run()
      await rig.audit()
      return endState()
    }
    const attempt = async (breakage: Breakage, isEnd: boolean, isCallerFirst: boolean) => {
      await start.restore(rig.db)
      rig.clock.jump(startedAt - rig.clock.now())
      rig.wire.step = breakage.step
      const processor = breaking()
      const store = isEnd ? createStore(crashing(rig.db, breakage.step)) : rig.store
      let isFailed = false
      const told = await deed(rig.instance({ store, processor })).catch(() => {
        isFailed = true
        return undefined
      })
      rig.wire.step = () => {}
      return recover(told, isFailed, isCallerFirst)
    }
    const stride = STRIDES[engine][isListening ? 'listening' : 'acting']
    const expected = await attempt(new Breakage(Number.POSITIVE_INFINITY), true, true)
    let breaks = 0
    for (const isEnd of [true, false]) {
      for (let at = 1; ; at += stride) {
        const breakage = new Breakage(at, isEnd)
        const state = await attempt(breakage, isEnd, at % 2 === 0)
        assert.deepEqual(state, expected, `${isEnd ? 'process died at await' : 'connection broke at request'} ${at}`)
        if (!breakage.hasHappened) break
        breaks += 1
      }
    }
    return { breaks, expected }
  }

  test('a pack', async () => {
    await openBuyer()
    await rig.buyPack(id, 1_000)
    const { breaks, expected } = await breakEverywhere(deliver)
    assert.ok(breaks > 20 / STRIDES[engine].listening, `${breaks} breaks`)
    assert.equal(expected.balance, 1_100)
    assert.deepEqual(expected.charges, [1_000])
  })

  test('the start of a subscription', async () => {
    await openBuyer()
    await rig.subscribe(id, 'starter')
    const { expected } = await breakEverywhere(deliver)
    assert.deepEqual([expected.plan, expected.balance, expected.activeKeys], ['starter', 1_100, 5])
  })

  test('the next month of a subscription', async () => {
    await openBuyer()
    await paidPlan('starter')
    await rig.pass(30 * DAY)
    const { expected } = await breakEverywhere(deliver)
    assert.equal(expected.balance, 1_100)
    assert.deepEqual(expected.charges, [2_900, 2_900])
  })

  test('a refund', async () => {
    await openBuyer()
    const payment = await paidPack()
    await rig.stripe.refunds.create({ payment_intent: payment, amount: 300 })
    const { expected } = await breakEverywhere(deliver)
    assert.deepEqual([expected.balance, expected.owed], [200, 0])
  })

  test('a dispute', async () => {
    await openBuyer()
    await rig.sandbox.dispute(await paidPack())
    const { expected } = await breakEverywhere(deliver)
    assert.deepEqual([expected.balance, expected.owed], [0, 500])
  })

  test('a dispute that is won', async () => {
    await openBuyer()
    const { id: dispute } = await rig.sandbox.dispute(await paidPack())
    await deliverAll()
    await rig.sandbox.settleDispute(dispute, 'won')
    const { expected } = await breakEverywhere(deliver)
    assert.deepEqual([expected.balance, expected.owed], [500, 0])
  })

  test('a pack that pays a debt', async () => {
    await openBuyer()
    await rig.sandbox.dispute(await paidPack())
    await deliverAll()
    await rig.buyPack(id, 1_000)
    const { expected } = await breakEverywhere(deliver)
    assert.deepEqual([expected.balance, expected.owed], [500, 0])
  })

  test('an upgrade is paid once', async () => {
    await openBuyer()
    await paidPlan('starter')
    const { expected } = await breakEverywhere(change('professional'))
    assert.deepEqual([expected.plan, expected.balance], ['professional', 4_800])
    assert.equal(expected.charges.length, 2)
  })

  test('a downgrade', async () => {
    await openBuyer()
    await paidPlan('professional')
    const { expected } = await breakEverywhere(change('starter'))
    assert.deepEqual([expected.plan, expected.subscriptions[0]?.pendingPlanSlug], ['professional', 'starter'])
    assert.equal(expected.charges.length, 1)
  })

  test('another downgrade in place of the pending one', async () => {
    await openBuyer()
    await paidPlan('enterprise')
    await change('professional')(rig.billing)
    const { expected } = await breakEverywhere(change('starter'))
    assert.deepEqual([expected.plan, expected.subscriptions[0]?.pendingPlanSlug], ['enterprise', 'starter'])
  })

  test('an upgrade in place of the pending downgrade', async () => {
    await openBuyer()
    await paidPlan('professional')
    await change('starter')(rig.billing)
    const { expected } = await breakEverywhere(change('enterprise'))
    assert.deepEqual([expected.plan, expected.subscriptions[0]?.pendingPlanSlug], ['enterprise', null])
    assert.equal(expected.charges.length, 2)
  })

  test('a cancellation, and taking it back', async () => {
    await openBuyer()
    await paidPlan('professional')
    await change('starter')(rig.billing)
    const cancel: Deed = async (billing) => {
      await billing.planChanges.cancel(await rig.account(id))
      return undefined
    }
    const { expected } = await breakEverywhere(cancel)
    assert.equal(expected.subscriptions[0]?.cancelAtPeriodEnd, true)
    const kept = await breakEverywhere(change('professional'))
    assert.equal(kept.expected.subscriptions[0]?.cancelAtPeriodEnd, false)
    assert.equal(kept.expected.subscriptions[0]?.pendingPlanSlug, null)
  })

  test('the checkout of a pack', async () => {
    await openAccount()
    const [pack] = PACKS
    assert.ok(pack !== undefined)
    const order: Deed = async (billing) => (await billing.orders.buyPack(await rig.account(id), pack)).sessionId
    const { expected } = await breakEverywhere(order, (session = '') => rig.sandbox.checkoutAction(session, 'pay', {}))
    assert.equal(expected.balance, 1_100)
    assert.deepEqual(expected.charges, [1_000])
  })

  test('the checkout of a plan, of which there is one at a time', async () => {
    await openAccount()
    const order: Deed = async (billing) => (await billing.orders.subscribe(await rig.account(id), 'starter')).sessionId
    const { expected } = await breakEverywhere(order, (session = '') => rig.sandbox.checkoutAction(session, 'pay', {}))
    assert.equal(expected.balance, 1_100)
    assert.equal(expected.openPlanSessions, 0)
  })

  test('the checkout of another plan closes the previous one', async () => {
    await openAccount()
    await rig.billing.orders.subscribe(await rig.account(id), 'starter')
    const order: Deed = async (billing) =>
      (await billing.orders.subscribe(await rig.account(id), 'professional')).sessionId
    const { expected } = await breakEverywhere(order, (session = '') => rig.sandbox.checkoutAction(session, 'pay', {}))
    assert.deepEqual([expected.plan, expected.balance], ['professional', 5_100])
    assert.equal(expected.openPlanSessions, 0)
  })

  test('the end of the grace period', async () => {
    await openBuyer()
    await paidPlan('starter', { renewals: 'fail' })
    await rig.pass(29 * DAY)
    await deliverAll()
    assert.equal((await rig.account(id)).planSlug, 'starter')
    await rig.pass(7 * DAY)
    const sweep: Deed = async (billing) => {
      await billing.sweeper.run()
      return undefined
    }
    const { expected } = await breakEverywhere(sweep)
    assert.deepEqual([expected.plan, expected.activeKeys], ['free', 2])
    assert.equal(expected.subscriptions[0]?.status, 'canceled')
  })
})

/** A caller who tries again may be told that it is done already. */
async function unlessDone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
