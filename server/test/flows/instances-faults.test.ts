/** Several instances on PostgreSQL and Redis while one of them, or a network, fails. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { auditCharges } from '../charges.ts'
import { runs } from '../depth.ts'
import { assertOk } from '../envelope.ts'
import { hasHaproxy, PROXY_DRAIN_MS, startHaproxy } from '../haproxy.ts'
import { createPlace, onRedis, TestService } from '../harness.ts'
import { KeepAliveLoad } from '../keep-alive-load.ts'
import { RedisServer } from '../redis.ts'
import { freePort, killHard, spawnService } from '../spawn.ts'
import { TcpProxy } from '../tcp-proxy.ts'
import { NO_LIMITS, openAccountIn } from '../unlimited-account.ts'

const CREDITS = 1_000_000
const CUT_MS = runs(2_500, 10_000)
/** Longer than PostgreSQL keeps the locks of a vanished client. */
const DATABASE_CUT_MS = runs(6_000, 10_000)
const LIMIT_MS = 20_000

/** The callers of a KeepAliveLoad: at most this many requests are in flight. */
const CALLERS = 32

async function terminate(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) })
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
}

onRedis('instances in processes of their own', () => {
  test(`kill -9 of an instance: every answered call is charged once, and the others go on`, async () => {
    const redis = await RedisServer.start()
    const place = await createPlace('postgres')
    const env = { ...place.env, REDIS_URL: redis.url, DRAIN_MS: '0' }
    const { id, key } = await openAccountIn(place, CREDITS)
    const services = await Promise.all([spawnService(env), spawnService(env), spawnService(env)])
    try {
      await using ending = new AsyncDisposableStack()
      const loads = services.map(({ url }) => ending.use(new KeepAliveLoad(url, key, { endsIfRefused: true })))
      const [victim, ...rest] = services
      assert.ok(victim)
      for (const load of loads) await load.hasAnswered(50)
      await killHard(victim.child)
      for (const load of loads.slice(1)) await load.hasAnswered(100)
      for (const load of loads) await load.end()
      assert.deepEqual(
        loads.slice(1).flatMap(({ failures }) => failures),
        [],
      )
      for (const { child } of rest) await terminate(child)
      const answered = loads.flatMap((load) => load.answered)
      const expected = { accountId: id, openingBalance: CREDITS, answered, unanswered: CALLERS }
      assert.deepEqual(await auditCharges(place, expected), [])
    } finally {
      for (const { child } of services) child.kill('SIGKILL')
      await place.remove()
      await redis.stop()
    }
  })

  test('a rolling restart of three instances behind haproxy loses no request', async (context) => {
    if (!hasHaproxy()) {
      context.skip('haproxy is not installed')
      return
    }
    const redis = await RedisServer.start()
    const place = await createPlace('postgres')
    const { id, key } = await openAccountIn(place, CREDITS)
    const ports = [await freePort(), await freePort(), await freePort()]
    const start = async (port: number) => {
      const env = { ...place.env, REDIS_URL: redis.url, PORT: String(port), DRAIN_MS: PROXY_DRAIN_MS }
      return (await spawnService(env)).child
    }
    const services = await Promise.all(ports.map(start))
    const proxy = await startHaproxy(ports)
    try {
      await proxy.untilAllUp()
      await using load = new KeepAliveLoad(proxy.url, key, { endsIfRefused: false })
      for (const [place, port] of ports.entries()) {
        await load.hasAnswered(50)
        const ending = services[place]
        assert.ok(ending)
        await terminate(ending)
        services[place] = await start(port)
        await proxy.untilAllUp()
      }
      await load.end()
      assert.deepEqual(load.failures, [])
      for (const service of services) await terminate(service)
      const expected = { accountId: id, openingBalance: CREDITS, answered: load.answered, unanswered: 0 }
      assert.deepEqual(await auditCharges(place, expected), [])
    } finally {
      await proxy.stop()
      for (const service of services) service.kill('SIGKILL')
      await place.remove()
      await redis.stop()
    }
  })
})

onRedis('a network that drops every packet', () => {
  /** Runs a load on two instances, of which the second reaches Redis and PostgreSQL through proxies. */
  async function withCut(
    work: (parts: {
      services: readonly [TestService, TestService]
      redis: TcpProxy
      postgres: TcpProxy
      account: { id: string; key: string }
    }) => Promise<void>,
  ): Promise<void> {
    const server = await RedisServer.start()
    const first = await TestService.start('postgres', { REDIS_URL: server.url, DATABASE_TIMEOUT_MS: '8000' })
    const database = first.place.env.DATABASE_URL ?? ''
    const [redis, postgres] = [await TcpProxy.start(new URL(server.url)), await TcpProxy.start(new URL(database))]
    const second = await first.twin({ REDIS_URL: redis.urlOf(server.url), DATABASE_URL: postgres.urlOf(database) })
    try {
      const account = await first.open('custom', CREDITS)
      await first.admin(`/accounts/${account.id}`, { method: 'PATCH', body: { overrides: NO_LIMITS } })
      await work({ services: [first, second], redis, postgres, account })
      redis.restore()
      postgres.restore()
      const { store, admission } = second.mintick
      await admission.requestWriter.drain()
      await first.mintick.admission.requestWriter.drain()
      assert.deepEqual((await store.audit.run()).problems, [])
    } finally {
      await second.mintick.close()
      await first.stop()
      for (const proxy of [redis, postgres]) await proxy.close()
      await server.stop()
    }
  }

  async function redisUp(service: TestService): Promise<number> {
    const text = await service.mintick.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${service.mintick.adminToken}` },
    })
    return Number(/^mintick_redis_up (\d)$/m.exec(text.body)?.[1])
  }

  /** Calls an instance again and again until `isOver`; returns the number of replies by status, and the longest wait. */
  async function callUntil(service: TestService, key: string, isOver: () => boolean) {
    const statuses = new Map<number, number>()
    let longestMs = 0
    const callers = Array.from({ length: 4 }, async () => {
      while (!isOver()) {
        const startedAt = performance.now()
        const { status, headers } = await service.api('/entries?limit=1', key)
        longestMs = Math.max(longestMs, performance.now() - startedAt)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 500) assert.match(headers['retry-after'] ?? '', /^\d+$/)
        await delay(5)
      }
    })
    await Promise.all(callers)
    return { statuses, longestMs }
  }

  test(`between an instance and Redis, for ${CUT_MS} ms: calls go on, and revocations apply`, async () => {
    await withCut(async ({ services, redis, account }) => {
      const [first, second] = services
      let isOver = false
      const loads = services.map((service) => callUntil(service, account.key, () => isOver))
      await delay(300)
      redis.silence()
      const created = await first.api('/account/api-keys', account.key, { method: 'POST', body: { name: 'robot' } })
      assertOk(created)
      const { apiKey, id } = created.body.data
      for (const service of services) assertOk(await service.api('/stats', apiKey))
      // The instance that Redis cannot tell reads the key from PostgreSQL.
      assertOk(await first.api(`/account/api-keys/${id}`, account.key, { method: 'DELETE' }))
      for (const service of services) assert.equal((await service.api('/stats', apiKey)).status, 401)
      await delay(CUT_MS)
      assert.deepEqual(await Promise.all(services.map(redisUp)), [1, 0])
      // This one cannot tell Redis, so it waits until no instance has the key in its cache.
      const another = await first.api('/account/api-keys', account.key, { method: 'POST', body: { name: 'robot' } })
      for (const service of services) {
        for (let call = 0; call < 3; call += 1) assertOk(await service.api('/stats', another.body.data.apiKey))
      }
      assertOk(await second.api(`/account/api-keys/${another.body.data.id}`, account.key, { method: 'DELETE' }))
      for (const service of services) assert.equal((await service.api('/stats', another.body.data.apiKey)).status, 401)
      redis.restore()
      await delay(1_500)
      isOver = true
      assert.deepEqual(await Promise.all(services.map(redisUp)), [1, 1])
      for (const { statuses, longestMs } of await Promise.all(loads)) {
        assert.deepEqual([...statuses.keys()], [200])
        assert.ok(longestMs < 4_000, `a call took ${longestMs} ms`)
      }
      assertOk(await second.api('/stats', account.key))
    })
  })

  test(`between an instance and PostgreSQL, for ${DATABASE_CUT_MS} ms: its calls fail closed, and it recovers`, async () => {
    await withCut(async ({ services, postgres, account }) => {
      const [first, second] = services
      let isOver = false
      const loads = services.map((service) => callUntil(service, account.key, () => isOver))
      await delay(300)
      postgres.silence()
      await delay(DATABASE_CUT_MS)
      postgres.restore()
      const until = performance.now() + 10_000
      while ((await second.api('/entries?limit=1', account.key)).status !== 200) {
        assert.ok(performance.now() < until, 'the instance did not recover')
        await delay(100)
      }
      isOver = true
      const [healthy, cut] = await Promise.all(loads)
      assert.deepEqual([...(healthy?.statuses.keys() ?? [])], [200])
      assert.ok((cut?.statuses.get(500) ?? 0) > 0)
      assert.ok([...(cut?.statuses.keys() ?? [])].every((status) => [200, 500].includes(status)))
      assertOk(await first.api('/stats', account.key))
    })
  })
})
