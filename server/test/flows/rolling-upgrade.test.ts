/** Migrations while instances of an older version use the store. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { builtInAssets } from '../../src/catalogue/built-in/assets.ts'
import { MINUTE } from '../../src/model/time.ts'
import type { Db, Transaction, Value } from '../../src/store/db.ts'
import { migrate } from '../../src/store/engines/migrate.ts'
import { createStore } from '../../src/store/store.ts'
import { onPostgres, openTestDb } from '../harness.ts'
import { loggedRequest } from '../logged-request.ts'
import { insertMarket, risingCandles } from '../markets.ts'
import { StreamWorld } from '../streams.ts'
import { PART_MIGRATIONS, undoParts } from '../undo-parts.ts'

/** Shorter than usual, so that the test is. */
const LOCKS = { waitMs: 300, pauseMs: 100, attempts: 60 }
/** How long a statement may take besides its wait for a lock, on a busy machine. */
const SLACK_MS = 1_200

onPostgres('an upgrade while an older version runs', () => {
  let db: Db
  let close: () => Promise<void>
  before(async () => {
    ;({ db, close } = await openTestDb('postgres'))
    await undoParts(db)
  })
  after(() => close())

  test('its statements go on and wait briefly, even while a long transaction is in the way', async () => {
    const store = createStore(db)
    const world = new StreamWorld(store)
    const { account, key } = await world.caller('starter', 5_000)
    await store.assets.insert(builtInAssets, 0)
    const { id } = await insertMarket(store)
    await store.candles.insert(id, '1m', risingCandles(0, MINUTE, 300), 0)
    const request = () =>
      loggedRequest({ accountId: account.id, apiKeyId: key.id, createdAt: world.clock.now(), credits: 0 })
    await store.requestLog.record(Array.from({ length: 700 }, request), [], randomUUID())

    let isDone = false
    let longestMs = 0
    let added = 0
    const repeat = async (work: () => Promise<unknown>) => {
      while (!isDone) {
        const startedAt = performance.now()
        await work()
        longestMs = Math.max(longestMs, performance.now() - startedAt)
      }
    }
    const load = [
      repeat(async () => {
        await db.transaction((tx) => logAsBefore(tx, [randomUUID(), account.id, key.id, world.clock.now()]))
        added += 1
      }),
      repeat(() => readLogAsBefore(db, account.id)),
      repeat(() => db.transaction((tx) => tx.query(REWRITE_BLOCK))),
    ]
    // Keeps the migration from its locks for longer than it waits for them.
    const blocker = db.transaction(async (tx) => {
      await tx.query('select 1 from request_log limit 1')
      await delay(LOCKS.waitMs + 2 * SLACK_MS)
    })
    await delay(50)
    const applied = await migrate(db, world.clock.now(), LOCKS)
    await Promise.all([blocker, delay(100)])
    isDone = true
    await Promise.all(load)

    assert.deepEqual(applied, PART_MIGRATIONS)
    assert.ok(longestMs < LOCKS.waitMs + SLACK_MS, `a statement took ${longestMs} ms`)
    assert.ok(added > 0)
    const [log] = await db.query<{ rows: number; different: number }>(
      'select count(*) as "rows", count(distinct seq) as different from request_log',
    )
    assert.deepEqual(log, { rows: 700 + added, different: 700 + added })
  })

  test('a migration that never gets its locks says why, and the next start applies it', async () => {
    await undoParts(db)
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const blocker = db.transaction(
      async (tx) => {
        await tx.query('select 1 from request_log limit 1')
        await promise
      },
      undefined,
      true,
    )
    await delay(50)
    const attempt = migrate(db, 0, { waitMs: 50, pauseMs: 10, attempts: 3 })
    await assert.rejects(attempt, /long transactions on the database kept a migration from its locks/)
    release()
    await blocker
    assert.deepEqual(await migrate(db, 0, LOCKS), PART_MIGRATIONS)
  })
})

/** The insert of version 069, which leaves the number of the row to the table. */
const logAsBefore = (tx: Transaction, values: readonly Value[]) =>
  tx.query(
    `insert into request_log (id, account_id, api_key_id, endpoint, method, path, query, status_code, error_code, credits,
       transfer_id, duration_ms, response_bytes, created_at)
     values ($1, $2, $3, 'GET /entries', 'GET', '/api/v1/entries', null, 200, null, 0, null, 1, 1, $4)`,
    values,
  )

/** A page of version 069: finds rows by their numbers alone. */
async function readLogAsBefore(db: Db, accountId: string): Promise<void> {
  const rows = await db.query<{ seq: number }>(
    `select l.seq from request_log l where l.account_id = $1 and l.created_at >= $2 and l.created_at < $3
     order by l.created_at desc, l.seq desc limit $4 offset $5`,
    [accountId, 0, Number.MAX_SAFE_INTEGER, 4, 0],
  )
  const found = await db.query(
    'select l.seq, l.id, l.path from request_log l where l.seq in ($1, $2, $3, $4)',
    rows.map(({ seq }) => seq),
  )
  assert.equal(found.length, 4)
}

/** The upsert of a block of candles of version 069. */
const REWRITE_BLOCK = `insert into candle_blocks (market_ref, level, starts_at, candles)
  select market_ref, level, starts_at, candles from (select * from candle_blocks order by 1, 2, 3 limit 1) b
  on conflict (market_ref, level, starts_at) do update set candles = excluded.candles`
