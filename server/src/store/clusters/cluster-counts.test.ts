import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { differences, dumpTables } from '../../../test/dump.ts'
import { createPlace, onEveryEngine, openPlace, type Place } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import { HOUR } from '../../model/time.ts'
import { sampleEntries } from '../../sample/world/entries.ts'
import { samplePublishers } from '../../sample/world/publishers.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore } from '../store.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('counts of clusters', (engine) => {
  let place: Place
  let db: Db
  before(async () => {
    place = await createPlace(engine)
    db = await openPlace(place)
  })
  after(async () => {
    await db.close()
    await place.remove()
  })

  test('the migration counts the clusters that the store already has', async () => {
    const store = createStore(db)
    const entries = [...sampleEntries({ count: 30, from: NOW - HOUR, to: NOW, seed: 'counts' })]
    await store.publishers.insert(samplePublishers, NOW)
    await store.assets.insert(builtInAssets, NOW)
    await store.topics.insert(builtInTopics, NOW)
    await store.entries.insert(entries)
    const clusters = [entries.slice(0, 20), entries.slice(20)].map(([first, ...others]) => ({
      id: randomUUID(),
      title: 'Counted',
      summary: null,
      representativeEntryId: first?.id ?? '',
      entryIds: [first, ...others].flatMap((entry) => entry?.id ?? []),
      importanceScore: 0.5,
    }))
    await store.clusters.upsert(clusters, NOW)
    const counted = await dumpTables(place, ['migrations'])
    await db.transaction(async (tx) => {
      await tx.query('delete from cluster_counts')
      await tx.query('update clusters set scored_count = 0, score_sum = 0, score_squares = 0')
      await tx.query("delete from migrations where name = '067-cluster-counts.ts'")
    })
    assert.notDeepEqual(differences(counted, await dumpTables(place, ['migrations'])), {})
    await migrate(db, NOW)
    assert.deepEqual(differences(counted, await dumpTables(place, ['migrations'])), {})
  })
})
