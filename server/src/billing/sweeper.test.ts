import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { onEveryEngine } from '../../test/harness.ts'
import { MoneyRig } from '../../test/money/rig.ts'
import { DAY, MINUTE } from '../model/time.ts'
import type { PaymentProcessor } from './processor.ts'

onEveryEngine('the sweeper', (engine) => {
  let rig: MoneyRig
  beforeEach(async () => {
    rig = await MoneyRig.open(engine)
  })
  afterEach(() => rig.close())

  const subscribe = async () => {
    const { id } = await rig.open('free')
    const { sessionId } = await rig.billing.orders.subscribe(await rig.account(id), 'starter')
    await rig.sandbox.checkoutAction(sessionId, 'pay', {})
    await rig.billing.sweeper.run()
    return id
  }
  const planOf = async (id: string) => (await rig.account(id)).planSlug
  /** Returns the processor with some methods replaced. */
  const other = (answers: Partial<PaymentProcessor>): PaymentProcessor =>
    new Proxy(rig.processor, {
      get(target, name) {
        const own = answers[name as keyof PaymentProcessor] ?? target[name as keyof PaymentProcessor]
        return typeof own === 'function' ? own.bind(target) : own
      },
    })

  test('ends plans that a new processor does not know, and restores them with the old one', async () => {
    const id = await subscribe()
    assert.equal(await planOf(id), 'starter')
    const stranger = other({ name: 'stranger', findSubscription: async () => undefined, listEvents: async () => [] })
    rig.clock.advance(MINUTE)
    await rig.instance({ processor: stranger }).sweeper.run()
    assert.equal(await planOf(id), 'free')
    rig.clock.advance(MINUTE)
    await rig.instance({}).sweeper.run()
    assert.equal(await planOf(id), 'starter')
    assert.deepEqual(rig.problems, [])
  })

  test('goes on after an object that cannot be read', async () => {
    const id = await subscribe()
    const { subscriptionId } = await rig.account(id)
    await rig.stripe.subscriptions.update(subscriptionId ?? '', { cancel_at_period_end: true })
    await rig.pass(40 * DAY)
    const deaf = other({ listEvents: () => Promise.reject(new Error('no events for this key')) })
    await rig.instance({ processor: deaf }).sweeper.run()
    assert.equal(await planOf(id), 'free')
    assert.equal(rig.problems.length, 1)
  })

  test('finds every payment after the clock was set back', async () => {
    const id = await subscribe()
    rig.clock.jump(-3 * DAY)
    const before = await rig.store.ledger.balance(id)
    await rig.buyPack(id, 1_000)
    rig.clock.advance(2 * MINUTE)
    await rig.billing.sweeper.run()
    assert.equal(await rig.store.ledger.balance(id), before + 1_000)
  })

  test('leaves the rest for the next start when stopped', async () => {
    const id = await subscribe()
    await rig.buyPack(id, 1_000)
    rig.clock.advance(2 * MINUTE)
    const stopped = rig.instance({})
    stopped.sweeper.stop()
    const before = await rig.store.ledger.balance(id)
    await stopped.sweeper.run()
    assert.equal(await rig.store.ledger.balance(id), before)
    await rig.instance({}).sweeper.run()
    assert.equal(await rig.store.ledger.balance(id), before + 1_000)
  })
})
