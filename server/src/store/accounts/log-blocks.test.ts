import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { StreamWorld } from '../../../test/streams.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore } from '../store.ts'

const REQUESTS = 2_600
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
})
