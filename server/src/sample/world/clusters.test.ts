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

test('ids do not depend on the clock', () => {
  const later = sampleClusters(sampleContext(NOW + 7 * 86_400_000).reports)
  assert.deepEqual(
    later.map(({ id }) => id),
    clusters.map(({ id }) => id),
  )
})

test('a cluster has all entries about one occurrence, from two publishers or more, ordered by publication', () => {
  const byOccurrence = Map.groupBy(reports, ({ occurrence }) => occurrence.number)
  const clustered = new Set<number>()
  for (const cluster of clusters) {
    const reported = cluster.entryIds.map((id) => byId.get(id))
    const number = reported[0]?.occurrence.number ?? -1
    assert.ok(!clustered.has(number))
    clustered.add(number)
    assert.equal(reported.length, byOccurrence.get(number)?.length)
    assert.ok(reported.every((report) => report?.occurrence.number === number))
    assert.ok(new Set(reported.map((report) => report?.entry.publisherId)).size >= 2)
    const times = reported.map((report) => report?.entry.publishedAt ?? 0)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
  }
  const shared = [...byOccurrence.values()].filter((group) => new Set(group.map((r) => r.entry.publisherId)).size >= 2)
  assert.equal(clusters.length, shared.length)
})

test('the title is that of the representative, which is English if any entry is', () => {
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

test('importance is between 0 and 1 and grows with the number of publishers', () => {
  for (const { importanceScore } of clusters) assert.ok(importanceScore > 0 && importanceScore <= 1)
  const meanOf = (size: (count: number) => boolean) => {
    const scores = clusters.filter(({ entryIds }) => size(entryIds.length)).map((cluster) => cluster.importanceScore)
    return scores.reduce((sum, score) => sum + score, 0) / scores.length
  }
  assert.ok(meanOf((count) => count >= 5) > meanOf((count) => count === 2) + 0.15)
})

test('occurrences of two generator runs with the same numbers stay separate', () => {
  const other = sampleReports({ count: 300, from: NOW, to: NOW + 86_400_000, seed: 'another day' })
  const both = [...reports, ...other]
  const occurrenceOf = new Map(both.map(({ entry, occurrence }) => [entry.id, occurrence]))
  for (const { entryIds } of sampleClusters(both))
    assert.equal(new Set(entryIds.map((id) => occurrenceOf.get(id))).size, 1)
})
