import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../test/harness.ts'
import { loggedRequest } from '../test/logged-request.ts'
import { StreamWorld } from '../test/streams.ts'
import { DAY, SECOND, startOfDay } from './model/time.ts'
import { LogRetention } from './retention.ts'

const DAYS = 40

onEveryEngine('retention', (engine) => {
  const store = storeForSuite(engine)

  test('keeps the requests of the last days, the usage of all days, and a ledger that adds up', async () => {
    const world = new StreamWorld(store())
    const { account, key } = await world.caller('starter', 5_000)
    const first = startOfDay(world.clock.now())
    for (let day = 0; day < 2 * DAYS; day += 1) {
      const requests = Array.from({ length: 37 }, (_, index) =>
        loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: first + day * DAY + index * SECOND }),
      )
      await store().requestLog.record(requests, [], randomUUID())
    }
    world.clock.jump(2 * DAYS * DAY - 1)
    const usage = await store().usage.rows(account.id, '')
    const onError = (error: unknown) => assert.fail(String(error))
    const create = () => new LogRetention({ store: store(), clock: world.clock, days: DAYS, onError })
    await Promise.all([create().run(), create().run()])

    const oldest = startOfDay(world.clock.now() - DAYS * DAY)
    const { totalCount } = await store().requestLog.page(account.id, {}, 1, 0)
    const days = 2 * DAYS - (oldest - first) / DAY
    assert.deepEqual([totalCount, days <= DAYS + 1], [37 * days, true])
    assert.deepEqual(await store().usage.rows(account.id, ''), usage)
    assert.deepEqual((await store().audit.run()).problems, [])

    const stopped = create()
    await stopped.stop()
    world.clock.jump(DAY)
    await stopped.run()
    assert.equal((await store().requestLog.page(account.id, {}, 1, 0)).totalCount, totalCount)
  })

  test('keeps the payment events of the last days, and those that are not processed yet', async () => {
    const world = new StreamWorld(store())
    const { processorEvents } = store()
    const first = startOfDay(world.clock.now())
    const receive = (id: string, at: number) =>
      processorEvents.receive({ id, type: 'invoice.paid', subject: { kind: 'invoice', id: 'in_1' } }, at)
    for (let index = 0; index < 1_200; index += 1) {
      await receive(`old-${index}`, first)
      await processorEvents.done(`old-${index}`, first)
    }
    await receive('waiting', first)
    await receive('recent', first + DAY)
    await processorEvents.done('recent', first + DAY)
    world.clock.jump((DAYS + 1) * DAY)
    const onError = (error: unknown) => assert.fail(String(error))
    await new LogRetention({ store: store(), clock: world.clock, days: DAYS, onError }).run()
    const known = await Promise.all(['old-0', 'old-1199', 'waiting', 'recent'].map((id) => processorEvents.isKnown(id)))
    assert.deepEqual(known, [false, false, true, true])
  })
})
