/** Several instances on PostgreSQL and Redis act as one service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { PLANS } from '../../src/plans/plans.ts'
import { runs, some } from '../depth.ts'
import { assertError, assertOk } from '../envelope.ts'
import { EventReader } from '../event-source.ts'
import { onRedis, type Reply } from '../harness.ts'
import { type Instances, instancesForSuite } from '../instances.ts'
import { newSignal } from '../signals.ts'

/** The most statements of a charge, with its commit. */
const STATEMENTS_OF_CHARGE = 10

const countOf = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status).length

/** Makes calls at once, in turn on every instance. */
function callAll(instances: Instances, count: number, key: string, path = '/entries?limit=1'): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => instances.of(number).api(path, key)))
}

/** Checks that the ledger adds up, that nothing is held, and that every answer of the account was charged once. */
async function assertCharged(instances: Instances, id: string, answers: number): Promise<void> {
  const { store } = instances.first.mintick
  for (const { mintick } of instances.all) {
    await mintick.admission.requestWriter.drain()
    assert.equal(mintick.admission.meter.held(id), 0)
  }
  const { totalCount } = await store.requestLog.page(id, { statusCode: [200] }, 1, 0)
  assert.equal(totalCount, answers)
  assert.deepEqual((await store.audit.run()).problems, [])
}

for (const count of [1, 3]) {
  onRedis(`credits on ${count} instances`, () => {
    const instances = instancesForSuite(count)
    const cells = [
      { balance: 0, calls: [100, 1_000] },
      { balance: 1, calls: [1_000, 100] },
      { balance: 5, calls: [100, 1_000] },
      { balance: 100, calls: [1_000, 100] },
    ].flatMap(({ balance, calls }) => calls.map((parallel) => ({ balance, parallel })))
    for (const { balance, parallel } of some(cells, 4)) {
      test(`a balance of ${balance} and ${parallel} parallel calls give exactly ${Math.min(balance, parallel)} answers`, async () => {
        const { id, key } = await instances.open(balance)
        const replies = await callAll(instances, parallel, key)
        const expected = Math.min(balance, parallel)
        assert.equal(countOf(replies, 200), expected)
        assert.equal(countOf(replies, 402), parallel - expected)
        assert.equal(await instances.balance(id), balance - expected)
        await assertCharged(instances, id, expected)
      })
    }
  })
}

onRedis('several instances', () => {
  const instances = instancesForSuite(3)

  test('the balance that an answer names is that of all instances', async () => {
    const { key } = await instances.open(100)
    for (let call = 1; call <= 9; call += 1) {
      const reply = await instances.of(call).api('/entries?limit=1', key)
      assertOk(reply)
      assert.equal(reply.headers['x-credits-remaining'], String(100 - call))
      const free = await instances.of(call + 1).api('/account', key)
      assert.equal(free.headers['x-credits-remaining'], String(100 - call))
    }
  })

  test('a lone call waits for one script, one read and the statements of its charge', async (context) => {
    const { key } = await instances.open(100)
    const call = async () => {
      assertOk(await instances.first.api('/entries?limit=1', key))
      // The script that tells the new balance runs after the answer.
      await delay(50)
    }
    const scripts = async () => {
      const stats = String(await instances.redis.command('info', 'commandstats'))
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0)
    }
    // The first call learns the version of the account, the second caches the caller by it.
    for (let warmUp = 0; warmUp < 3; warmUp += 1) await call()
    const statements: string[] = []
    const query: (this: pg.Client, statement: pg.QueryConfig) => Promise<unknown> = pg.Client.prototype.query
    context.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, statement: pg.QueryConfig) {
      statements.push(statement.text)
      return query.call(this, statement)
    })
    const before = await scripts()
    await call()
    context.mock.restoreAll()
    assert.ok((await scripts()) - before <= 2)
    const [read = '', begin, ...charge] = statements
    assert.match(read, /from feeds/)
    assert.deepEqual([begin, charge.at(-1)], ['begin', 'commit'])
    assert.ok(charge.length <= STATEMENTS_OF_CHARGE, charge.join('\n'))
  })

  test('credits that one instance grants are there for the next call on another', async () => {
    const { id, key } = await instances.open(0)
    assertError(await instances.of(1).api('/entries', key), 402, 'INSUFFICIENT_CREDITS')
    await instances.of(2).admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 1, reason: 'test' } })
    assertOk(await instances.of(1).api('/entries', key))
    assertError(await instances.of(0).api('/entries', key), 402, 'INSUFFICIENT_CREDITS')
  })

  test('calls that fail release their hold on every instance', async () => {
    const { id, key } = await instances.open(5)
    for (let round = 0; round < 10; round += 1) {
      const replies = await callAll(instances, 6, key, '/entries/00000000-0000-4000-8000-000000000000')
      assert.equal(countOf(replies, 404), 6)
    }
    assert.equal(countOf(await callAll(instances, 5, key), 200), 5)
    await assertCharged(instances, id, 5)
  })

  for (const slug of some(['free', 'professional'] as const, 2)) {
    test(`the burst of the ${slug} plan passes once, not once per instance`, async () => {
      const { key } = await instances.first.open(slug)
      const { burst } = PLANS[slug]
      const replies = await callAll(instances, 3 * burst + 20, key, '/stats')
      assert.equal(countOf(replies, 200), burst)
      assert.equal(countOf(replies, 429), 2 * burst + 20)
    })
  }

  test('requests per hour and day are counted together, and survive a flush of Redis', async () => {
    const { id, key } = await instances.open(1_000)
    const overrides = { burst: 1e6, requestsPerMinute: 1e6, requestsPerHour: 40, requestsPerDay: 60 }
    await instances.first.admin(`/accounts/${id}`, { method: 'PATCH', body: { overrides } })
    assert.equal(countOf(await callAll(instances, 30, key, '/stats'), 200), 30)
    for (const { mintick } of instances.all) await mintick.admission.requestWriter.drain()
    await instances.redis.command('flushall')
    const next = await callAll(instances, 90, key, '/stats')
    assert.equal(countOf(next, 200), 10)
    instances.first.clock.advance(3_620_000)
    assert.equal(countOf(await callAll(instances, 90, key, '/stats'), 200), 20)
  })

  test('a revoked key is refused on every instance as soon as the revocation is answered', async () => {
    const { id, key: owner } = await instances.open(10_000_000)
    await instances.first.admin(`/accounts/${id}`, {
      method: 'PATCH',
      body: {
        overrides: { burst: 1e9, requestsPerMinute: 1e9, requestsPerHour: 1e9, requestsPerDay: 1e9, maxApiKeys: 1e6 },
      },
    })
    let passed = 0
    for (let round = 0; round < runs(40, 1_000); round += 1) {
      const created = await instances
        .of(round)
        .api('/account/api-keys', owner, { method: 'POST', body: { name: 'robot' } })
      assertOk(created)
      const { apiKey, id: keyId } = created.body.data
      let isRevoked = false
      // Warms the caches of all instances and keeps them busy during the revocation.
      const load = Array.from({ length: 6 }, async (_, number) => {
        for (let call = 0; call < 40 && !isRevoked; call += 1) {
          if ((await instances.of(number).api('/stats', apiKey)).status === 200) passed += 1
        }
      })
      await delay(round % 7)
      assertOk(await instances.of(round + 1).api(`/account/api-keys/${keyId}`, owner, { method: 'DELETE' }))
      isRevoked = true
      const replies = await callAll(instances, 6, apiKey, '/stats')
      assert.deepEqual(
        replies.map(({ status }) => status),
        Array(6).fill(401),
        `round ${round}`,
      )
      await Promise.all(load)
      // An address may fail 600 times a minute.
      instances.first.clock.advance(60_000)
    }
    assert.ok(passed > 0)
  })

  test('a suspension, a plan and a restriction apply on every instance as soon as they are answered', async () => {
    const { id, key: owner } = await instances.open(1_000)
    const created = await instances.first.api('/account/api-keys', owner, { method: 'POST', body: { name: 'robot' } })
    const { apiKey: key, id: keyId } = created.body.data
    for (let round = 0; round < runs(3, 30); round += 1) {
      // Refills the bucket, which the smaller plan cuts to its burst.
      instances.first.clock.advance(60_000)
      await callAll(instances, 9, key, '/stats')
      const change = (body: object) => instances.of(round).admin(`/accounts/${id}`, { method: 'PATCH', body })
      assertOk(await change({ isActive: false }))
      assert.equal(countOf(await callAll(instances, 6, key, '/stats'), 401), 6)
      for (const plan of ['starter', 'custom'] as const) {
        assertOk(await change({ isActive: true, plan, overrides: {} }))
        for (const reply of await callAll(instances, 3, key, '/stats')) {
          assert.match(reply.headers['ratelimit-policy'] ?? '', new RegExp(`^"burst";q=${PLANS[plan].burst};`))
        }
      }
      const restrict = (scopes: string[] | null) =>
        instances.of(round + 2).api(`/account/api-keys/${keyId}`, owner, { method: 'PATCH', body: { scopes } })
      assertOk(await restrict(['account']))
      assert.equal(countOf(await callAll(instances, 6, key, '/stats'), 403), 6)
      assertOk(await restrict(null))
      assert.equal(countOf(await callAll(instances, 6, key, '/stats'), 200), 6)
    }
  })
})

onRedis('signals on several instances', () => {
  const instances = instancesForSuite(3)

  test('clients that resume on any instance receive every signal once and in order, whoever published it', async () => {
    const { clock, mintick } = instances.first
    await mintick.store.assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], clock.now())
    const urls = await Promise.all(instances.all.map((service) => service.listen()))
    const { key } = await instances.first.openUnlimited()
    const total = runs(60, 400)
    let isDone = false

    async function publish(): Promise<void> {
      for (let number = 0; number < total; number += 1) {
        const { store, bus } = instances.of(number).mintick
        const change = { type: 'new' as const, signal: newSignal(clock.now(), {}), supersedes: [] }
        await store.signals.apply([change], [], clock.now())
        await bus.publish('signals', '')
        if (number === Math.floor(total / 2)) {
          await instances.redis.kill()
          await instances.redis.start()
        }
        await delay(5)
      }
      isDone = true
    }

    async function follow(client: number): Promise<string[]> {
      const received: string[] = []
      let lastId = '0'
      for (let connection = 0; !isDone; connection += 1) {
        const reader = await EventReader.open(`${urls[(client + connection) % 3]}/signals/stream`, key, lastId)
        for (let count = 0; count < 1 + ((client + connection) % 9); count += 1) {
          // The last signals may have been sent already.
          const message = await Promise.race([reader.next(), delay(3_000)])
          if (message === undefined) break
          assert.ok(Number(message.id) >= Number(lastId), 'ids never decrease')
          lastId = message.id
          if (message.event === 'signal') received.push(message.data.signal.id)
        }
        reader.close()
      }
      const last = await EventReader.open(`${urls[client % 3]}/signals/stream`, key, lastId)
      const { data } = await last.nextOf('ready')
      for (let left = data.replayCount; left > 0; left -= 1) received.push((await last.nextOf('signal')).data.signal.id)
      last.close()
      return received
    }

    const [, ...readings] = await Promise.all([publish(), ...Array.from({ length: 6 }, (_, client) => follow(client))])
    const log = await mintick.store.signalLog.listAfter(0, await mintick.store.signalLog.head(), 1_000)
    const expected = log.map(({ doc }) => JSON.parse(doc).id)
    assert.equal(expected.length, total)
    for (const received of readings) assert.deepEqual(received, expected)
  })
})

onRedis('credits while Redis fails', () => {
  const instances = instancesForSuite(3)

  const disturbances: [name: string, disturb: () => Promise<void>][] = [
    [
      'is flushed',
      async () => {
        await instances.redis.command('flushall')
      },
    ],
    [
      'is killed and restarted',
      async () => {
        await instances.redis.kill()
        await delay(50)
        await instances.redis.start()
      },
    ],
    ['is killed', () => instances.redis.kill()],
  ]
  for (const [name, disturb] of disturbances) {
    test(`nothing is overspent or lost if Redis ${name} in the middle`, async () => {
      for (const balance of some([100, 5, 1], 2)) {
        const { id, key } = await instances.open(balance)
        const calls = Array.from({ length: 40 }, async (_, wave) => {
          await delay(wave * 5)
          return callAll(instances, 9, key)
        })
        await delay(60)
        const [waves] = await Promise.all([Promise.all(calls), disturb()])
        const replies = waves.flat()
        assert.equal(countOf(replies, 200) + countOf(replies, 402), 360)
        assert.equal(countOf(replies, 200), balance)
        assert.equal(await instances.balance(id), 0)
        await assertCharged(instances, id, balance)
        await instances.redis.command('ping').catch(() => instances.redis.start())
      }
    })
  }
})
