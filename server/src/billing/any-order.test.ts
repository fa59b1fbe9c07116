/** Tests that an account ends in the same state in whatever order, and however often, its events arrive. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runs, some } from '../../test/depth.ts'
import { dice } from '../../test/dice.ts'
import { onEveryEngine } from '../../test/harness.ts'
import { allOrders, blockOrders, shuffled } from '../../test/money/orders-of.ts'
import { remembering } from '../../test/money/remembering.ts'
import { MoneyRig } from '../../test/money/rig.ts'
import { Snapshot } from '../../test/money/snapshot.ts'
import { stateOf } from '../../test/money/state.ts'
import { DAY, MINUTE, SECOND } from '../model/time.ts'
import type { ReceivedEvent } from '../store/billing/processor-events.ts'
import type { PaymentProcessor } from './processor.ts'

type State = Awaited<ReturnType<typeof stateOf>>
type Expected = Pick<State, 'balance' | 'lots' | 'owed' | 'plan' | 'activeKeys'>

/** A change at the processor: its events, and the answers of the processor after it. */
interface Stage {
  at: number
  events: ReceivedEvent[]
  processor: PaymentProcessor
}

/** If there are more orders than this, a sample is tested instead of all. */
const MOST_ORDERS = { sqlite: 400, postgres: 130 }
const QUICK_ORDERS = { sqlite: 6, postgres: 2 }
const SHUFFLES = { sqlite: runs(6, 200), postgres: runs(2, 40) }
const JOINT_DELIVERIES = runs(1, 5)
const LIVE_DELIVERIES = runs(1, 15)
const FREE = { plan: 'free', owed: 0, activeKeys: 2 }
const STARTER = { plan: 'starter', owed: 0, activeKeys: 5 }
const PROFESSIONAL = { plan: 'professional', owed: 0, activeKeys: 6 }

onEveryEngine('events in any order', (engine) => {
  let rig: MoneyRig
  before(async () => {
    rig = await MoneyRig.open(engine)
  })
  after(() => rig.close())

  /** A free account with 100 signup credits and six keys, two of them active. */
  const openAccount = async () => {
    const { id } = await rig.open('free')
    await rig.addKeys(id, 5)
    return id
  }
  const deliverAll = async () => rig.deliver(await rig.waitingEvents())
  const paidPack = async (id: string, credits: number) => {
    const session = await rig.buyPack(id, credits)
    await deliverAll()
    return rig.paymentOf(session)
  }
  const paidPlan = async (id: string) => {
    const session = await rig.subscribe(id, 'starter')
    await deliverAll()
    return rig.subscriptionOf(session)
  }
  const refund = (payment: string, cents: number) =>
    rig.stripe.refunds.create({ payment_intent: payment, amount: cents })

  /** Plays a scenario at the processor without delivering its events. */
  const stagesOf = async (...steps: (() => Promise<unknown>)[]): Promise<Stage[]> => {
    const known = new Set((await rig.events()).map(({ id }) => id))
    const start = await Snapshot.take(rig.db)
    const stages: Stage[] = []
    for (const step of steps) {
      await rig.pass(SECOND)
      await step()
      const events = (await rig.events()).filter(({ id }) => !known.has(id))
      for (const { id } of events) known.add(id)
      // Fetches everything once, so that it can be answered later as it is now.
      const processor = remembering(rig.processor)
      const orders = await Snapshot.take(rig.db)
      const sofar = [...stages.flatMap((stage) => stage.events), ...events]
      for (const order of [sofar, sofar.toReversed()]) {
        await start.restore(rig.db)
        await rig.deliver(order, rig.instance({ processor }))
      }
      await orders.restore(rig.db)
      stages.push({ at: rig.clock.now(), events, processor })
    }
    return stages
  }

  const assertExpected = (state: State, expected: Expected, message = 'in order') => {
    const { balance, lots, owed, plan, activeKeys } = state
    assert.deepEqual({ balance, lots, owed, plan, activeKeys }, expected, message)
  }

  /** Delivers the events in each order, from the same start, and compares the ends. */
  const deliverInOrders = async (
    id: string,
    stages: readonly Stage[],
    orders: Iterable<readonly ReceivedEvent[]>,
    expected: Expected,
  ): Promise<void> => {
    const start = await Snapshot.take(rig.db)
    const processor = stages.at(-1)?.processor ?? rig.processor
    await rig.deliver(
      stages.flatMap(({ events }) => events),
      rig.instance({ processor }),
    )
    const inOrder = await stateOf(rig, id)
    assertExpected(inOrder, expected)
    let count = 0
    for (const order of orders) {
      await start.restore(rig.db)
      await rig.deliver(order, rig.instance({ processor }))
      assert.deepEqual(await stateOf(rig, id), inOrder, order.map(({ type }) => type).join(', '))
      count += 1
      if (count % 50 === 0) await rig.audit()
    }
    await rig.audit()
    await start.restore(rig.db)
  }

  /** Delivers the events to two instances at once, to each in its own order. */
  const deliverToTwo = async (id: string, stages: readonly Stage[], expected: Expected) => {
    const start = await Snapshot.take(rig.db)
    const roll = dice(2)
    const events = stages.flatMap((stage) => stage.events)
    for (let round = 0; round < JOINT_DELIVERIES; round += 1) {
      await Promise.all([1, 2].map(() => rig.deliver(shuffled(events, roll, 2), rig.instance({}))))
      assertExpected(await stateOf(rig, id), expected, `round ${round}`)
      await rig.audit()
      await start.restore(rig.db)
    }
  }

  /** Delivers some events during the scenario, when the processor is in an intermediate state, and the others late. */
  const deliverLive = async (id: string, stages: readonly Stage[], expected: Expected) => {
    const start = await Snapshot.take(rig.db)
    const roll = dice(3)
    for (let round = 0; round < LIVE_DELIVERIES; round += 1) {
      let waiting: ReceivedEvent[] = []
      for (const { at, events, processor } of stages) {
        rig.clock.jump(at - rig.clock.now())
        waiting.push(...events)
        const isLast = at === stages.at(-1)?.at
        const arriving = isLast ? waiting : waiting.filter(() => roll() < 0.5)
        waiting = waiting.filter((event) => !arriving.includes(event))
        await rig.deliver(shuffled(arriving, roll, 2), rig.instance({ processor }))
      }
      assertExpected(await stateOf(rig, id), expected, `round ${round}`)
      await rig.audit()
      await start.restore(rig.db)
    }
  }

  const tell = async (id: string, stages: readonly Stage[], expected: Expected) => {
    const events = stages.flatMap((stage) => stage.events)
    const orders = allOrders(events, 3, MOST_ORDERS[engine])
    await deliverInOrders(id, stages, some(orders, QUICK_ORDERS[engine]), expected)
    await deliverToTwo(id, stages, expected)
    await deliverLive(id, stages, expected)
    await rig.deliver(events)
    assert.deepEqual(rig.problems, [])
    return orders.length
  }

  test('a pack that is paid at once', async () => {
    const id = await openAccount()
    const stages = await stagesOf(() => rig.buyPack(id, 1_000))
    const lots = { monthly: 0, signup: 100, pack: 1_000, adjustment: 0 }
    assert.equal(await tell(id, stages, { ...FREE, balance: 1_100, lots }), 3)
  })

  test('a pack that is paid later', async () => {
    const id = await openAccount()
    const stages = await stagesOf(
      () => rig.buyPack(id, 5_000, 'pay-later'),
      () => rig.pass(10 * MINUTE),
    )
    const lots = { monthly: 0, signup: 100, pack: 5_000, adjustment: 0 }
    assert.equal(await tell(id, stages, { ...FREE, balance: 5_100, lots }), 62)
  })

  test('the start of a subscription', async () => {
    const id = await openAccount()
    const stages = await stagesOf(() => rig.subscribe(id, 'starter'))
    const lots = { monthly: 1_000, signup: 100, pack: 0, adjustment: 0 }
    await tell(id, stages, { ...STARTER, balance: 1_100, lots })
  })

  test('the next month of a subscription', async () => {
    const id = await openAccount()
    await paidPlan(id)
    await rig.spend(id, 300)
    const stages = await stagesOf(() => rig.pass(32 * DAY))
    const lots = { monthly: 1_000, signup: 100, pack: 0, adjustment: 0 }
    await tell(id, stages, { ...STARTER, balance: 1_100, lots })
  })

  test('an upgrade', async () => {
    const id = await openAccount()
    const subscription = await paidPlan(id)
    await rig.spend(id, 300)
    await rig.pass(3 * DAY)
    await deliverAll()
    const stages = await stagesOf(() => rig.processor.upgrade(subscription, 'starter', 'professional'))
    const lots = { monthly: 4_700, signup: 100, pack: 0, adjustment: 0 }
    await tell(id, stages, { ...PROFESSIONAL, balance: 4_800, lots })
  })

  test('two partial refunds of a pack', async () => {
    const id = await openAccount()
    const payment = await paidPack(id, 5_000)
    await rig.spend(id, 200)
    const stages = await stagesOf(
      () => refund(payment, 1_000),
      () => refund(payment, 2_000),
    )
    // A refund of $30 of $45 takes back 3,333 of 5,000 credits. 100 signup credits and 100 of the pack were used.
    const lots = { monthly: 0, signup: 100 - 100, pack: 5_000 - 100 - 3_333, adjustment: 0 }
    await tell(id, stages, { ...FREE, balance: 1_567, lots })
  })

  test('a dispute that is won', async () => {
    const id = await openAccount()
    const payment = await paidPack(id, 1_000)
    await rig.spend(id, 600)
    let dispute = ''
    const stages = await stagesOf(
      async () => {
        dispute = (await rig.sandbox.dispute(payment)).id
      },
      () => rig.sandbox.settleDispute(dispute, 'won'),
    )
    const lots = { monthly: 0, signup: 0, pack: 500, adjustment: 0 }
    await tell(id, stages, { ...FREE, balance: 500, lots })
  })

  test('a dispute that is lost', async () => {
    const id = await openAccount()
    const payment = await paidPack(id, 1_000)
    await rig.spend(id, 600)
    let dispute = ''
    const stages = await stagesOf(
      async () => {
        dispute = (await rig.sandbox.dispute(payment)).id
      },
      () => rig.sandbox.settleDispute(dispute, 'lost'),
    )
    const lots = { monthly: 0, signup: 0, pack: 0, adjustment: 0 }
    await tell(id, stages, { ...FREE, balance: 0, lots, owed: 500 })
  })

  test('a purchase, the next month, an upgrade, a refund and a dispute', async () => {
    const id = await openAccount()
    const old = await paidPack(id, 1_000)
    await rig.spend(id, 1_000)
    const subscription = await paidPlan(id)
    await rig.spend(id, 300)
    let session = ''
    const stages = await stagesOf(
      async () => {
        session = await rig.buyPack(id, 1_000)
      },
      () => rig.pass(32 * DAY),
      () => rig.processor.upgrade(subscription, 'starter', 'professional'),
      async () => refund(await rig.paymentOf(session), 500),
      () => rig.sandbox.dispute(old),
    )
    // The disputed pack has 100 credits left, and half of the new one is refunded: 1,100 of 1,500 can be taken.
    const lots = { monthly: 1_000 + 4_000, signup: 0, pack: 0, adjustment: 0 }
    const expected = { ...PROFESSIONAL, balance: 5_000, lots, owed: 400 }
    const blocks = stages.map(({ events }) => events)
    const roll = dice(4)
    const shuffles = Array.from({ length: SHUFFLES[engine] }, () => shuffled(blocks.flat(), roll, 3))
    const orders = blockOrders(blocks)
    assert.equal(orders.length, 120)
    await deliverInOrders(id, stages, some(orders, QUICK_ORDERS[engine]), expected)
    await deliverInOrders(id, stages, shuffles, expected)
    await deliverToTwo(id, stages, expected)
    await deliverLive(id, stages, expected)
    assert.deepEqual(rig.problems, [])
  })
})
