import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { NewEntry } from '../../model/entries.ts'
import { DAY } from '../../model/time.ts'
import { sampleEntries } from '../../sample/world/entries.ts'
import { samplePublishers } from '../../sample/world/publishers.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore, type Store } from '../store.ts'
import { ENTRY_SORTS } from './entry-list.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const AUTHORS = ['Ann "A." O\'Hara', 'ann "a." o\'hara', '高橋 結衣 😀', null]

onEveryEngine('entries by author', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let store: Store
  const entries: NewEntry[] = [...sampleEntries({ count: 40, from: NOW - DAY, to: NOW, seed: 'authors' })].map(
    (entry, index) => ({ ...entry, author: AUTHORS[index % AUTHORS.length] ?? null }),
  )
  before(async () => {
    opened = await openTestDb(engine)
    store = createStore(opened.db)
    await store.publishers.insert(samplePublishers, NOW)
    await store.assets.insert(builtInAssets, NOW)
    await store.topics.insert(builtInTopics, NOW)
    await store.entries.insert(entries)
  })
  after(() => opened.close())

  async function check(by: Store): Promise<void> {
    const [first = '', second = '', third = ''] = AUTHORS.map(String)
    for (const author of [[first], [second], [third], [first, third], ['null'], [first.toUpperCase()]]) {
      const expected = entries.filter((entry) => author.includes(entry.author ?? ''))
      for (const sort of ENTRY_SORTS) {
        const page = await by.entries.page({ filters: { author }, sort, limit: 100, from: undefined })
        assert.deepEqual(idsOf(page.data.parse()), idsOf(expected))
        assert.equal(page.totalCount, expected.length)
      }
    }
  }

  test('authors are compared exactly', () => check(store))

  test('the migration fills the authors of entries that the store already has', async () => {
    await undoAuthors(opened.db)
    await migrate(opened.db, NOW)
    await check(createStore(opened.db))
  })
})

const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id).toSorted()

/** Takes the store back to before the migration. */
async function undoAuthors(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('drop index entries_by_author')
    await tx.query('drop index entries_by_author_published')
    await tx.query('alter table entries drop column author')
    await tx.query("delete from migrations where name = '017-entry-author.sql'")
  })
}
