/** Whatever order events come in, and however often: what an account has in the end is the same. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryEngine } from '../../test/harness.ts'
import { dice, ordersOf, repetitions, shuffled } from '../../test/money/orders-of.ts'
import { remembering } from '../../test/money/remembering.ts'
import { MoneyRig } from '../../test/money/rig.ts'
import { Snapshot } from '../../test/money/snapshot.ts'
import { stateOf } from '../../test/money/state.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts'
import type { ReceivedEvent } from '../store/billing/events.ts'

type State = Awaited<ReturnType<typeof stateOf>>
type Expected = Pick<State, 'balance' | 'lots' | 'owed' | 'plan' | 'activeKeys'>

/** Beyond so many, orders with repetitions are drawn instead of gone through. */
const MOST_ORDERS = 400
const SAMPLED_ORDERS = 60
const NONE = { monthly: 0, signup: 0, pack: 0, adjustment: 0 }

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
  /** What happens at the processor while nobody hears of it. */
  const eventsOf = async (story: () => Promise<void>): Promise<ReceivedEvent[]> => {
    const known = new Set((await rig.events()).map(({ id }) => id))
    await rig.pass(SECOND)
    await story()
    return (await rig.events()).filter(({ id }) => !known.has(id))
  }
  const deliverAll = async () => rig.deliver(await rig.events())
  const assertExpected = (state: State, { balance, lots, owed, plan, activeKeys }: Expected) =>
    assert.deepEqual(
      { balance: state.balance, lots: state.lots, owed: state.owed, plan: state.plan, activeKeys: state.activeKeys },
      { balance, lots, owed, plan, activeKeys },
    )

  /** From the same start, in each order: always the same end. Gives how many orders there were. */
  const deliverInOrders = async (
    accountId: string,
    events: readonly ReceivedEvent[],
    orders: Iterable<readonly ReceivedEvent[]>,
    expected: Expected,
  ): Promise<number> => {
    const start = await Snapshot.take(rig.db)
    const processor = remembering(rig.processor)
    const deliver = async (order: readonly ReceivedEvent[]) => {
      await rig.deliver(order, rig.instance({ processor }))
      return stateOf(rig, accountId)
    }
    const inOrder = await deliver(events)
    assertExpected(inOrder, expected)
    await rig.audit()
    let count = 0
    for (const order of orders) {
      await start.restore(rig.db)
      const names = () => order.map(({ type, id }) => `${type} ${id.slice(-4)}`).join(', ')
      assert.deepEqual(await deliver(order), inOrder, names())
      count += 1
      if (count % 50 === 0) await rig.audit()
    }
    await rig.audit()
    assert.deepEqual(rig.problems, [])
    // The next story must not find events of this one.
    await deliver(events)
    return count
  }

  const allOrders = (events: readonly ReceivedEvent[]): ReceivedEvent[][] => {
    const times = [...repetitions(events.length, 3)]
    const all = times.reduce((sum, each) => sum + countOrders(each), 0)
    if (all <= MOST_ORDERS) return times.flatMap((each) => [...ordersOf(events, each)])
    const roll = dice(1)
    const once = [...ordersOf(events, Array(events.length).fill(1))]
    const orders = once.length <= MOST_ORDERS ? once : Array.from({ length: MOST_ORDERS }, () => shuffled(events, roll))
    return [...orders, ...Array.from({ length: SAMPLED_ORDERS }, () => shuffled(events, roll, 3))]
  }

  /** Two instances at once, each with an order of its own. */
  const deliverTwice = async (accountId: string, events: readonly ReceivedEvent[], expected: Expected) => {
    const start = await Snapshot.take(rig.db)
    const roll = dice(2)
    for (let round = 0; round < 10; round += 1) {
      await start.restore(rig.db)
      await Promise.all(Array.from({ length: 2 }, () => rig.deliver(shuffled(events, roll, 2), rig.instance({}))))
      assertExpected(await stateOf(rig, accountId), expected)
    }
    await rig.audit()
    await start.restore(rig.db)
  }

  const tell = async (accountId: string, story: () => Promise<void>, expected: Expected) => {
    const events = await eventsOf(story)
    await deliverTwice(accountId, events, expected)
    return deliverInOrders(accountId, events, allOrders(events), expected)
  }

  test('a pack that is paid at once', async () => {
    const id = await openAccount()
    const count = await tell(id, async () => void (await rig.buyPack(id, 1_000)), {
      balance: 1_100,
      lots: { ...NONE, signup: 100, pack: 1_000 },
      owed: 0,
      plan: 'free',
      activeKeys: 2,
    })
    assert.equal(count, 3)
  })

  test('a pack that is paid later', async () => {
    const id = await openAccount()
    const story = async () => {
      await rig.buyPack(id, 5_000, 'pay-later')
      await rig.pass(10 * MINUTE)
    }
    const count = await tell(id, story, {
      balance: 5_100,
      lots: { ...NONE, signup: 100, pack: 5_000 },
      owed: 0,
      plan: 'free',
      activeKeys: 2,
    })
    assert.equal(count, 62)
  })
})

/** How many orders there are of things that come so often each. */
function countOrders(times: readonly number[]): number {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1))
  return times.reduce((count, each) => count / factorial(each), factorial(times.reduce((sum, each) => sum + each, 0)))
}
