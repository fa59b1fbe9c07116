/** Totals of several filters: exact, and on SQLite counted in indexes alone, since the rows of entries are long. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { NewEntry } from '../../model/entries.ts'
import { DAY } from '../../model/time.ts'
import { sampleEntries } from '../../sample/world/entries.ts'
import { samplePublishers } from '../../sample/world/publishers.ts'
import type { Db } from '../db.ts'
import { createStore } from '../store.ts'
import type { EntryFilters } from './entry-filters.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('totals of several filters', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  const entries: NewEntry[] = [...sampleEntries({ count: 400, from: NOW - 30 * DAY, to: NOW, seed: 'totals' })]
  before(async () => {
    opened = await openTestDb(engine)
    const store = createStore(opened.db)
    await store.publishers.insert(samplePublishers, NOW)
    await store.assets.insert(builtInAssets, NOW)
    await store.topics.insert(builtInTopics, NOW)
    await store.entries.insert(entries)
  })
  after(() => opened.close())

  const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 })
  const filters: fc.Arbitrary<EntryFilters> = fc.record(
    {
      assetKey: some([...new Set(entries.flatMap(({ assetKeys }) => assetKeys))]),
      author: some([...new Set(entries.flatMap(({ author }) => author ?? []))]),
      publisherSlug: some(samplePublishers.map(({ slug }) => slug)),
      publisherId: some(samplePublishers.map(({ id }) => id)),
      countryCode: some(['US', 'GB', 'DE', 'JP']),
      language: some(['en', 'de', 'fr', 'ja']),
      hasAssets: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  function matches(entry: NewEntry, given: EntryFilters) {
    const { assetKey, author, publisherSlug, publisherId, countryCode, language, hasAssets } = given
    const publisher = samplePublishers.find(({ id }) => id === entry.publisherId)
    return (
      (assetKey?.some((key) => entry.assetKeys.includes(key)) ?? true) &&
      (author?.includes(entry.author ?? '') ?? true) &&
      (publisherSlug?.includes(publisher?.slug ?? '') ?? true) &&
      (publisherId?.includes(entry.publisherId) ?? true) &&
      (countryCode?.includes(publisher?.countryCode ?? '') ?? true) &&
      (language?.includes(entry.language ?? '') ?? true) &&
      (hasAssets === undefined || hasAssets === entry.assetKeys.length > 0)
    )
  }

  /** Returns the total, and the statements that counted. */
  async function totalOf(given: EntryFilters) {
    const counts: { sql: string; params: readonly unknown[] }[] = []
    const { query } = opened.db
    const watched: Db = {
      ...opened.db,
      async query(sql, params = []) {
        if (/^select count/.test(sql)) counts.push({ sql, params })
        return query(sql, params)
      },
    }
    const request = { filters: given, sort: 'createdAt:desc', limit: 1, from: undefined } as const
    const { totalCount } = await createStore(watched).entries.page(request)
    return { totalCount, counts }
  }

  test('are those of a filter over all entries', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (given) => {
        const expected = entries.filter((entry) => matches(entry, given)).length
        assert.equal((await totalOf(given)).totalCount, expected)
      }),
      { numRuns: runs(60, 1_000) },
    )
  })

  test('read no rows of entries', { skip: engine === 'postgres' && 'its planner decides' }, async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (given) => {
        const { counts } = await totalOf(given)
        assert.ok(counts.length > 0 || Object.keys(given).length === 0)
        for (const { sql, params } of counts) {
          // Only a transaction accepts statements other than select.
          const steps = await opened.db.transaction((tx) =>
            tx.query<{ detail: string }>(`explain query plan ${sql}`, params as never[]),
          )
          for (const { detail } of steps) assert.doesNotMatch(detail, /^(SCAN|SEARCH) [tx]\b(?!.*COVERING INDEX)/, sql)
        }
      }),
      { numRuns: runs(60, 1_000) },
    )
  })
})
