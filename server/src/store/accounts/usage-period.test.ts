/** Compares the usage of a period with a plain computation over all charges. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { ENDPOINT, StreamWorld } from '../../../test/streams.ts'
import { DAY, HOUR, isoDay, MINUTE, SECOND } from '../../model/time.ts'
import { createRandom } from '../../sample/world/random.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore } from '../store.ts'
import { UsagePeriods } from './usage-period.ts'

interface Charge {
  endpoint: string
  succeeded: number
  failed: number
  credits: number
  minutes: number
  createdAt: number
}

const ENDPOINTS = ['GET /entries', 'GET /assets', 'GET /account']

const someStep = fc.record({
  passMs: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1, SECOND, 10 * SECOND) },
    { weight: 1, arbitrary: fc.constantFrom(MINUTE, HOUR, 12 * HOUR, DAY) },
  ),
  /** Enough to close blocks of the log. */
  requests: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 400, max: 900 })),
  /** Requests are logged up to this late. */
  lateMs: fc.constantFrom(0, 5, 30 * SECOND),
  seed: fc.nat(),
})

onEveryEngine('usage of a period', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  before(async () => {
    opened = await openTestDb(engine)
  })
  after(() => opened.close())

  const listCharges = async (accountId: string): Promise<Charge[]> => [
    ...(await opened.db.ledger.query<Charge>(
      `select endpoint, case when status_code < 400 then 1 else 0 end as succeeded,
         case when status_code < 400 then 0 else 1 end as failed, credits, 0 as minutes, created_at as "createdAt"
       from request_log where account_id = $1`,
      [accountId],
    )),
    ...(await opened.db.ledger.query<Charge>(
      `select endpoint, 0 as succeeded, 0 as failed, credits, minutes, created_at as "createdAt"
       from metered_charges where account_id = $1`,
      [accountId],
    )),
  ]

  const check = async (usage: UsagePeriods, accountId: string, from: number, now: number) => {
    const charges = (await listCharges(accountId)).filter(({ createdAt }) => createdAt >= from)
    const add = (items: readonly Charge[], of: (item: Charge) => number) =>
      items.reduce((sum, item) => sum + of(item), 0)
    const sumsOf = (own: readonly Charge[]) => ({
      requests: add(own, ({ succeeded, failed }) => succeeded + failed),
      failed: add(own, ({ failed }) => failed),
      credits: add(own, ({ credits }) => credits),
    })
    const { total } = await usage.head(accountId, from)
    const since = await usage.since({ id: accountId, createdAt: 0 }, from, total, now)
    const { byEndpoint, byKey, daily, stream, ...sums } = since
    assert.deepEqual(sums, {
      succeeded: add(charges, ({ succeeded }) => succeeded),
      failed: add(charges, ({ failed }) => failed),
      rateLimited: 0,
      credits: add(charges, ({ credits }) => credits),
    })
    const ofStreams = charges.filter(({ minutes }) => minutes > 0)
    assert.deepEqual(stream, {
      minutes: add(ofStreams, ({ minutes }) => minutes),
      credits: add(ofStreams, ({ credits }) => credits),
    })
    assert.deepEqual(
      new Map(byEndpoint.map(({ endpoint, ...sums }) => [endpoint, sums])),
      new Map([...Map.groupBy(charges, ({ endpoint }) => endpoint)].map(([endpoint, own]) => [endpoint, sumsOf(own)])),
    )
    assert.deepEqual([...byKey.values()], charges.length === 0 ? [] : [sumsOf(charges)])
    assert.deepEqual(
      daily,
      [...Map.groupBy(charges, ({ createdAt }) => isoDay(createdAt))]
        .map(([day, own]) => ({ day, ...sumsOf(own) }))
        .sort((one, other) => (one.day < other.day ? -1 : 1)),
    )
    const { used } = await createStore(opened.db).accounts.state(accountId, isoDay(from), now)
    assert.equal(
      used - (await usage.creditsBefore({ id: accountId, createdAt: 0 }, from, now)),
      add(charges, ({ credits }) => credits),
    )
  }

  test('random requests and streams, also late ones, add up before, at and after the start of the period', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { minLength: 8, maxLength: 14, size: 'max' }), async (steps) => {
        const store = createStore(opened.db)
        const world = new StreamWorld(store)
        const caller = await world.caller('professional', 100_000)
        const ids = { accountId: caller.account.id, apiKeyId: caller.key.id }
        const usage = new UsagePeriods(opened.db.ledger)
        const instance = await world.start()
        await instance.open(caller)
        world.clock.advance(6 * HOUR)
        const start = world.clock.now() + 10 * SECOND
        for (const { passMs, requests, lateMs, seed } of steps) {
          await world.pass(passMs, Math.max(SECOND, passMs / 10))
          const random = createRandom(`${seed}`)
          const batch = Array.from({ length: requests }, () => {
            const isFailed = random.next() < 0.1
            return loggedRequest({
              ...ids,
              endpoint: random.pick(ENDPOINTS),
              statusCode: isFailed ? 404 : 200,
              credits: isFailed ? 0 : Math.floor(random.between(0, 3)),
              createdAt: world.clock.now() - Math.floor(random.between(0, lateMs)),
            })
          })
          await store.requestLog.record(batch, [], randomUUID())
          const now = world.clock.now()
          // At once, so that they share what they read.
          await Promise.all([1, 2].map(() => check(usage, ids.accountId, Math.min(start, now), now)))
        }
        await world.stop()
        assert.deepEqual(world.errors, [])
      }),
      { numRuns: runs(10, 100) },
    )
    assert.deepEqual((await createStore(opened.db).audit.run()).problems, [])
  })

  test('requests at the start of a period read the rest of its first day once, then only the open block', async () => {
    const store = createStore(opened.db)
    const world = new StreamWorld(store)
    const { account, key } = await world.caller('professional', 100_000)
    const request = () => loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: world.clock.now() })
    const log = async (count: number) => {
      for (let done = 0; done < count; done += 50) {
        world.clock.advance(1)
        await store.requestLog.record(Array.from({ length: 50 }, request), [], randomUUID())
      }
    }
    await log(3_000)
    world.clock.advance(1)
    const start = world.clock.now()
    let rowsRead = 0
    const usage = new UsagePeriods(
      countingReads(opened.db.ledger, (rows) => {
        rowsRead += rows
      }),
    )
    const ask = async () => {
      rowsRead = 0
      assert.equal(await usage.creditsBefore(account, start, world.clock.now()), 3_000)
      return rowsRead
    }
    assert.equal(await ask(), 3_000)
    assert.ok((await ask()) <= 1_000)
    await log(1_500)
    assert.ok((await ask()) <= 1_000)
    assert.equal(await ask(), 0)
  })

  test('before an account was opened, no rows are read', async () => {
    const world = new StreamWorld(createStore(opened.db))
    const { account } = await world.caller('professional', 100)
    const usage = new UsagePeriods(countingReads(opened.db.ledger, () => assert.fail('rows were read')))
    assert.equal(await usage.creditsBefore(account, account.createdAt, world.clock.now()), 0)
  })

  test('a store from before them gets the minutes of its streams', async () => {
    const world = new StreamWorld(createStore(opened.db))
    const caller = await world.caller('professional', 100_000)
    const instance = await world.start()
    await instance.open(caller)
    await world.pass(3 * MINUTE)
    await instance.open(caller, 'GET /signals/ws')
    await world.pass(DAY, HOUR)
    await world.stop()
    const minutes = async () =>
      (await createStore(opened.db).usage.rows(caller.account.id, '2000-01-01')).map((row) => [
        row.day,
        row.endpoint,
        row.streamMinutes,
      ])
    const expected = await minutes()
    assert.ok(expected.some(([, endpoint]) => endpoint === ENDPOINT) && expected.length > 2)
    await opened.db.ledger.transaction(async (tx) => {
      await tx.query('alter table usage_daily drop column stream_minutes')
      await tx.query('alter table metered_charges rename to stream_charges')
      await tx.query("delete from migrations where name = '035-stream-minutes.sql'")
    })
    assert.deepEqual(await migrate(opened.db, world.clock.now()), ['035-stream-minutes.sql'])
    await opened.db.ledger.transaction((tx) => tx.query('alter table stream_charges rename to metered_charges'))
    assert.deepEqual(await minutes(), expected)
  })
})

/** Reports how many rows of the request log are in the time ranges that are read. */
function countingReads(db: Db, onRead: (rows: number) => void): Db {
  return {
    ...db,
    heavy: {
      async query(sql, params) {
        const [log] = await db.query<{ rows: number }>(
          'select count(*) as "rows" from request_log where account_id = $1 and created_at >= $2 and created_at < $3',
          params,
        )
        onRead(log?.rows ?? 0)
        return db.heavy.query(sql, params)
      },
    },
  }
}
