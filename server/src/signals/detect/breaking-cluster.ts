import { HOUR } from '../../model/time.ts'
import type { Finding } from './finding.ts'
import { type News, publishersOf } from './news.ts'
import { countOf, round, saturate } from './numbers.ts'
import type { EntryObservation, ObservedCluster } from './observation.ts'
import type { Thresholds } from './thresholds.ts'
import { toneOf, toneText } from './tone.ts'

const MAX_ASSETS = 3

/** Detects clusters that many publishers report within hours; returns a finding for each main asset of the cluster. */
export function breakingCluster(
  news: News,
  { at, cluster }: EntryObservation,
  limits: Thresholds['breaking_cluster'],
  everyKind: Thresholds['every_kind'],
  nameOf: (assetKey: string) => string,
): Finding[] {
  if (cluster === undefined || cluster.members.length < limits.leastPublishers) return []
  const members = cluster.members.filter(({ publishedAt }) => publishedAt > at - limits.windowHours * HOUR)
  if (publishersOf(members) < limits.leastPublishers) return []
  const isNamed = (assetKey: string) => cluster.title.toLowerCase().includes(nameOf(assetKey).toLowerCase())
  return mainAssets(news, members, limits.leastMentions, isNamed).flatMap((assetKey) => {
    const about = members.filter(({ id }) => news.find(id)?.assetKeys.includes(assetKey))
    const publishers = publishersOf(about)
    const velocity = velocityOf(about, at)
    if (publishers < limits.leastPublishers || velocity < limits.leastVelocity) return []
    const tone = toneOf(about, everyKind)
    return {
      kind: 'breaking_cluster',
      direction: tone.direction,
      lean: tone.mean,
      assetKey,
      strength: saturate(publishers, limits.leastPublishers),
      confidence: saturate(about.length, limits.halfEntries),
      title: `Breaking: ${cluster.title}`,
      summary:
        `${publishers} publishers told this story about ${nameOf(assetKey)} in ${countOf(limits.windowHours, 'hour')}, ` +
        `${round(velocity, 1)} entries an hour${toneText(tone)}.`,
      metrics: { value: round(velocity, 4), baseline: null, zScore: null, window: `${limits.windowHours}h` },
      entryIds: about.map(({ id }) => id),
      clusterId: cluster.id,
    }
  })
}

/** Returns the entries per hour since the first one. */
function velocityOf(members: ObservedCluster['members'], at: number): number {
  const first = members.reduce((earliest, { publishedAt }) => Math.min(earliest, publishedAt), at)
  return members.length / Math.max(1, (at - first) / HOUR)
}

/**
 * Returns the assets that most entries are mainly about. The assets of an entry are sorted by relevance: the first one counts,
 * and the second one if the title of the cluster names it, as with both sides of a takeover. An analyst's bank, which is second
 * in many entries, does not count.
 */
function mainAssets(
  news: News,
  members: ObservedCluster['members'],
  leastMentions: number,
  isNamed: (assetKey: string) => boolean,
): string[] {
  const counts = new Map<string, number>()
  for (const { id } of members) {
    const [first, second] = news.find(id)?.assetKeys ?? []
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
    if (second !== undefined && isNamed(second)) counts.set(second, (counts.get(second) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count >= leastMentions * members.length)
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .slice(0, MAX_ASSETS)
    .map(([assetKey]) => assetKey)
}
