import { Cluster, type NewCluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import { HOUR, isoTime } from '../../model/time.ts'
import { inSchemaOrder } from '../lists/docs.ts'

/** A cluster without new entries for this long is closed. */
export const ACTIVE_FOR = 72 * HOUR

/** An entry of a cluster. */
export interface Member {
  seq: number
  publisherRef: number
  entry: Entry
}

/** Builds a cluster's document from its entries. */
export function buildCluster(given: NewCluster, members: readonly Member[], createdAt: string, now: number): Cluster {
  const times = members.map(({ entry }) => Date.parse(entry.publishedAt)).sort((a, b) => a - b)
  const [first = now] = times
  const last = times.at(-1) ?? now
  const scores = members.flatMap(({ entry }) => entry.sentimentScore ?? [])
  const mean = scores.length === 0 ? null : sum(scores) / scores.length
  const variance = mean === null ? null : sum(scores.map((score) => (score - mean) ** 2)) / scores.length
  return inSchemaOrder(Cluster, {
    id: given.id,
    title: given.title,
    summary: given.summary,
    entryCount: members.length,
    publisherCount: new Set(members.map(({ publisherRef }) => publisherRef)).size,
    representativeEntryId: given.representativeEntryId,
    firstPublishedAt: isoTime(first),
    lastPublishedAt: isoTime(last),
    sentimentScore: mean === null ? null : rounded(mean),
    sentimentDispersion: variance === null ? null : rounded(Math.sqrt(variance)),
    assetKeys: mostCommon(members.flatMap(({ entry }) => entry.assetKeys)),
    topicSlugs: mostCommon(members.flatMap(({ entry }) => entry.topicSlugs)),
    languages: mostCommon(members.flatMap(({ entry }) => entry.language ?? [])),
    // Over at least an hour: two entries in one minute are not 120 per hour.
    velocity: rounded(members.length / Math.max(1, (last - first) / HOUR)),
    importanceScore: given.importanceScore,
    status: last > now - ACTIVE_FOR ? 'active' : 'closed',
    createdAt,
    updatedAt: isoTime(now),
  })
}

/** Returns distinct values, the most common first. */
function mostCommon(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const rounded = (value: number) => Math.round(value * 10_000) / 10_000 + 0
