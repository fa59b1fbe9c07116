import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock } from '../../test/harness.ts'
import { hasRedis, RedisServer } from '../../test/redis.ts'
import { parseRedisUrl } from '../model/redis-address.ts'
import { RedisLink } from '../redis/redis-link.ts'
import { MemoryMeter } from './memory-meter.ts'
import type { MeterVerdict, RateAsk } from './meter.ts'
import type { RateVerdict } from './rate.ts'
import { RedisMeter } from './redis-meter.ts'

const MINUTE = 60_000

describe('meter on Redis', { skip: !hasRedis() && 'no redis-server' }, () => {
  let server: RedisServer
  const links: RedisLink[] = []
  before(async () => {
    server = await RedisServer.start()
  })
  after(async () => {
    for (const link of links) link.close()
    await server.stop()
  })

  let services = 0
  /** Opens meters of instances that share a service of their own. */
  async function open(count: number, clock = new FakeClock()) {
    services += 1
    const prefix = `test${services}:`
    return Promise.all(
      Array.from({ length: count }, async () => {
        const redis = await RedisLink.open(parseRedisUrl(server.url))
        links.push(redis)
        const now = () => clock.now()
        const meter = new RedisMeter({
          redis,
          prefix,
          now,
          isFake: true,
          countInstances: async () => count,
          onError: (error) => assert.fail(String(error)),
        })
        return meter
      }),
    )
  }

  const LIMITS = { burst: 5, requestsPerMinute: 60, requestsPerHour: 100, requestsPerDay: 200 }
  const KEY = { keyId: 'key', accountId: 'account', limits: LIMITS }

  /** Admits a request that the meter knows and that is not stale. */
  async function admit(meter: RedisMeter, cost = 0, ask: RateAsk = KEY): Promise<MeterVerdict> {
    const answer = await meter.admit({ ...ask, cost })
    if (answer === 'unknown') {
      await meter.restoreKey(ask, [])
      return admit(meter, cost, ask)
    }
    if (answer === 'stale') assert.fail('stale')
    return answer
  }

  test('rates are those of the meter in memory, whichever instance counts', async () => {
    const limit = fc.integer({ min: 1, max: 12 })
    const limits = fc.record({ burst: limit, requestsPerMinute: limit, requestsPerHour: limit, requestsPerDay: limit })
    const pause = fc.oneof(
      fc.integer({ min: 0, max: 30_000 }),
      fc.integer({ min: 0, max: 70 * MINUTE }),
      fc.integer({ min: 0, max: 30 * 60 * MINUTE }),
    )
    const step = fc.record({
      pause,
      instance: fc.nat(1),
      requests: fc.integer({ min: 1, max: 4 }),
      isPeek: fc.boolean(),
    })
    const use = fc.record({ ago: fc.integer({ min: 0, max: 9_000 }), count: fc.integer({ min: 1, max: 4 }) })
    const clock = new FakeClock()
    const meters = await open(2, clock)
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(limits, { minLength: 1, maxLength: 2 }),
        fc.array(use, { maxLength: 6 }),
        fc.array(step, { minLength: 1, maxLength: 25 }),
        async (plans, uses, steps) => {
          const oracle = new MemoryMeter(clock)
          run += 1
          const key = { ...KEY, keyId: `key ${run}` }
          const slot = Math.floor(clock.now() / 10_000)
          const used = uses
            .map(({ ago, count }) => ({ at: (slot - ago) * 10_000, count }))
            .sort((one, other) => one.at - other.at)
          const first = { ...key, limits: plans[0] ?? LIMITS }
          oracle.restoreKey(first, used)
          await meters[0]?.restoreKey(first, used)
          for (const [place, { pause, instance, requests, isPeek }] of steps.entries()) {
            const meter = meters[instance]
            assert.ok(meter)
            clock.advance(pause)
            const ask = { ...key, limits: plans[place % plans.length] ?? LIMITS, cost: 0 }
            const each = Array.from({ length: requests }, () => ask)
            const expected = each.map(() => (isPeek ? oracle.peek(ask) : oracle.admit(ask).rate))
            const found = await Promise.all(each.map(() => (isPeek ? meter.peek(ask) : admit(meter, 0, ask))))
            assert.deepEqual(
              found.map((verdict): RateVerdict => ('rate' in verdict ? verdict.rate : verdict)),
              expected,
            )
          }
        },
      ),
      { numRuns: runs(60, 2_000) },
    )
  })

  test('requests at once hold what they would hold one after the other', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    const limit = 1_000
    const limits = { burst: limit, requestsPerMinute: limit, requestsPerHour: limit, requestsPerDay: limit }
    const step = fc.record({ instance: fc.nat(1), costs: fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }) })
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.array(step, { maxLength: 6 }), async (balance, steps) => {
        run += 1
        const ask = { keyId: `holding ${run}`, accountId: `account ${run}`, limits }
        await one.restoreKey(ask, [])
        await one.setBalance(ask.accountId, { credits: balance, transferId: 1 })
        let left = balance
        for (const { instance, costs } of steps) {
          const meter = instance === 0 ? one : other
          const answers: MeterVerdict[] = await Promise.all(costs.map((cost) => admit(meter, cost, ask)))
          const expected = costs.map((cost) => {
            const isHeld = cost <= left
            if (isHeld) left -= cost
            return isHeld
          })
          assert.deepEqual(
            answers.map(({ isHeld }) => isHeld),
            expected,
          )
        }
        assert.equal(one.held(ask.accountId) + other.held(ask.accountId), balance - left)
      }),
      { numRuns: runs(30, 1_000) },
    )
  })

  test('requests at once share a script, whatever their keys, limits and versions', async () => {
    const [meter] = await open(1)
    assert.ok(meter)
    const other = { ...KEY, accountId: 'other', keyId: 'key of other' }
    await admit(meter)
    await admit(meter, 0, other)
    const scripts = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(String(await server.command('info', 'commandstats')))?.[1])
    const before = await scripts()
    const version = meter.versionOf('account')
    await Promise.all([admit(meter), admit(meter), admit(meter, 0, other)])
    assert.equal((await scripts()) - before, 1)
    const old = { ...KEY, cost: 0, version: 'old' }
    const higher = { ...KEY, limits: { ...LIMITS, burst: 50 } }
    const asks = [{ ...KEY, cost: 0, version }, old, { ...KEY, cost: 0, version }]
    const answers = await Promise.all([...asks.map((ask) => meter.admit(ask)), admit(meter, 0, higher)])
    assert.deepEqual(
      answers.map((answer) => (typeof answer === 'string' ? answer : answer.rate.limits[0]?.limit)),
      [5, 'stale', 5, 50],
    )
    assert.equal((await scripts()) - before, 2)
  })

  test('accounts that share scripts are counted and held each on its own', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    const limits = { burst: 4, requestsPerMinute: 1, requestsPerHour: 9, requestsPerDay: 9 }
    const asks = Array.from({ length: 120 }, (_, place) => ({
      keyId: `shared ${place}`,
      accountId: `shared account ${place}`,
      limits,
    }))
    await Promise.all(asks.map((ask) => one.restoreKey(ask, [])))
    await Promise.all(asks.map(({ accountId }, place) => one.setBalance(accountId, { credits: place, transferId: 1 })))
    const answers = await Promise.all(
      asks.flatMap((ask, place) => [0, 1, 2, 3, 4].map((turn) => admit(place % 2 ? one : other, 10 + turn, ask))),
    )
    for (const [place] of asks.entries()) {
      let left = place
      for (const turn of [0, 1, 2, 3, 4]) {
        const { rate, isHeld } = answers[5 * place + turn] ?? assert.fail()
        assert.equal(rate.isAllowed, turn < 4)
        const isCovered = turn < 4 && 10 + turn <= left
        assert.equal(isHeld, isCovered)
        if (isCovered) left -= 10 + turn
      }
    }
  })

  test('instances count a key together', async () => {
    const meters = await open(3)
    const verdicts = []
    for (let request = 0; request < 9; request += 1) {
      const meter = meters[request % 3]
      assert.ok(meter)
      verdicts.push((await admit(meter)).rate.isAllowed)
    }
    assert.deepEqual(verdicts, [true, true, true, true, true, false, false, false, false])
  })

  test('a key that Redis does not know has to be restored, and then keeps its use', async () => {
    const clock = new FakeClock()
    const [meter] = await open(1, clock)
    assert.ok(meter)
    assert.equal(await meter.admit({ ...KEY, cost: 0 }), 'unknown')
    await meter.restoreKey(KEY, [{ at: Math.floor(clock.now() / 10_000) * 10_000 - 10 * MINUTE, count: 60 }])
    const { rate } = await admit(meter)
    assert.equal(rate.limits[1]?.remaining, 39)
    await server.command('flushall')
    assert.equal(await meter.admit({ ...KEY, cost: 0 }), 'unknown')
  })

  test('a cached caller is stale after a change on another instance, after a flush, and without Redis', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    await admit(one)
    const version = one.versionOf('account')
    assert.ok(version)
    assert.notEqual(await one.admit({ ...KEY, cost: 0, version }), 'stale')
    assert.equal(await other.renewVersion('account'), true)
    assert.equal(await one.admit({ ...KEY, cost: 0, version }), 'stale')
    const next = one.versionOf('account')
    assert.notEqual(next, version)
    assert.notEqual(await one.admit({ ...KEY, cost: 0, version: next }), 'stale')
    await server.command('flushall')
    assert.equal(await one.admit({ ...KEY, cost: 0, version: next }), 'stale')
  })

  test('a rate refills although the clock was set back', async () => {
    const clock = new FakeClock()
    const [meter] = await open(1, clock)
    assert.ok(meter)
    const limits = { ...LIMITS, requestsPerHour: 1_000, requestsPerDay: 1_000 }
    const drain = async () => {
      let allowed = 0
      while ((await admit(meter, 0, { ...KEY, limits })).rate.isAllowed) allowed += 1
      return allowed
    }
    assert.equal(await drain(), 5)
    clock.advance(-10 * MINUTE)
    assert.equal(await drain(), 0)
    clock.advance(5_000)
    assert.equal(await drain(), 4)
  })

  test('instances hold credits together, and the holds of a dead one end', async () => {
    const clock = new FakeClock()
    const [one, other] = await open(2, clock)
    assert.ok(one && other)
    await one.setBalance('account', { credits: 10, transferId: 1 })
    assert.equal((await admit(one, 6)).isHeld, true)
    assert.equal((await admit(other, 6)).isHeld, false)
    assert.equal(other.available('account'), 4)
    assert.equal(other.isContended('account', 6), true)
    assert.equal((await admit(other, 4)).isHeld, true)
    assert.equal((await admit(one, 1)).isHeld, false)
    clock.advance(20_000)
    assert.equal((await admit(other, 6)).isHeld, true)
    assert.equal(other.held('account'), 10)
  })

  test('a charge releases its hold and tells the other instances the balance', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    await one.setBalance('account', { credits: 10, transferId: 1 })
    await admit(one, 4)
    await admit(other)
    assert.equal(other.available('account'), 6)
    // Less than the hold leaves: another instance has charged one credit, too.
    one.settle('account', 4, { credits: 5, transferId: 3 })
    assert.equal(one.held('account'), 0)
    // `stop` sends the new balance.
    await one.stop()
    await admit(other)
    assert.equal(other.available('account'), 5)
  })

  test('charges that are told in any order leave the last balance', async () => {
    const instances = await open(2)
    const limit = 1_000
    const limits = { burst: limit, requestsPerMinute: limit, requestsPerHour: limit, requestsPerDay: limit }
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask' as const), on: fc.nat(1), cost: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant('tell' as const), which: fc.nat(9) }),
      fc.record({ kind: fc.constant('reload' as const), on: fc.nat(1) }),
    )
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        run += 1
        const ask = { keyId: `charged ${run}`, accountId: `charged account ${run}`, limits }
        let posted = { credits: 20, transferId: 1 }
        const untold: (() => void)[] = []
        const on = (index: number) => instances[index] ?? assert.fail()
        await on(0).restoreKey(ask, [])
        await on(0).setBalance(ask.accountId, posted)
        for (const next of steps) {
          if (next.kind === 'tell') untold.splice(next.which % Math.max(1, untold.length), 1)[0]?.()
          else if (next.kind === 'reload') await on(next.on).setBalance(ask.accountId, posted)
          else if ((await admit(on(next.on), next.cost, ask)).isHeld) {
            posted = { credits: posted.credits - next.cost, transferId: posted.transferId + 1 }
            assert.ok(posted.credits >= 0)
            const balance = posted
            untold.push(() => on(next.on).settle(ask.accountId, next.cost, balance))
          }
        }
        for (const tell of untold) tell()
        // The first request of an instance tells of its charges, the second learns of all.
        for (const meter of [...instances, ...instances]) await admit(meter, 0, ask)
        for (const meter of instances) assert.equal(meter.available(ask.accountId), posted.credits)
      }),
      { numRuns: runs(40, 1_000) },
    )
  })

  test('a balance that was read replaces that of a later transfer, as of a database before its restore', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    await one.setBalance('account', { credits: 10, transferId: 90 })
    await admit(other)
    await one.setBalance('account', { credits: 7, transferId: 3 })
    await admit(other)
    assert.equal(other.available('account'), 7)
  })

  test('a charge is told by a request that is refused as stale', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    await one.setBalance('account', { credits: 10, transferId: 1 })
    await admit(one, 4)
    one.settle('account', 4, { credits: 6, transferId: 2 })
    assert.equal(await one.admit({ ...KEY, cost: 0, version: 'another' }), 'stale')
    await admit(one)
    await admit(other)
    assert.equal(other.available('account'), 6)
  })

  test('requests of one instance at once hold no more than the balance, and leave no hold behind', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    const ask = { ...KEY, limits: { burst: 1e6, requestsPerMinute: 1e6, requestsPerHour: 1e6, requestsPerDay: 1e6 } }
    await one.restoreKey(ask, [])
    await one.setBalance('account', { credits: 7, transferId: 1 })
    const costs = [3, 5, 1, 4, 2, 1, 9, 1]
    const answers = await Promise.all(costs.map((cost) => admit(one, cost, ask)))
    const held = costs.reduce((sum, cost, place) => sum + (answers[place]?.isHeld ? cost : 0), 0)
    assert.equal(one.held('account'), held)
    assert.ok(held <= 7)
    one.release('account', held, 'requests')
    await delay(20)
    await admit(other, 0, ask)
    assert.equal(other.available('account'), 7)
  })

  test('a stream that holds the balance is no contention', async () => {
    const [one, other] = await open(2)
    assert.ok(one && other)
    await one.setBalance('account', { credits: 5, transferId: 1 })
    assert.equal(one.hold('account', 5, 'streams'), true)
    await delay(20)
    assert.equal((await admit(other, 1)).isHeld, false)
    assert.equal(other.isContended('account', 1), false)
  })
})

describe('meter without Redis', { skip: !hasRedis() && 'no redis-server' }, () => {
  test('a balance that was read while Redis was away does not replace that of a later transfer', async () => {
    const server = await RedisServer.start()
    const links = await Promise.all([1, 2].map(() => RedisLink.open(parseRedisUrl(server.url))))
    const clock = new FakeClock()
    const [one, other] = links.map(
      (redis) =>
        new RedisMeter({
          redis,
          prefix: 'test:',
          now: () => clock.now(),
          isFake: true,
          countInstances: async () => 2,
          onError: (error) => assert.fail(String(error)),
        }),
    )
    assert.ok(one && other)
    try {
      await server.kill()
      while (links.some(({ isUp }) => isUp)) await delay(5)
      await one.setBalance('account', { credits: 10, transferId: 2 })
      await server.start()
      while (!links.every(({ isUp }) => isUp)) await delay(5)
      await other.setBalance('account', { credits: 5, transferId: 7 })
      one.settle('account', 0, { credits: 9, transferId: 3 })
      await one.stop()
      assert.equal(one.available('account'), 5)
    } finally {
      for (const redis of links) redis.close()
      await server.stop()
    }
  })

  test('an instance counts with its share of the limits, tells Redis later, and verifies no cached caller', async () => {
    const server = await RedisServer.start()
    const clock = new FakeClock()
    const redis = await RedisLink.open(parseRedisUrl(server.url))
    const LIMITS = { burst: 6, requestsPerMinute: 6, requestsPerHour: 100, requestsPerDay: 100 }
    const KEY = { keyId: 'key', accountId: 'account', limits: LIMITS, cost: 0 }
    const meter = new RedisMeter({
      redis,
      prefix: 'test:',
      now: () => clock.now(),
      isFake: true,
      countInstances: async () => 3,
      onError: (error) => assert.fail(String(error)),
    })
    meter.start()
    try {
      await meter.restoreKey(KEY, [])
      const version = () => meter.versionOf('account')
      assert.notEqual(await meter.admit(KEY), 'unknown')
      const seen = version()
      assert.ok(seen)
      await server.command('config', 'set', 'save', '')
      const pausedAt = performance.now()
      await server.kill()
      while (redis.isUp) await delay(5)
      assert.ok(performance.now() - pausedAt < 2_000)
      assert.equal(version(), undefined)
      assert.equal(await meter.admit({ ...KEY, version: seen }), 'stale')
      assert.equal(await meter.renewVersion('account'), false)
      const allowed = []
      for (let request = 0; request < 4; request += 1) {
        allowed.push(((await meter.admit(KEY)) as MeterVerdict).rate.isAllowed)
      }
      assert.deepEqual(allowed, [true, true, false, false])
      await server.start()
      while (!redis.isUp) await delay(5)
      assert.equal(await meter.admit(KEY), 'unknown')
    } finally {
      await meter.stop()
      redis.close()
      await server.stop()
    }
  })
})
