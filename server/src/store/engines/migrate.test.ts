import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { listMigrations, migrate } from './migrate.ts'

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

/** Those from before instances of two versions ran side by side. */
const isFree = (name: string) => name < '062' || /^06[789]-/.test(name)

/** Files that may seem to take something away, and why the previous version does not miss it. */
const CHECKED_BY_HAND: Record<string, string> = {
  '070-log-parts.ts': 'the table is back under its name, with the same columns',
  '071-candle-parts.ts': 'the table is back under its name, with the same columns and key',
}

const TAKES_AWAY = [
  /\bdrop (table|column|view|sequence|type)\b/i,
  /\brename\b/i,
  /\balter (column )?\w+ (type|set data type|set not null)\b/i,
  /\badd column\b(?![^;]*\bdefault\b)[^;]*\bnot null\b/i,
  /\btruncate\b/i,
]

describe('migrations', () => {
  test('only add, so that the previous version runs beside the new one', () => {
    for (const { name, text } of listMigrations()) {
      if (isFree(name)) continue
      const found = TAKES_AWAY.filter((pattern) => pattern.test(text))
      const isExpected = name in CHECKED_BY_HAND
      assert.equal(
        found.length > 0,
        isExpected,
        `${name}: ${found}; what it removes goes in the release after the next`,
      )
    }
  })
})
