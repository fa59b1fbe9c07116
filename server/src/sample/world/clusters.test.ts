import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleContext } from '../../../test/sample-context.ts'
import { sampleClusters } from './clusters.ts'
import { sampleReports } from './entries.ts'

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26)
const { reports } = sampleContext(NOW)
const clusters = sampleClusters(reports)
const byId = new Map(reports.map((report) => [report.entry.id, report]))

test('at least 300 clusters, the same on every run, with ids of their own', () => {
  assert.ok(clusters.length >= 300)
  assert.deepEqual(sampleClusters(reports), clusters)
  assert.equal(new Set(clusters.map(({ id }) => id)).size, clusters.length)
})

test('ids do not move with the clock', () => {
  const later = sampleClusters(sampleContext(NOW + 7 * 86_400_000).reports)
  assert.deepEqual(
    later.map(({ id }) => id),
    clusters.map(({ id }) => id),
  )
})

test('a cluster has all entries of one story, of two publishers or more, in the order of publication', () => {
  const byStory = Map.groupBy(reports, ({ story }) => story.number)
  const clustered = new Set<number>()
  for (const cluster of clusters) {
    const told = cluster.entryIds.map((id) => byId.get(id))
    const number = told[0]?.story.number ?? -1
    assert.ok(!clustered.has(number))
    clustered.add(number)
    assert.equal(told.length, byStory.get(number)?.length)
    assert.ok(told.every((report) => report?.story.number === number))
    assert.ok(new Set(told.map((report) => report?.entry.publisherId)).size >= 2)
    const times = told.map((report) => report?.entry.publishedAt ?? 0)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
  }
  const retold = [...byStory.values()].filter((group) => new Set(group.map((r) => r.entry.publisherId)).size >= 2)
  assert.equal(clusters.length, retold.length)
})

test('the title is that of the representative, which is English where one of the entries is', () => {
  for (const cluster of clusters) {
    const representative = byId.get(cluster.representativeEntryId)?.entry
    assert.ok(cluster.entryIds.includes(cluster.representativeEntryId))
    assert.equal(cluster.title, representative?.title)
    const languages = cluster.entryIds.map((id) => byId.get(id)?.entry.language)
    if (languages.includes('en')) assert.equal(representative?.language, 'en')
    const excerpts = cluster.entryIds.map((id) => byId.get(id)?.entry.excerpt)
    assert.ok(excerpts.includes(cluster.summary))
  }
})

test('importance lies between 0 and 1 and grows with the number of publishers', () => {
  for (const { importanceScore } of clusters) assert.ok(importanceScore > 0 && importanceScore <= 1)
  const meanOf = (size: (count: number) => boolean) => {
    const scores = clusters.filter(({ entryIds }) => size(entryIds.length)).map((cluster) => cluster.importanceScore)
    return scores.reduce((sum, score) => sum + score, 0) / scores.length
  }
  assert.ok(meanOf((count) => count >= 5) > meanOf((count) => count === 2) + 0.15)
})

test('stories that were numbered apart from each other stay apart', () => {
  const other = sampleReports({ count: 300, from: NOW, to: NOW + 86_400_000, seed: 'another day' })
  const both = [...reports, ...other]
  const storyOf = new Map(both.map(({ entry, story }) => [entry.id, story]))
  for (const { entryIds } of sampleClusters(both)) assert.equal(new Set(entryIds.map((id) => storyOf.get(id))).size, 1)
})
