import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runs } from '../../../test/depth.ts'
import { differences, dumpTables } from '../../../test/dump.ts'
import { FakeClock } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { openAccount } from '../../admission/open-account.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { Db } from '../db.ts'
import { createStore } from '../store.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'
import { type Connection, connect } from './sqlite-connection.ts'
import { moveLedger } from './sqlite-ledger.ts'

const clock = new FakeClock()
const root = mkdtempSync(join(tmpdir(), 'mintick-ledger-'))
after(() => rmSync(root, { recursive: true }))

const old = join(root, 'old')
const filesOf = (folder: string) => ({ data: join(folder, 'mintick.sqlite'), ledger: join(folder, 'ledger.sqlite') })
const dump = (folder: string) => dumpTables({ env: { DATA_DIR: folder }, remove: async () => {} }, ['migrations'])
let expected: Awaited<ReturnType<typeof dump>>

before(async () => {
  const opened = openSqlite(old)
  // As in older versions: all tables in one file.
  const db: Db = {
    ...opened,
    get ledger() {
      return db
    },
  }
  await migrate(db, clock.now())
  const store = createStore(db)
  await store.topics.insert(builtInTopics, clock.now())
  const account = await openAccount(
    { email: 'one@test.example', name: null, planSlug: 'starter' },
    { store, clock, pepper: 'pepper' },
  )
  assert.ok(account !== undefined)
  const [key] = await store.keys.list(account.account.id)
  const requests = Array.from({ length: 300 }, () =>
    loggedRequest({ accountId: account.account.id, apiKeyId: key?.id ?? '', createdAt: clock.now() }),
  )
  await store.requestLog.record(requests, [], 'batch')
  await opened.close()
  expected = await dump(old)
  rmSync(filesOf(old).ledger)
})

async function assertWhole(folder: string): Promise<void> {
  const db = openSqlite(folder)
  assert.deepEqual(await migrate(db, clock.now()), [])
  const [log] = await db.ledger.query<{ count: number }>('select count(*) as count from request_log')
  assert.equal(log?.count, 300)
  assert.deepEqual((await createStore(db).audit.run()).problems, [])
  await assert.rejects(db.query('select * from accounts'), /no such table/)
  await assert.rejects(db.ledger.query('select * from topics'), /no such table/)
  await db.close()
  assert.deepEqual(differences(await dump(folder), expected), {})
}

test('opening a store of an older version moves accounts and their money into the file of the ledger', async () => {
  const folder = join(root, 'new')
  cpSync(old, folder, { recursive: true })
  await assertWhole(folder)
})

test('a crash at any statement of the move loses and repeats nothing', async () => {
  for (let at = 1, isOver = false; !isOver; at += runs(9, 1)) {
    const folder = join(root, `crash-${at}`)
    cpSync(old, folder, { recursive: true })
    const files = filesOf(folder)
    let statements = 0
    const crashing = (connection: Connection): Connection => ({
      ...connection,
      exec(sql) {
        statements += 1
        if (statements >= at) throw new Error('the process is gone')
        connection.exec(sql)
      },
    })
    const [data, ledger] = [connect(files.data, { cacheKiB: 100 }), connect(files.ledger, { cacheKiB: 100 })]
    try {
      moveLedger(crashing(data), crashing(ledger), files.data)
      isOver = true
    } catch (error) {
      assert.equal((error as Error).message, 'the process is gone')
    }
    data.close()
    ledger.close()
    await assertWhole(folder)
    rmSync(folder, { recursive: true })
  }
})
