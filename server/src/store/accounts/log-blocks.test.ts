import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { FakeClock, onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { StreamWorld } from '../../../test/streams.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore } from '../store.ts'
import { CACHED_COUNTS } from './log-walk.ts'

const REQUESTS = 2_600
const FILTER_LENGTH = 8_000
/** Those that create the tables of the blocks and extend them. */
const MIGRATIONS = ['021-log-blocks.sql', '048-log-retention.sql']

onEveryEngine('blocks of the request log', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  before(async () => {
    opened = await openTestDb(engine)
  })
  after(() => opened.close())

  test('a store from before them gets the blocks and daily sums of its log', async () => {
    const world = new StreamWorld(createStore(opened.db))
    const { account, key } = await world.caller('starter', 5_000)
    const requests = Array.from({ length: REQUESTS }, (_, index) =>
      loggedRequest({
        accountId: account.id,
        apiKeyId: key.id,
        statusCode: index % 7 === 0 ? 404 : 200,
        credits: index % 7 === 0 ? 0 : 1,
        // Many requests of the same time, across the bounds of blocks.
        createdAt: world.clock.now() + Math.floor(index / 300),
      }),
    )
    await createStore(opened.db).requestLog.record(requests, [], randomUUID())
    await opened.db.ledger.transaction(async (tx) => {
      for (const table of ['request_log_blocks', 'request_log_heads', 'usage_days'])
        await tx.query(`drop table ${table}`)
      await tx.query('alter table transfers drop column removed_credits')
      for (const name of MIGRATIONS) await tx.query('delete from migrations where name = $1', [name])
    })
    assert.deepEqual(await migrate(opened.db, world.clock.now()), MIGRATIONS)

    const store = createStore(opened.db)
    assert.deepEqual((await store.audit.run()).problems, [])
    for (const offset of [0, 700, 1_500, REQUESTS - 1]) {
      const { data, totalCount } = await store.requestLog.page(account.id, {}, 1, offset)
      assert.deepEqual([totalCount, data[0]?.id], [REQUESTS, requests[REQUESTS - 1 - offset]?.id])
    }
  })

  // The cache is the same on both engines.
  if (engine === 'sqlite')
    test('counts are dropped once the texts of their filters fill the cache', async ({ mock }) => {
      const store = createStore(opened.db)
      const { account, key } = await new StreamWorld(store).caller('starter', 0)
      const { id: accountId } = account
      const start = new FakeClock().now()
      const requests = Array.from({ length: REQUESTS }, (_, place) =>
        loggedRequest({ accountId, apiKeyId: key.id, credits: 0, createdAt: start + place }),
      )
      await store.requestLog.record(requests, [], randomUUID())
      const list = (place: number) => store.requestLog.page(accountId, { path: `${place}`.padEnd(FILTER_LENGTH) }, 1, 0)
      const { mock: read } = mock.method(opened.db.ledger.heavy, 'query')
      const counts = () => read.calls.filter(({ arguments: [sql] }) => sql.includes('request_log_blocks b')).length
      await list(0)
      assert.equal(counts(), 1)
      for (let place = 1; place <= (8 * CACHED_COUNTS) / FILTER_LENGTH; place += 1) await list(place)
      read.resetCalls()
      await list(0)
      assert.equal(counts(), 1)
    })
})
