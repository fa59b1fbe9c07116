import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createPlace, onEveryEngine } from '../../test/harness.ts'
import { hasRedis, RedisServer } from '../../test/redis.ts'
import { parseRedisUrl } from '../model/redis-address.ts'
import { RedisLink } from '../redis/redis-link.ts'
import type { Bus, BusTopic } from './bus.ts'
import { MemoryBus } from './memory-bus.ts'
import { PostgresBus } from './postgres-bus.ts'
import { BLOCK_MS, RedisBus } from './redis-bus.ts'

/** Where instances meet. A bus in memory has one instance, and no connection to cut. */
interface Ground {
  open(onError: (error: unknown) => void): Promise<Bus>
  cutConnections(): Promise<void>
  remove(): Promise<void>
}

onEveryEngine('bus', (engine) => {
  testBus(engine === 'sqlite' ? 'memory' : 'postgres', async () => {
    const place = await createPlace(engine)
    const url = place.env.DATABASE_URL
    return {
      open: async (onError) => (url === undefined ? new MemoryBus(onError) : PostgresBus.open(url, onError)),
      async cutConnections() {
        const killer = new pg.Client({ connectionString: url })
        await killer.connect()
        await killer.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        await killer.end()
      },
      remove: () => place.remove(),
    }
  })
})

describe('bus [redis]', { skip: !hasRedis() && 'no redis-server' }, () => {
  testBus('redis', async () => {
    const server = await RedisServer.start()
    const senders: RedisLink[] = []
    return {
      async open(onError) {
        const address = parseRedisUrl(server.url)
        const [sender, receiver] = [await RedisLink.open(address), await RedisLink.open(address, 2 * BLOCK_MS)]
        senders.push(sender)
        return RedisBus.open({ sender, receiver }, 'test:bus', onError)
      },
      async cutConnections() {
        await server.command('client', 'kill', 'type', 'normal')
      },
      async remove() {
        for (const sender of senders) sender.close()
        await server.stop()
      },
    }
  })

  test('messages published while Redis is away arrive once it is back', async () => {
    const server = await RedisServer.start()
    const fail = (error: unknown) => assert.fail(String(error))
    const address = parseRedisUrl(server.url)
    const links = [
      await RedisLink.open(address),
      await RedisLink.open(address),
      await RedisLink.open(address),
      await RedisLink.open(address),
    ] as const
    const proxied = await RedisBus.open({ sender: links[0], receiver: links[1] }, 'test:bus', fail)
    const other = await RedisBus.open({ sender: links[2], receiver: links[3] }, 'test:bus', fail)
    const received: (string | undefined)[] = []
    other.subscribe('accounts', (text) => {
      received.push(text)
    })
    try {
      await server.kill()
      await proxied.publish('accounts', 'while away')
      await server.start()
      for (let wait = 0; !received.includes('while away') && wait < 500; wait += 1) await delay(10)
      // It arrives by the message, or by the request to check everything.
      assert.ok(received.includes('while away') || received.includes(undefined))
    } finally {
      await proxied.close()
      await other.close()
      for (const link of links) link.close()
      await server.stop()
    }
  })
})

function testBus(kind: 'memory' | 'postgres' | 'redis', prepare: () => Promise<Ground>): void {
  let ground: Ground
  const opened: Bus[] = []
  const errors: unknown[] = []
  before(async () => {
    ground = await prepare()
  })
  after(async () => {
    for (const bus of opened) await bus.close()
    await ground.remove()
  })

  async function open(): Promise<Bus> {
    const bus = await ground.open((error) => errors.push(error))
    opened.push(bus)
    return bus
  }

  function receivedBy(bus: Bus, topic: BusTopic) {
    const received: (string | undefined)[] = []
    bus.subscribe(topic, (text) => {
      received.push(text)
    })
    return received
  }

  /** Messages arrive after a moment. */
  async function waitUntil(isDone: () => boolean) {
    for (let wait = 0; !isDone() && wait < 500; wait += 1) await delay(10)
    assert.ok(isDone())
  }

  test('publish resolves when the own listeners are done, and calls each once', async () => {
    const bus = await open()
    const received: (string | undefined)[] = []
    bus.subscribe('accounts', async (text) => {
      await new Promise(setImmediate)
      received.push(text)
    })
    const others = receivedBy(bus, 'signals')
    await bus.publish('accounts', 'one two')
    assert.deepEqual(received, ['one two'])
    await bus.publish('signals', '')
    assert.deepEqual(others, [''])
    assert.deepEqual(received, ['one two'])
  })

  test('an error of a listener is reported and does not affect other listeners', async () => {
    const bus = await open()
    bus.subscribe('accounts', () => {
      throw new Error('broken')
    })
    const received = receivedBy(bus, 'accounts')
    await bus.publish('accounts', 'x')
    assert.deepEqual(received, ['x'])
    assert.equal(String(errors.pop()), 'Error: broken')
  })

  test('every other instance receives the text unchanged', async (t) => {
    if (kind === 'memory') return t.skip('needs several instances')
    const [first, second] = [await open(), await open()]
    const here = receivedBy(first, 'accounts')
    const there = receivedBy(second, 'accounts')
    for (const text of ['a', 'with spaces  and "quotes"', '']) await first.publish('accounts', text)
    await waitUntil(() => there.length === 3)
    assert.deepEqual(there, ['a', 'with spaces  and "quotes"', ''])
    assert.deepEqual(here, there)
  })

  test('after a lost connection listeners get undefined, and messages arrive again', async (t) => {
    if (kind === 'memory') return t.skip('has no connection')
    const [first, second] = [await open(), await open()]
    const there = receivedBy(second, 'signals')
    await first.publish('signals', 'before')
    await waitUntil(() => there.length === 1)
    await ground.cutConnections()
    await waitUntil(() => there.includes(undefined))
    await first.publish('signals', 'after')
    await waitUntil(() => there.includes('after'))
    assert.deepEqual(there, ['before', undefined, 'after'])
  })
}
