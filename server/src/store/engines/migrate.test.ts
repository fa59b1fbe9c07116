import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { migrate } from './migrate.ts'

onEveryEngine('checksums of migrations', (engine) => {
  test('a migration that was edited after the store applied it is refused', async () => {
    const { db, close } = await openTestDb(engine)
    const [row] = await db.query<{ name: string }>('select name from migration_checksums order by name limit 1')
    await db.transaction((tx) =>
      tx.query('update migration_checksums set checksum = $1 where name = $2', ['other', row?.name ?? '']),
    )
    await assert.rejects(migrate(db, 0), /migrations were edited after this store applied them: \d+/)
    await close()
  })

  test('a store from before checksums gets them', async () => {
    const { db, close } = await openTestDb(engine)
    const count = () => db.query('select name from migration_checksums order by name')
    const before = await count()
    await db.transaction((tx) => tx.query('drop table migration_checksums'))
    assert.deepEqual(await migrate(db, 0), [])
    assert.deepEqual(await count(), before)
    await close()
  })
})
