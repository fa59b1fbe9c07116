import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createPlace, onPostgres, openTestDb } from '../../test/harness.ts'
import { loggedRequest } from '../../test/logged-request.ts'
import { insertMarket, risingCandles } from '../../test/markets.ts'
import { StreamWorld } from '../../test/streams.ts'
import { PART_MIGRATIONS, undoParts } from '../../test/undo-parts.ts'
import { builtInAssets } from '../catalogue/built-in/assets.ts'
import { DAY, MINUTE } from '../model/time.ts'
import { LogRetention } from '../retention.ts'
import type { Db } from './db.ts'
import { migrate } from './engines/migrate.ts'
import { openPostgres } from './engines/postgres.ts'
import { createStore, type Store } from './store.ts'

const at = (time: string) => Date.parse(`${time}Z`)

/** Creates a store in March 2026: its first parts end with that month and that year. */
async function openStoreOfMarch() {
  const place = await createPlace('postgres')
  const db = await openPostgres(place.env.DATABASE_URL ?? '')
  await migrate(db, at('2026-03-02T10:20'))
  const close = async () => {
    await db.close()
    await place.remove()
  }
  return { db, close }
}

onPostgres('parts of tables by time', () => {
  let db: Db
  let store: Store
  let close: () => Promise<void>
  let world: StreamWorld
  let caller: Awaited<ReturnType<StreamWorld['caller']>>
  before(async () => {
    ;({ db, close } = await openStoreOfMarch())
    store = createStore(db)
    world = new StreamWorld(store)
    caller = await world.caller('starter', 5_000)
    await store.assets.insert(builtInAssets, 0)
  })
  after(() => close())

  const record = async (...times: string[]) => {
    const { account, key } = caller
    const requests = times.map((time) =>
      loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: at(time), path: time }),
    )
    await store.requestLog.record(requests, [], randomUUID())
  }
  const partsOf = async () => {
    const rows = await db.query<{ part: string; path: string }>(
      'select tableoid::regclass as part, path from request_log order by created_at, seq',
    )
    return rows.map(({ part, path }) => [path, part.replace('request_log_', '')])
  }
  const namesOf = async (table: string) => {
    const rows = await db.query<{ name: string }>(
      'select inhrelid::regclass as name from pg_inherits where inhparent = to_regclass($1) order by 1',
      [table],
    )
    return rows.map(({ name }) => name.replace(`${table}_`, '')).sort()
  }
  const assertWhole = async (count: number) => {
    const { data, totalCount } = await createStore(db).requestLog.page(caller.account.id, {}, 100, 0)
    assert.equal(totalCount, count)
    const times = data.map(({ createdAt }) => createdAt)
    assert.deepEqual([times.length, times], [count, times.toSorted((one, other) => other - one)])
    assert.deepEqual((await store.audit.run()).problems, [])
  }

  test('a row belongs to the part of its month, to the millisecond, and to the default part without one', async () => {
    await store.partitions.prepare(at('2026-03-15T00:00'))
    assert.deepEqual(await namesOf('request_log'), ['2026_04', '2026_05', 'default', 'first'])
    assert.deepEqual(await namesOf('candle_blocks'), ['default', 'first'])
    await record('1970-01-01T00:00', '2026-03-31T23:59:59.999', '2026-04-01T00:00', '2026-04-30T23:59:59.999')
    await record('2026-05-01T00:00', '2026-05-31T23:59:59.999', '2026-06-01T00:00', '2027-12-31T23:59:59.999')
    assert.deepEqual(await partsOf(), [
      ['1970-01-01T00:00', 'first'],
      ['2026-03-31T23:59:59.999', 'first'],
      ['2026-04-01T00:00', '2026_04'],
      ['2026-04-30T23:59:59.999', '2026_04'],
      ['2026-05-01T00:00', '2026_05'],
      ['2026-05-31T23:59:59.999', '2026_05'],
      ['2026-06-01T00:00', 'default'],
      ['2027-12-31T23:59:59.999', 'default'],
    ])
    await assertWhole(8)
  })

  test('rows move from the default part into the part of their month, once it exists', async () => {
    // Two instances at once.
    const other = createStore(db)
    await Promise.all([store, other].map((each) => each.partitions.prepare(at('2026-06-30T23:59:59.999'))))
    assert.deepEqual((await partsOf()).slice(-2), [
      ['2026-06-01T00:00', '2026_06'],
      ['2027-12-31T23:59:59.999', 'default'],
    ])
    assert.deepEqual(await namesOf('request_log'), [
      ...['2026_04', '2026_05', '2026_06', '2026_07', '2026_08'],
      'default',
      'first',
    ])
    await assertWhole(8)
  })

  test('the months of a long pause have no parts of their own', async () => {
    await store.partitions.prepare(at('2028-11-02T00:00'))
    const names = await namesOf('request_log')
    assert.deepEqual(names.slice(5), ['2028_11', '2028_12', '2029_01', 'default', 'first'])
    assert.deepEqual(await namesOf('candle_blocks'), ['2028', '2029', 'default', 'first'])
    await record('2027-03-01T00:00')
    assert.deepEqual((await partsOf()).at(-2), ['2027-03-01T00:00', 'default'])
    await assertWhole(9)
  })

  test('retention drops the parts that it has emptied, and rows that arrive later are still logged', async () => {
    const now = () => at('2026-08-10T12:00')
    const clock = { now, elapsed: () => 0 }
    const onError = (error: unknown) => assert.fail(String(error))
    const retention = new LogRetention({ store, clock, days: 90, onError })
    await retention.run()
    // The part of May has rows of its last days.
    const kept = [...['2026_05', '2026_06', '2026_07', '2026_08', '2028_11', '2028_12', '2029_01'], 'default']
    assert.deepEqual(await namesOf('request_log'), kept)
    await assertWhole(4)
    await record('2026-01-05T00:00', '2026-04-10T00:00')
    assert.deepEqual((await partsOf()).slice(0, 2), [
      ['2026-01-05T00:00', 'default'],
      ['2026-04-10T00:00', 'default'],
    ])
    await assertWhole(6)
    await retention.run()
    await assertWhole(4)
  })

  test('requests are logged while parts are created and dropped', async () => {
    let isDone = false
    let recorded = 0
    const load = async () => {
      for (; !isDone; recorded += 1) await record('2030-02-28T23:59:59.999')
    }
    const change = async () => {
      for (const month of ['2029-12', '2030-01', '2030-02', '2030-03']) {
        await store.partitions.prepare(at(`${month}-01T00:00`))
        await store.partitions.dropBefore('request_log', at(`${month}-01T00:00`))
      }
      isDone = true
    }
    await Promise.all([load(), change()])
    assert.ok(recorded > 0)
    const { totalCount } = await store.requestLog.page(caller.account.id, {}, 1, 0)
    assert.equal(totalCount, 4 + recorded)
    assert.equal((await partsOf()).filter(([, part]) => part === '2030_02').length, recorded)
    assert.deepEqual((await store.audit.run()).problems, [])
  })

  test('late candles of an old year replace those of their time, whichever part they are in', async () => {
    const { id } = await insertMarket(store)
    const border = at('2028-12-31T23:30')
    for (const year of ['2025-12-31T23:30', '2028-12-31T23:30', '2040-12-31T23:30']) {
      await store.candles.insert(id, '1m', risingCandles(at(year), MINUTE, 60), 0)
    }
    const blocks = await db.query<{ part: string }>(
      'select distinct tableoid::regclass as part from candle_blocks order by 1',
    )
    assert.deepEqual(blocks.map(({ part }) => part.replace('candle_blocks_', '')).sort(), [
      ...['2028', '2029', 'default'],
      'first',
    ])
    const series = async () => {
      const found = await store.markets.findSeries(id)
      assert.ok(found)
      return found
    }
    const late = risingCandles(border, MINUTE, 60).map((candle) => ({ ...candle, close: candle.high }))
    await store.candles.insert(id, '1m', late, 0)
    const range = { interval: '1m', sort: 'openedAt:asc', maxPoints: 500 } as const
    const listed = await store.candles.list(await series(), { ...range, openedAfter: 0 }, 0)
    assert.equal(listed.length, 180)
    assert.deepEqual(
      listed.slice(60, 120).map(({ openedAt, close }) => [Date.parse(openedAt), close]),
      late.map(({ openedAt, close }) => [openedAt, close]),
    )
    // The years before the first part and after the last one.
    await store.partitions.prepare(at('2040-12-31T00:00'))
    assert.equal((await store.candles.list(await series(), range, 0)).length, 180)
  })
})

onPostgres('a store from before the parts', () => {
  let db: Db
  let close: () => Promise<void>
  before(async () => {
    ;({ db, close } = await openTestDb('postgres'))
  })
  after(() => close())

  test('keeps its rows as the first part and goes on', async () => {
    const store = createStore(db)
    const world = new StreamWorld(store)
    const { account, key } = await world.caller('starter', 5_000)
    await store.assets.insert(builtInAssets, 0)
    const { id } = await insertMarket(store)
    const record = async (from: number, count: number) => {
      const requests = Array.from({ length: count }, (_, index) =>
        loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: from + index * MINUTE }),
      )
      await store.requestLog.record(requests, [], randomUUID())
    }
    const answers = async () => {
      const fresh = createStore(db)
      const series = await fresh.markets.findSeries(id)
      assert.ok(series)
      return {
        log: await fresh.requestLog.page(account.id, {}, 1_000, 700),
        candles: await fresh.candles.list(series, { interval: '1m', sort: 'openedAt:asc', maxPoints: 5_000 }, 0),
      }
    }
    const newest = at('2026-09-20T00:00')
    await record(newest - 30 * DAY, 1_500)
    await record(newest, 1)
    await store.candles.insert(id, '1m', risingCandles(newest, MINUTE, 300), 0)
    await undoParts(db)
    const expected = await answers()

    assert.deepEqual(await migrate(db, at('2026-04-01T00:00')), PART_MIGRATIONS)
    assert.deepEqual(await answers(), expected)
    const [first] = await db.query<{ bounds: string }>(
      "select pg_get_expr(relpartbound, oid) as bounds from pg_class where relname = 'request_log_first'",
    )
    assert.match(first?.bounds ?? '', new RegExp(`TO \\('${at('2026-10-01T00:00')}'\\)`))
    await record(at('2026-10-31T23:50'), 20)
    await store.partitions.prepare(at('2026-10-31T23:50'))
    const { totalCount } = await createStore(db).requestLog.page(account.id, {}, 1, 0)
    assert.equal(totalCount, 1_521)
    const [seqs] = await db.query<{ rows: number; different: number }>(
      'select count(*) as "rows", count(distinct seq) as different from request_log',
    )
    assert.deepEqual(seqs, { rows: 1_521, different: 1_521 })
    assert.deepEqual((await store.audit.run()).problems, [])
  })
})
