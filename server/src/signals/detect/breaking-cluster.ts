import { HOUR } from '../../model/time.ts'
import { countOf, round, saturate } from './figures.ts'
import type { Finding } from './finding.ts'
import type { EntryHappening, HappeningCluster } from './happening.ts'
import { type News, publishersOf } from './news.ts'
import type { Thresholds } from './thresholds.ts'
import { toneOf, toneText } from './tone.ts'

const MOST_ASSETS = 3

/** Many publishers tell a story about an asset within hours: one finding for each asset that the story is mainly about. */
export function breakingCluster(
  news: News,
  { at, story }: EntryHappening,
  limits: Thresholds['breaking_cluster'],
  everyKind: Thresholds['every_kind'],
  nameOf: (assetKey: string) => string,
): Finding[] {
  if (story === undefined || story.members.length < limits.leastPublishers) return []
  const members = story.members.filter(({ publishedAt }) => publishedAt > at - limits.windowHours * HOUR)
  if (publishersOf(members) < limits.leastPublishers) return []
  const isNamed = (assetKey: string) => story.title.toLowerCase().includes(nameOf(assetKey).toLowerCase())
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
      title: `Breaking: ${story.title}`,
      summary:
        `${publishers} publishers told this story about ${nameOf(assetKey)} in ${countOf(limits.windowHours, 'hour')}, ` +
        `${round(velocity, 1)} entries an hour${toneText(tone)}.`,
      metrics: { value: round(velocity, 4), baseline: null, zScore: null, window: `${limits.windowHours}h` },
      entryIds: about.map(({ id }) => id),
      clusterId: story.id,
    }
  })
}

/** Entries per hour since the first. */
function velocityOf(members: HappeningCluster['members'], at: number): number {
  const first = members.reduce((earliest, { publishedAt }) => Math.min(earliest, publishedAt), at)
  return members.length / Math.max(1, (at - first) / HOUR)
}

/**
 * Those that most entries are mainly about. The assets of an entry are in the order of their relevance: the first is a main
 * one, and the second where the title of the story names it, as it does with both sides of a takeover. An analyst's bank,
 * which comes second in many entries, is none.
 */
function mainAssets(
  news: News,
  members: HappeningCluster['members'],
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
    .slice(0, MOST_ASSETS)
    .map(([assetKey]) => assetKey)
}
