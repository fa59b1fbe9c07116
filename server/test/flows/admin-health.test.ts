/** What operators see of the service as a whole: health, traffic, counts, and the events of the payment processor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '../../src/model/time.ts'
import { clearSample } from '../../src/sample/clear.ts'
import { Buyer, pass } from '../buyer.ts'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, serviceForSuite, TestService } from '../harness.ts'

onEveryEngine('the service for operators', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on', SOURCES_RUN: 'off' })
  const get = async (path: string) => {
    const reply = await service.admin(path)
    assertOk(reply)
    return reply.body.data
  }
  const post = (path: string, headers = {}) => service.admin(path, { method: 'POST', headers })

  test('health names the engine, the size of the store and the work that waits', async () => {
    const before = await get('/health')
    assert.deepEqual([before.isReady, before.problems, before.engine], [true, [], engine])
    assert.equal(before.store.hasSample, true)
    assert.ok(Object.values<number>(before.store.bytes).every((bytes) => bytes > 0))
    const { store, clock } = service.mintick
    await store.sources.add({ key: 'kalshi', kind: 'kalshi', options: {} }, clock.now())
    const subject = { kind: 'checkout', id: 'cs_1' } as const
    await store.processorEvents.receive({ id: 'evt_waits', type: 'checkout.session.expired', subject }, clock.now())
    const after = await get('/health')
    assert.equal(after.store.sourcesDue, before.store.sourcesDue + 1)
    assert.equal(after.store.paymentEventsToProcess, before.store.paymentEventsToProcess + 1)
    assertOk(await post('/payment-events/evt_waits/retry'))
  })

  test('traffic counts requests, errors and credits of the minute under way, and by route', async () => {
    const one = service.alone()
    const traffic = async () => (await one.admin('/traffic')).body.data
    const { key } = await one.open('enterprise', 100)
    const before = (await traffic()).minutes.at(-1)
    for (let call = 0; call < 3; call += 1) await one.get('/entries?limit=1', key)
    await one.api('/entries?limit=nonsense', key)
    const { minutes, routes, instance } = await traffic()
    const last = minutes.at(-1)
    // The first request for the traffic is counted, too.
    assert.equal(last.requests - before.requests, 5)
    assert.equal(last.clientErrors - before.clientErrors, 1)
    assert.equal(last.credits - before.credits, 3)
    assert.ok(last.p50Ms > 0 && last.p99Ms >= last.p50Ms)
    const route = routes.find((each: { route: string }) => each.route === 'GET /entries')
    assert.deepEqual([route.requests, route.clientErrors], [4, 1])
    assert.equal(instance.pid, process.pid)
  })

  test('the counts are those that callers get', async () => {
    const { key } = await service.open()
    assert.deepEqual(await get('/stats'), (await service.get('/stats', key)).data)
  })

  test('events of the processor are listed with their state; one that failed names the error and is retried once', async () => {
    const shop = await TestService.start(engine)
    try {
      const { billing, store } = shop.mintick
      const buyer = await Buyer.open(shop, 'free', 0)
      await buyer.buy('credits_1000')
      await pass(shop, MINUTE)
      const list = async (query = '') => (await shop.admin(`/payment-events${query}`)).body
      const processed = await list('?isProcessed=true')
      assert.ok(processed.meta.totalCount > 0)
      assert.equal((await list('?isProcessed=false')).meta.totalCount, 0)

      const { sessionId } = await buyer.order('credits_1000')
      await buyer.pay(sessionId)
      const event = { id: 'evt_hard', type: 'checkout.session.completed', subject: { kind: 'checkout', id: sessionId } }
      const fulfilment = billing?.fulfilment as unknown as { sync: () => Promise<void> }
      const { sync } = fulfilment
      fulfilment.sync = () => Promise.reject(new Error('the processor is on holiday'))
      assert.equal(await billing?.inbox.process(event as Parameters<typeof billing.inbox.process>[0]), false)
      const [waiting] = (await list('?isProcessed=false')).data
      assert.deepEqual(
        [waiting.id, waiting.error, waiting.attempts, waiting.processedAt],
        ['evt_hard', 'the processor is on holiday', 1, null],
      )
      const failed = await shop.admin('/payment-events/evt_hard/retry', { method: 'POST' })
      assert.deepEqual([failed.status, failed.body.data.attempts, failed.body.data.processedAt], [200, 2, null])

      fulfilment.sync = sync
      for (let time = 0; time < 2; time += 1) {
        const done = (await shop.admin('/payment-events/evt_hard/retry', { method: 'POST' })).body.data
        assert.deepEqual([done.error, done.attempts, done.nextAttemptAt], [null, 3, null])
      }
      assert.equal(await buyer.balance(), 2_000)
      assert.equal((await store.processorEvents.find('evt_hard'))?.error, null)
      assertError(await shop.admin('/payment-events/evt_none/retry', { method: 'POST' }), 404, 'NOT_FOUND')
    } finally {
      await shop.stop()
    }
  })

  test('without payments there is nothing to retry', async () => {
    const other = await TestService.start(engine, { PAYMENTS_SANDBOX: 'off' })
    try {
      const subject = { kind: 'checkout', id: 'cs_1' } as const
      const { store, clock } = other.mintick
      await store.processorEvents.receive({ id: 'evt_1', type: 'checkout.session.expired', subject }, clock.now())
      assertError(await other.admin('/payment-events/evt_1/retry', { method: 'POST' }), 400, 'BAD_REQUEST')
    } finally {
      await other.stop()
    }
  })

  test('the sample is there until all of it is removed', async () => {
    const { store, clock } = service.mintick
    assert.equal((await clearSample(store, clock.now(), { mayGoOn: () => false })).isDone, false)
    assert.equal((await get('/health')).store.hasSample, true)
    for (let isDone = false; !isDone; ) isDone = (await post('/sample/clear')).body.data.isDone
    assert.equal((await get('/health')).store.hasSample, false)
    assert.equal(await store.entries.total(), 0)
  })
})
