import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../test/harness.ts'
import { DAY } from '../model/time.ts'
import { listMigrations } from './engines/migrate.ts'
import { type Probe, probeStore } from './probe.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('probe of the store', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let probe: Probe
  before(async () => {
    opened = await openTestDb(engine)
    probe = probeStore(opened.db)
  })
  after(() => opened.close())

  const rows = () => opened.db.ledger.query(`select name from store_facts where name like 'write-probe%'`)

  test('reads and searches an empty store', async () => {
    await probe.read()
    await probe.search()
    await probe.migrations()
  })

  test('writes leave one row per instance, and those of ended instances go after a day', async () => {
    const other = probeStore(opened.db)
    for (const at of [NOW, NOW + 1, NOW + 2]) {
      await probe.write(at)
      await other.write(at)
    }
    assert.equal((await rows()).length, opened.db.exclusive ? 1 : 2)
    await probe.write(NOW + 2 * DAY)
    assert.equal((await rows()).length, 1)
  })

  test('a missing migration is named', async () => {
    const last = listMigrations().at(-1)?.name ?? ''
    for (const db of [opened.db, opened.db.ledger]) {
      await db.transaction((tx) => tx.query('delete from migrations where name = $1', [last]))
    }
    await assert.rejects(probe.migrations(), { message: `the store lacks ${last}` })
  })
})
