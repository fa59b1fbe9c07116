import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/model/time.ts'
import { onEveryEngine } from '../harness.ts'
import { clientOf, SandboxRig } from './rig.ts'

onEveryEngine('webhooks', (engine) => {
  let rig: SandboxRig
  beforeEach(async () => {
    rig = await SandboxRig.open(engine)
  })
  afterEach(() => rig.close())
  const pending = async () => (await rig.db.query('select event_id from sandbox_deliveries')).length

  test('an event is sent at once', async () => {
    await rig.buy(900)
    await rig.sandbox.close()
    assert.equal(rig.listener.events.length, 1)
    assert.equal(await pending(), 0)
    await rig.start()
  })

  test('a refused event is sent again after 5 s, 30 s, 2 min, 10 min and 1 h', async () => {
    rig.listener.refusals = 5
    await rig.buy(900)
    await rig.sandbox.run()
    const waits = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR]
    for (const [index, wait] of waits.entries()) {
      assert.equal(rig.listener.attempts, index + 1)
      await rig.pass(wait - 1)
      assert.equal(rig.listener.attempts, index + 1)
      await rig.pass(1)
    }
    assert.deepEqual([rig.listener.attempts, rig.listener.events.length, await pending()], [6, 1, 0])
  })

  test('attempts end after three days', async () => {
    rig.listener.refusals = Number.POSITIVE_INFINITY
    await rig.buy(900)
    for (let hour = 0; hour < 80; hour += 1) await rig.pass(HOUR)
    const { attempts } = rig.listener
    assert.ok(attempts > 8)
    assert.equal(await pending(), 0)
    await rig.pass(DAY)
    assert.equal(rig.listener.attempts, attempts)
  })

  test('without a receiver events wait, and no attempts are counted', async () => {
    rig.listener.isListening = false
    for (let index = 0; index < 12; index += 1) await rig.buy(900)
    await rig.pass(4 * DAY)
    assert.deepEqual([rig.listener.attempts, await pending()], [0, 12])
    rig.listener.isListening = true
    await rig.sandbox.run()
    assert.deepEqual([rig.listener.events.length, await pending()], [12, 0])
    assert.equal(new Set(rig.listener.events.map(({ id }) => id)).size, 12)
  })

  test('an event of a crashed sender is sent when its lease ends', async () => {
    rig.listener.isListening = false
    await rig.buy(900)
    const now = rig.clock.now()
    await rig.db.transaction((tx) => tx.query('update sandbox_deliveries set next_at = $1', [now + MINUTE]))
    rig.listener.isListening = true
    await rig.sandbox.run()
    assert.equal(rig.listener.events.length, 0)
    await rig.pass(MINUTE)
    assert.equal(rig.listener.events.length, 1)
  })

  test('objects, events, responses and timed actions survive a restart', async () => {
    rig.listener.isListening = false
    const subscription = await rig.subscribe(await rig.price(4_900, true))
    const options = { idempotencyKey: 'key-1' }
    const customer = await rig.stripe.customers.create({ name: 'A' }, options)
    const types = await rig.eventTypes()
    await rig.sandbox.close()
    await rig.start()
    assert.deepEqual(await rig.eventTypes(), types)
    assert.deepEqual({ ...(await rig.stripe.subscriptions.retrieve(subscription.id)) }, { ...subscription })
    assert.equal((await rig.stripe.customers.create({ name: 'A' }, options)).id, customer.id)
    rig.listener.isListening = true
    await rig.pass(31 * DAY)
    assert.deepEqual(rig.listener.events.map(({ id }) => id).length, types.length + 2)
  })

  test('concurrent instances do everything once', async (context) => {
    const others = [await rig.openSandbox(), await rig.openSandbox()]
    context.after(() => Promise.all(others.map((other) => other.close())))
    const all = [rig.sandbox, ...others]
    const price = await rig.price(4_900, true)
    const subscriptions = [await rig.subscribe(price), await rig.subscribe(price), await rig.subscribe(price)]
    await rig.sandbox.run() // an event still being sent would lose its lease, and be sent twice
    rig.clock.advance(70 * DAY)
    await Promise.all(all.flatMap((sandbox) => [sandbox.run(), sandbox.run()]))
    for (const { id } of subscriptions) {
      assert.equal((await rig.stripe.invoices.list({ subscription: id })).data.length, 3)
    }
    await rig.sandbox.run()
    const ids = rig.listener.events.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const isPaid = ({ type }: { type: string }) => type === 'invoice.paid'
    assert.equal(rig.listener.events.filter(isPaid).length, 9)
    const options = { idempotencyKey: 'key-2' }
    const made = await Promise.all(all.map((one) => clientOf(one).customers.create({ name: 'A' }, options)))
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  })
})
