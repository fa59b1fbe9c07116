/** Accounts show their open streams, and changes of keys and plans affect open streams. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'

import type { ClosingReason } from '../../src/model/streams.ts'
import { MINUTE, SECOND } from '../../src/model/time.ts'
import { assertOk } from '../envelope.ts'
import { instancesOf, onEveryEngine, TestService } from '../harness.ts'
import { waitUntil } from '../streams.ts'

onEveryEngine('the stream meter', (engine) => {
  let service: TestService
  let twin: TestService
  before(async () => {
    service = await TestService.start(engine)
    twin = engine === 'postgres' ? await service.twin() : service
  })
  after(async () => {
    if (twin !== service) await twin.mintick.close()
    await service.stop()
  })

  async function open(on: TestService, key: string, endpoint = 'GET /signals/stream') {
    const caller = await on.mintick.admission.callers.authenticate(`Bearer ${key}`, '127.0.0.1')
    const endedBy: ClosingReason[] = []
    const end = (reason: ClosingReason) => endedBy.push(reason)
    const ticket = await on.mintick.streamMeter.open(caller, { id: randomUUID(), endpoint, end })
    return { ...ticket, endedBy }
  }

  const account = async (key: string) => (await service.api('/account', key)).body.data
  const usage = async (key: string) => (await service.api('/account/usage', key)).body.data

  test('GET /account counts the open streams of all instances', async () => {
    const { key } = await service.open('professional')
    assert.deepEqual((await account(key)).realtimeConnections, { open: 0, max: 5 })
    const streams = [await open(service, key), await open(twin, key)]
    assert.deepEqual((await account(key)).realtimeConnections, { open: 2, max: 5 })
    for (const stream of streams) await stream.close()
    assert.deepEqual((await account(key)).realtimeConnections, { open: 0, max: 5 })
  })

  test('GET /account/usage counts the credits of streams in every sum of credits and in no count of requests', async () => {
    const { id, key } = await service.open('enterprise', 1_000)
    const sse = await open(service, key)
    service.clock.advance(3 * MINUTE + SECOND)
    await sse.close()
    const ws = await open(service, key, 'GET /signals/ws')
    service.clock.advance(MINUTE)
    await ws.close()
    const { stream, credits, byEndpoint, byKey, daily, requests, balance } = await usage(key)
    assert.deepEqual(stream, { minutes: 4, credits: 16 })
    assert.deepEqual(credits, { used: 16, balance: 984 })
    assert.deepEqual(
      byEndpoint.filter((row: { credits: number }) => row.credits > 0),
      [
        { endpoint: 'GET /signals/stream', requests: 0, failed: 0, credits: 12 },
        { endpoint: 'GET /signals/ws', requests: 0, failed: 0, credits: 4 },
      ],
    )
    assert.equal(byKey[0].credits, 16)
    assert.equal(daily[0].credits, 16)
    assert.equal(requests.total, 0)
    assert.equal(balance, await service.balance(id))
    assert.equal((await account(key)).credits.usedThisPeriod, 16)
  })

  test('a request that needs the credits held by a stream gets 402 until the stream is closed', async () => {
    const { key } = await service.open('starter', 6)
    const stream = await open(service, key)
    assertOk(await service.api('/entries', key))
    assert.equal((await service.api('/entries', key)).status, 402)
    await stream.close()
    assertOk(await service.api('/entries', key))
  })

  test('deleting a key ends its streams before the response on this instance, and soon after on others', async () => {
    const { key } = await service.open('professional')
    const reply = await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'doomed' } })
    const { id, apiKey } = reply.body.data
    const [kept, here, there] = [await open(service, key), await open(service, apiKey), await open(twin, apiKey)]
    assertOk(await service.api(`/account/api-keys/${id}`, key, { method: 'DELETE' }))
    // Another instance may have answered.
    if (instancesOf(engine) > 1) await waitUntil(() => here.endedBy.length > 0)
    assert.deepEqual(here.endedBy, ['key_revoked'])
    await waitUntil(() => there.endedBy.length > 0)
    assert.deepEqual([kept.endedBy, there.endedBy], [[], ['key_revoked']])
    await kept.close()
  })

  test('changes of plan, overrides or status by the operator reach open streams', async () => {
    const { id, key } = await service.open('professional')
    const patch = (body: object) => service.admin(`/accounts/${id}`, { method: 'PATCH', body })
    const oldest = await open(twin, key)
    service.clock.advance(1)
    const newest = await open(service, key)
    assertOk(await patch({ overrides: { realtimeConnections: 1 } }))
    // Another instance may have answered.
    if (instancesOf(engine) > 1) await waitUntil(() => newest.endedBy.length > 0)
    assert.deepEqual([oldest.endedBy, newest.endedBy], [[], ['plan_changed']])
    assertOk(await patch({ plan: 'free', overrides: {} }))
    await waitUntil(() => oldest.endedBy.length > 0)
    assert.deepEqual(oldest.endedBy, ['plan_changed'])

    const other = await service.open('starter')
    const stream = await open(twin, other.key)
    assertOk(await service.admin(`/accounts/${other.id}`, { method: 'PATCH', body: { isActive: false } }))
    await waitUntil(() => stream.endedBy.length > 0)
    assert.deepEqual(stream.endedBy, ['key_revoked'])
  })

  test('a service that stops ends and settles its streams and frees their slots', async (t) => {
    if (engine === 'sqlite') return t.skip('needs a second instance')
    const third = await service.twin()
    const { id, key } = await service.open('starter', 100)
    const stream = await open(third, key)
    service.clock.advance(MINUTE)
    await third.mintick.close()
    assert.deepEqual(stream.endedBy, ['shutdown'])
    assert.equal(await service.balance(id), 95)
    assert.equal((await account(key)).realtimeConnections.open, 0)
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })
})
