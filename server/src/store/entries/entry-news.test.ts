import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { builtInTopics } from '../../catalogue/built-in/topics.ts'
import type { NewEntry } from '../../model/entries.ts'
import { DAY, HOUR } from '../../model/time.ts'
import { sampleEntries } from '../../sample/world/entries.ts'
import { samplePublishers } from '../../sample/world/publishers.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')

onEveryEngine('entries by the hour', (engine) => {
  const store = storeForSuite(engine)
  const entries: NewEntry[] = [...sampleEntries({ count: 300, from: NOW - 3 * DAY, to: NOW, seed: 'hours' })]
  // One claims to be from the future: it counts when it came.
  const [first] = entries
  if (first !== undefined) first.publishedAt = NOW + DAY
  before(async () => {
    await store().publishers.insert(samplePublishers, NOW)
    await store().assets.insert(builtInAssets, NOW)
    await store().topics.insert(builtInTopics, NOW)
    await store().entries.insert(entries)
    await store().entries.remove(
      entries.filter((_, index) => index % 7 === 3).map(({ id }) => id),
      NOW,
    )
  })
  const kept = entries.map((entry, index) => ({ ...entry, seq: index + 1 })).filter((_, index) => index % 7 !== 3)

  test('the last entry at a time is found among those that are left', async () => {
    for (const time of [NOW - 4 * DAY, ...entries.flatMap(({ createdAt }) => [createdAt - 1, createdAt]), NOW]) {
      const expected = kept.findLast(({ createdAt }) => createdAt <= time)?.seq ?? 0
      assert.equal(await store().entries.findSeqAt(time, entries.length), expected)
    }
    assert.equal(await store().entries.findSeqAt(NOW, 100), kept.findLast(({ seq }) => seq <= 100)?.seq)
  })

  test('sums are those of the entries of each hour', async () => {
    const since = NOW - 2 * DAY
    const expected = new Map<string, { entries: number; scored: number; millionths: number }>()
    for (const { seq, publishedAt, createdAt, assetKeys, sentimentScore } of kept) {
      if (seq <= 50 || seq > 250 || publishedAt <= since) continue
      const at = Math.min(publishedAt, createdAt)
      for (const assetKey of assetKeys) {
        const key = `${at - (at % HOUR)} ${assetKey}`
        const sums = expected.get(key) ?? { entries: 0, scored: 0, millionths: 0 }
        sums.entries += 1
        if (sentimentScore !== null) sums.scored += 1
        sums.millionths += Math.round((sentimentScore ?? 0) * 1e6)
        expected.set(key, sums)
      }
    }
    const found = await store().entries.sumHours(50, 250, since)
    assert.ok(found.length > 50)
    assert.deepEqual(
      new Map(
        found.map(({ assetKey, hour, entries: count, scored, sentimentSum }) => [
          `${hour} ${assetKey}`,
          { entries: count, scored, millionths: Math.round(sentimentSum * 1e6) },
        ]),
      ),
      expected,
    )
  })

  test('entries come with their publisher; a story with those of its entries that had come', async () => {
    const published = await store().entries.listPublished(10, 40, 5)
    const expected = kept.filter(({ seq }) => seq > 10).slice(0, 5)
    assert.deepEqual(
      published.map(({ seq, publisherId, entry }) => [seq, publisherId, entry.id]),
      expected.map(({ seq, publisherId, id }) => [seq, publisherId, id]),
    )
    const told = kept.filter(({ seq }) => seq % 10 === 0).slice(0, 6)
    const [one, , third] = told
    assert.ok(one && third)
    const cluster = { id: one.id, title: 'Told', summary: null, importanceScore: 0.5, representativeEntryId: one.id }
    await store().clusters.upsert([{ ...cluster, entryIds: told.map(({ id }) => id) }], NOW)
    const stories = await store().clusters.listAtEntries([third.seq, one.seq, one.seq + 1])
    assert.deepEqual([...stories.keys()].sort(), [one.seq, third.seq].sort())
    const story = stories.get(third.seq)
    assert.equal(story?.title, 'Told')
    assert.deepEqual(
      story?.members.map((member) => ({ ...member })),
      told.slice(0, 3).map(({ seq, id, publisherId, publishedAt, sentimentScore }) => ({
        seq,
        id,
        publisherId,
        publishedAt,
        sentimentScore,
      })),
    )
  })
})
