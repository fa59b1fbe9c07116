/** Admission, charges and endings of streams. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { ENDPOINT, StreamWorld, streamUsage } from '../../../test/streams.ts'
import { planRules } from '../../billing/plan-rules.ts'
import { ApiError } from '../../model/errors.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../model/time.ts'
import { createStore, type Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'

const ACCOUNTS = runs(60, 400)

onEveryEngine('stream meter', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let store: Store
  let world: StreamWorld
  before(async () => {
    opened = await openTestDb(engine)
    store = createStore(opened.db.ledger)
    world = new StreamWorld(store)
  })
  afterEach(async () => {
    await world.stop()
    assert.deepEqual(world.errors, [])
    assert.deepEqual((await store.audit.run()).problems, [])
    world = new StreamWorld(store)
  })
  after(() => opened.close())

  const minutesOf = async ({ account }: Caller) => (await streamUsage(store, account.id)).minutes
  const balanceOf = ({ account }: Caller) => store.ledger.balance(account.id)
  const openOf = ({ account }: Caller) => store.streams.countOpen(account.id)
  const refusalOf = (opening: Promise<unknown>): Promise<ApiError> =>
    opening.then(
      () => assert.fail('the stream was not refused'),
      (error) => {
        assert.ok(error instanceof ApiError, String(error))
        return error
      },
    )

  test('a minute is held from the opening and posted when it is complete', async () => {
    const instance = await world.start()
    const caller = await world.caller('professional', 100)
    const stream = await instance.open(caller)
    assert.equal(instance.meter.held(caller.account.id), 5)
    assert.equal(await balanceOf(caller), 100)
    await world.pass(59 * SECOND)
    assert.equal(await balanceOf(caller), 100)
    await world.pass(SECOND)
    assert.equal(await balanceOf(caller), 95)
    assert.equal(instance.meter.held(caller.account.id), 5)
    await world.pass(10 * MINUTE)
    assert.equal(await balanceOf(caller), 45)
    await stream.close()
    await stream.close()
    assert.deepEqual([await balanceOf(caller), await openOf(caller)], [45, 0])
    assert.equal(instance.meter.held(caller.account.id), 0)
    assert.deepEqual(stream.endedBy, [])
  })

  test('the credit multiplier of the plan applies: 4 credits a minute on Enterprise', async () => {
    const instance = await world.start()
    const caller = await world.caller('enterprise', 100)
    assert.equal(instance.streams.creditsPerMinute(caller), 4)
    await instance.open(caller)
    await world.pass(MINUTE)
    assert.equal(await balanceOf(caller), 96)
  })

  test('reconnecting every 59 seconds is not free', async () => {
    const instance = await world.start()
    const caller = await world.caller('starter', 1_000)
    for (let round = 0; round < 20; round += 1) {
      const stream = await instance.open(caller)
      await world.pass(59 * SECOND, 59 * SECOND)
      await stream.close()
    }
    assert.equal(await minutesOf(caller), 19)
    assert.equal(await balanceOf(caller), 1_000 - 19 * 5)
  })

  test('the time of all streams of an account adds up, and each key is charged for its share', async () => {
    const instance = await world.start()
    const caller = await world.caller('enterprise', 1_000)
    const other = await world.secondKey(caller)
    await instance.open(caller)
    await instance.open(other, 'GET /signals/ws')
    await instance.open(other, 'GET /signals/ws')
    await world.pass(20 * SECOND)
    assert.equal(await minutesOf(caller), 1)
    await world.pass(9 * MINUTE + 40 * SECOND)
    assert.equal(await minutesOf(caller), 30)
    const usage = await store.usage.rows(caller.account.id, '2000-01-01')
    assert.deepEqual(
      usage.map(({ endpoint, apiKeyId, credits, succeeded }) => [endpoint, apiKeyId, credits, succeeded]),
      [
        [ENDPOINT, caller.key.id, 40, 0],
        ['GET /signals/ws', other.key.id, 80, 0],
      ],
    )
  })

  test('a balance below the cost of a minute gets 402, which comes before the 429 of the cap', async () => {
    const instance = await world.start()
    const caller = await world.caller('starter', 9)
    await instance.open(caller)
    const refusal = await refusalOf(instance.open(caller))
    assert.equal(refusal.code, 'INSUFFICIENT_CREDITS')
    assert.match(refusal.message, /costs 5 credits/)
    await world.grant(caller, 1)
    assert.equal((await refusalOf(instance.open(caller))).code, 'RATE_LIMIT_EXCEEDED')
    assert.equal(instance.meter.held(caller.account.id), 5)
  })

  test('a stream over the cap of the plan gets 429 with Retry-After and releases its hold', async () => {
    const instance = await world.start()
    const caller = await world.caller('professional', 1_000)
    for (let count = 0; count < 5; count += 1) await instance.open(caller)
    const refusal = await refusalOf(instance.open(caller))
    assert.equal(refusal.statusCode, 429)
    assert.equal(refusal.code, 'RATE_LIMIT_EXCEEDED')
    assert.match(refusal.message, /Professional plan allows 5 real-time connections/)
    assert.equal(refusal.retryAfterSeconds, 5)
    assert.equal(instance.meter.held(caller.account.id), 25)
    assert.equal(await openOf(caller), 5)
  })

  test('of 20 concurrent openings against a cap of one, one succeeds across all instances', async () => {
    const first = await world.start()
    const second = engine === 'sqlite' ? first : await world.start()
    const caller = await world.caller('starter', 1_000)
    const openings = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second).open(caller))
    const results = await Promise.allSettled(openings)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal(await openOf(caller), 1)
  })

  test('if the next minute cannot be held for all streams, the newest ends and the oldest continues', async () => {
    const instance = await world.start()
    const caller = await world.caller('professional', 12)
    const [oldest, newest] = [await instance.open(caller), await instance.open(caller)]
    await world.pass(30 * SECOND)
    assert.deepEqual([oldest.endedBy, newest.endedBy], [[], ['credits_exhausted']])
    assert.equal(await openOf(caller), 1)
    assert.equal(instance.meter.held(caller.account.id), 5)
    await world.pass(MINUTE)
    assert.deepEqual(oldest.endedBy, ['credits_exhausted'])
    assert.deepEqual([await balanceOf(caller), await openOf(caller)], [2, 0])
    assert.equal(instance.meter.held(caller.account.id), 0)
  })

  test('a grant while a stream is open keeps it open', async () => {
    const instance = await world.start()
    const caller = await world.caller('starter', 5)
    const stream = await instance.open(caller)
    await world.grant(caller, 5)
    await world.pass(MINUTE)
    assert.deepEqual(stream.endedBy, [])
    await world.pass(MINUTE)
    assert.deepEqual(stream.endedBy, ['credits_exhausted'])
    assert.equal(await balanceOf(caller), 0)
  })

  test('a minute that the balance did not cover stays owed and is charged when the next stream opens', async () => {
    const instance = await world.start()
    const caller = await world.caller('starter', 20)
    const stream = await instance.open(caller)
    await world.pass(50 * SECOND)
    await store.ledger.withdraw({
      accountId: caller.account.id,
      credits: -18,
      kind: 'adjustment',
      description: 'test',
      idempotencyKey: `withdrawn:${caller.account.id}`,
      at: world.clock.now(),
    })
    await world.pass(10 * SECOND)
    assert.deepEqual(stream.endedBy, ['credits_exhausted'])
    assert.deepEqual([await balanceOf(caller), await minutesOf(caller)], [2, 0])
    await world.grant(caller, 7)
    assert.equal((await refusalOf(instance.open(caller))).code, 'INSUFFICIENT_CREDITS')
    assert.deepEqual([await balanceOf(caller), await minutesOf(caller), await openOf(caller)], [4, 1, 0])
  })

  test('revoking a key ends its streams and no others before the revocation returns', async () => {
    const instances = [await world.start(), ...(engine === 'postgres' ? [await world.start()] : [])]
    for (const instance of instances) {
      const caller = await world.caller('professional', 1_000)
      const other = await world.secondKey(caller)
      const [kept, doomed] = [await instance.open(caller), await instance.open(other)]
      await store.keys.revoke(caller.account.id, other.key.id)
      await world.bus.publish('accounts', caller.account.id)
      assert.deepEqual([kept.endedBy, doomed.endedBy], [[], ['key_revoked']])
      assert.equal(await openOf(caller), 1)
      assert.equal((await refusalOf(instance.open(other))).code, 'UNAUTHORIZED')
      assert.equal(await openOf(caller), 1)
      assert.equal(instance.meter.held(caller.account.id), 5)
    }
  })

  test('a stream that opens while its key is revoked does not stay open', async () => {
    const instance = await world.start()
    const caller = await world.caller('enterprise', 1_000)
    for (let delay = 0; delay < 40; delay += 1) {
      const doomed = await world.secondKey(caller)
      const opening = instance.open(doomed).catch(() => undefined)
      for (let turn = 0; turn < delay; turn += 1) await null
      await store.keys.revoke(caller.account.id, doomed.key.id)
      await world.bus.publish('accounts', caller.account.id)
      const stream = await opening
      if (stream !== undefined) assert.deepEqual(stream.endedBy, ['key_revoked'])
      assert.equal(await openOf(caller), 0)
      assert.equal(instance.meter.held(caller.account.id), 0)
    }
  })

  test('deactivating an account ends its streams', async () => {
    const instance = await world.start()
    const caller = await world.caller('starter', 1_000)
    const stream = await instance.open(caller)
    await store.accounts.update(caller.account.id, { isActive: false }, planRules(world.clock.now()))
    await world.bus.publish('accounts', caller.account.id)
    assert.deepEqual(stream.endedBy, ['key_revoked'])
  })

  test('a lower cap ends the newest streams on whichever instance; a plan without real-time access ends all', async () => {
    const first = await world.start()
    const second = engine === 'sqlite' ? first : await world.start()
    const caller = await world.caller('professional', 1_000)
    const streams = []
    for (const instance of [first, second, first, second]) {
      world.clock.advance(1)
      streams.push(await instance.open(caller))
    }
    await world.changePlan(caller, 'professional', { realtimeConnections: 3 })
    assert.deepEqual(
      streams.map(({ endedBy }) => endedBy.join()),
      ['', '', '', 'plan_changed'],
    )
    await world.changePlan(caller, 'starter')
    assert.deepEqual(
      streams.map(({ endedBy }) => endedBy.join()),
      ['', 'plan_changed', 'plan_changed', 'plan_changed'],
    )
    await world.changePlan(caller, 'free')
    assert.deepEqual(streams[0]?.endedBy, ['plan_changed'])
    assert.equal(await openOf(caller), 0)
  })

  test('a new price changes the holds at once and applies to the next minute', async () => {
    const instance = await world.start()
    const caller = await world.caller('professional', 100)
    const streams = [await instance.open(caller), await instance.open(caller)]
    await world.changePlan(caller, 'enterprise')
    assert.equal(instance.meter.held(caller.account.id), 8)
    await world.pass(30 * SECOND)
    assert.equal(await balanceOf(caller), 96)
    await world.changePlan(caller, 'professional', { creditMultiplier: 10 })
    assert.deepEqual(
      streams.map(({ endedBy }) => endedBy.join()),
      ['', 'credits_exhausted'],
    )
    assert.equal(instance.meter.held(caller.account.id), 50)
  })

  test('a key ends its streams when it expires', async () => {
    const instance = await world.start()
    const caller = await world.caller('professional', 1_000)
    const expiring = await world.secondKey(caller, world.clock.now() + 5 * MINUTE)
    const stream = await instance.open(expiring)
    await world.pass(5 * MINUTE - SECOND)
    assert.deepEqual(stream.endedBy, [])
    await world.pass(SECOND)
    assert.deepEqual(stream.endedBy, ['key_revoked'])
    assert.equal(await minutesOf(caller), 5)
  })

  test('a revoked key ends its streams within 30 seconds even if the bus reports nothing', async () => {
    const instance = await world.start()
    const caller = await world.caller('starter', 1_000)
    const stream = await instance.open(caller)
    await store.keys.revoke(caller.account.id, caller.key.id)
    await world.pass(30 * SECOND)
    assert.deepEqual(stream.endedBy, ['key_revoked'])
  })

  test('jumps of the calendar clock change no charges', async () => {
    const instance = await world.start()
    const caller = await world.caller('starter', 1_000)
    const stream = await instance.open(caller)
    for (const jump of [DAY, -3 * DAY, 90 * DAY, -HOUR]) {
      world.clock.jump(jump)
      await world.pass(30 * SECOND)
    }
    await stream.close()
    assert.equal(await minutesOf(caller), 2)
  })

  test('shutdown ends every stream and charges its whole minutes', async () => {
    const instance = await world.start()
    const caller = await world.caller('enterprise', 1_000)
    const streams = [await instance.open(caller), await instance.open(caller), await instance.open(caller)]
    world.clock.advance(50 * SECOND)
    await world.stop()
    for (const { endedBy } of streams) assert.deepEqual(endedBy, ['shutdown'])
    assert.deepEqual([await minutesOf(caller), await openOf(caller)], [2, 0])
    assert.deepEqual(await store.streams.instances.list(), [])
    assert.equal((await refusalOf(instance.open(caller))).statusCode, 503)
    assert.equal(instance.meter.held(caller.account.id), 0)
  })

  test('the slots of a dead instance are free within 30 seconds and its recorded time is charged', async (t) => {
    if (engine === 'sqlite') return t.skip('needs several instances')
    await world.start()
    for (let phase = 0; phase < 6; phase += 1) {
      const doomed = await world.start()
      const caller = await world.caller('starter', 1_000)
      await doomed.open(caller)
      await world.pass(59 * SECOND + phase * 900)
      world.crash(doomed)
      await world.pass(30 * SECOND)
      assert.equal(await openOf(caller), 0, `${phase}`)
      const survivor = world.instances[0]
      const stream = await survivor?.open(caller)
      await world.pass(6 * SECOND)
      await stream?.close()
      assert.equal(await minutesOf(caller), 1)
    }
  })

  test('a restart after a crash on the embedded store frees all slots and charges complete minutes', async (t) => {
    if (engine === 'postgres') return t.skip('applies to the embedded store')
    const doomed = await world.start()
    const caller = await world.caller('starter', 1_000)
    await doomed.open(caller)
    await world.pass(59 * SECOND)
    world.clock.advance(6 * SECOND)
    await doomed.streams.renewLease()
    world.crash(doomed)
    await world.start()
    assert.deepEqual([await openOf(caller), await minutesOf(caller)], [0, 1])
  })

  test('a paused instance that was declared dead takes its slots again and ends streams without a slot', async (t) => {
    if (engine === 'sqlite') return t.skip('needs several instances')
    const [paused, other] = [await world.start(), await world.start()]
    const [unlucky, lucky] = [await world.caller('starter', 1_000), await world.caller('starter', 1_000)]
    const [ended, kept] = [await paused.open(unlucky), await paused.open(lucky)]
    await world.pass(10 * SECOND)
    paused.isPaused = true
    await world.pass(30 * SECOND)
    assert.deepEqual([await openOf(unlucky), await openOf(lucky)], [0, 0])
    const replacement = await other.open(unlucky)
    paused.isPaused = false
    await world.pass(5 * SECOND)
    assert.deepEqual([ended.endedBy, kept.endedBy, replacement.endedBy], [['rotation'], [], []])
    assert.deepEqual([await openOf(unlucky), await openOf(lucky)], [1, 1])
    assert.equal(paused.meter.held(unlucky.account.id), 0)
    await world.pass(MINUTE)
    await kept.close()
    assert.equal(await minutesOf(lucky), 1)
  })

  test('instances do not declare each other dead after an outage of the store', async (t) => {
    if (engine === 'sqlite') return t.skip('needs several instances')
    const [first, second] = [await world.start(), await world.start()]
    const caller = await world.caller('professional', 1_000)
    const streams = [await first.open(caller), await second.open(caller)]
    await world.pass(10 * SECOND)
    world.clock.advance(5 * MINUTE)
    await world.pass(30 * SECOND)
    for (const { endedBy } of streams) assert.deepEqual(endedBy, [])
    assert.equal(await minutesOf(caller), 11)
  })

  /** Returns the store with another `settle`. */
  const faulty = (settle: Store['streams']['settle']): Store => ({ ...store, streams: { ...store.streams, settle } })

  test('while settling fails a closed stream holds no credits; its time is charged once afterwards', async () => {
    let isDown = true
    const instance = await world.start(
      faulty((...given) => (isDown ? Promise.reject(new Error('down')) : store.streams.settle(...given))),
    )
    const caller = await world.caller('professional', 1_000)
    const [closed, kept] = [await instance.open(caller), await instance.open(caller)]
    await world.pass(20 * SECOND)
    await closed.close()
    assert.equal(instance.meter.held(caller.account.id), 5)
    await world.pass(20 * SECOND)
    assert.deepEqual([await openOf(caller), await minutesOf(caller)], [1, 0])
    isDown = false
    await world.pass(20 * SECOND)
    assert.deepEqual([await openOf(caller), await minutesOf(caller)], [1, 1])
    assert.deepEqual(kept.endedBy, [])
    assert.ok(world.errors.splice(0).length > 0)
  })

  test('a commit that was not acknowledged is not charged twice', async () => {
    let breaks = 5
    const instance = await world.start(
      faulty(async (...given) => {
        const settled = await store.streams.settle(...given)
        breaks -= 1
        if (breaks >= 0) throw new Error('the connection broke')
        return settled
      }),
    )
    const caller = await world.caller('professional', 1_000)
    const [stream, kept] = [await instance.open(caller), await instance.open(caller)]
    await world.pass(2 * MINUTE)
    await stream.close()
    await world.pass(MINUTE)
    assert.deepEqual([await openOf(caller), await minutesOf(caller)], [1, 5])
    assert.deepEqual(kept.endedBy, [])
    assert.equal(world.errors.splice(0).length, 5)
  })

  test('a closed stream that cannot be settled frees its slot and costs nothing after its end', async () => {
    const instance = await world.start(faulty(() => Promise.reject(new Error('down'))))
    const caller = await world.caller('starter', 1_000)
    const stream = await instance.open(caller)
    await world.pass(59 * SECOND)
    await stream.close()
    await world.pass(10 * MINUTE, 5 * SECOND)
    assert.equal(await openOf(caller), 0)
    assert.ok(world.errors.length < 20)
    await world.stop()
    world.errors.splice(0)
    const next = await world.start().then((healthy) => healthy.open(caller))
    await world.pass(500, 500)
    await next.close()
    assert.equal(await minutesOf(caller), 0)
    assert.deepEqual(await store.streams.instances.list().then(({ length }) => length), 1)
  })

  test(`${ACCOUNTS} accounts that are due at once are settled in portions and requests run in between`, async (t) => {
    const instance = await world.start()
    for (let count = 0; count < ACCOUNTS; count += 1) await instance.open(await world.caller('starter', 100))
    world.clock.advance(MINUTE)
    let isOver = false
    let longest = 0
    let turns = 0
    const watch = (async () => {
      for (let last = performance.now(); !isOver; last = performance.now()) {
        await nextTurn()
        turns += 1
        longest = Math.max(longest, performance.now() - last)
      }
    })()
    const start = performance.now()
    await instance.streams.postMinutes()
    const settledMs = performance.now() - start
    await instance.streams.review()
    const reviewedMs = performance.now() - start - settledMs
    isOver = true
    await watch
    assert.ok(turns >= ACCOUNTS / 20, `${turns} turns of the event loop`)
    const [row] = await opened.db.ledger.query<{ count: number }>('select count(*) as count from metered_charges')
    assert.ok((row?.count ?? 0) >= ACCOUNTS)
    t.diagnostic(
      `posted ${ACCOUNTS} minutes in ${Math.round(settledMs)} ms, reviewed in ${Math.round(reviewedMs)} ms, longest turn ${Math.round(longest)} ms`,
    )
  })
})
