/** Redis with Sentinel and as a cluster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertOk } from '../envelope.ts'
import { onRedis, TestService } from '../harness.ts'
import { RedisServer, startRedisCluster } from '../redis.ts'
import { NO_LIMITS } from '../unlimited-account.ts'

/** Starts two instances, and calls them in turn. */
async function startTwo(redisUrl: string) {
  const first = await TestService.start('postgres', { REDIS_URL: redisUrl })
  const services = [first, await first.twin()]
  return {
    first,
    services,
    callAll: (count: number, key: string, path: string) =>
      Promise.all(Array.from({ length: count }, (_, call) => (services[call % 2] ?? first).api(path, key))),
    async stop() {
      await services[1]?.mintick.close()
      await first.stop()
    },
  }
}

const countOf = (replies: readonly { status: number }[], status: number) =>
  replies.filter((reply) => reply.status === status).length

onRedis('Redis Cluster', () => {
  test('instances count accounts of all nodes together, and go on when a node dies', async () => {
    const nodes = await startRedisCluster()
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join()
    const instances = await startTwo(`redis+cluster://${hosts}`)
    try {
      const keysOf = () => Promise.all(nodes.map(async (node) => Number(await node.command('dbsize'))))
      // The id of an account decides on its node.
      for (let number = 0; number < 5 || (await keysOf()).includes(0); number += 1) {
        assert.ok(number < 100, `the nodes have ${await keysOf()} keys`)
        const { key } = await instances.first.open('free', 100)
        const replies = await instances.callAll(40, key, '/stats')
        assert.deepEqual([countOf(replies, 200), countOf(replies, 429)], [15, 25])
      }
      await nodes[1]?.kill()
      for (let number = 0; number < 4; number += 1) {
        const { id, key } = await instances.first.open('custom', 5)
        await instances.first.admin(`/accounts/${id}`, { method: 'PATCH', body: { overrides: NO_LIMITS } })
        const replies = await instances.callAll(20, key, '/entries')
        assert.deepEqual([countOf(replies, 200), countOf(replies, 402)], [5, 15])
      }
    } finally {
      await instances.stop()
      for (const node of nodes) await node.stop()
    }
  })
})

onRedis('Redis Sentinel', () => {
  test('instances follow a failover, nothing is overspent, and revocations apply', async () => {
    const primary = await RedisServer.start()
    const replica = await primary.replica()
    const sentinel = await primary.sentinel()
    const instances = await startTwo(`redis+sentinel://127.0.0.1:${sentinel.port}/primary`)
    try {
      const { id, key } = await instances.first.open('custom', 60)
      await instances.first.admin(`/accounts/${id}`, { method: 'PATCH', body: { overrides: NO_LIMITS } })
      const isReplicated = async () => Number(await replica.command('dbsize')) > 0
      assert.equal(countOf(await instances.callAll(20, key, '/entries'), 200), 20)
      while (!(await isReplicated())) await delay(20)
      const calls = Array.from({ length: 40 }, async (_, wave) => {
        await delay(wave * 50)
        return instances.callAll(6, key, '/entries')
      })
      await delay(100)
      await primary.kill()
      const replies = (await Promise.all(calls)).flat()
      assert.deepEqual([countOf(replies, 200), countOf(replies, 402)], [40, 200])
      while (!String(await replica.command('role')).startsWith('master')) await delay(50)
      const created = await instances.first.api('/account/api-keys', key, { method: 'POST', body: { name: 'robot' } })
      assertOk(created)
      const { apiKey, id: keyId } = created.body.data
      for (let call = 0; call < 4; call += 1) await instances.callAll(4, apiKey, '/stats')
      assertOk(await instances.first.api(`/account/api-keys/${keyId}`, key, { method: 'DELETE' }))
      assert.equal(countOf(await instances.callAll(4, apiKey, '/stats'), 401), 4)
    } finally {
      await instances.stop()
      for (const server of [sentinel, replica, primary]) await server.stop()
    }
  })
})
