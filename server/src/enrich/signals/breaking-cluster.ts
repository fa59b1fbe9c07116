import { HOUR } from '../../model/time.ts'
import { countOf, round, saturate, signed } from './figures.ts'
import { type Finding, leaningOf } from './finding.ts'
import type { EntryHappening, Story } from './happening.ts'
import { meanSentiment, type News, publishersOf } from './news.ts'
import type { Thresholds } from './thresholds.ts'

const MOST_ASSETS = 3

/** Many publishers tell a story within hours: one finding for each asset that it is mainly about. */
export function breakingCluster(
  news: News,
  { at, story }: EntryHappening,
  limits: Thresholds['breaking_cluster'],
  leaning: number,
  nameOf: (assetKey: string) => string,
): Finding[] {
  if (story === undefined || story.members.length < limits.leastPublishers) return []
  const members = story.members.filter(({ publishedAt }) => publishedAt > at - limits.windowHours * HOUR)
  const publishers = publishersOf(members)
  if (publishers < limits.leastPublishers) return []
  const first = members.reduce((earliest, { publishedAt }) => Math.min(earliest, publishedAt), at)
  const velocity = members.length / Math.max(1, (at - first) / HOUR)
  if (velocity < limits.leastVelocity) return []
  const sentiment = meanSentiment(members)
  return mainAssets(news, members, limits.leastMentions).map(([assetKey, entryIds]) => ({
    kind: 'breaking_cluster',
    direction: leaningOf(sentiment ?? 0, leaning),
    lean: sentiment ?? 0,
    assetKey,
    strength: saturate(publishers, limits.leastPublishers),
    confidence: saturate(members.length, limits.halfEntries),
    title: `Breaking: ${story.title}`,
    summary:
      `${publishers} publishers told this story about ${nameOf(assetKey)} in ${countOf(limits.windowHours, 'hour')}, ` +
      `${round(velocity, 1)} entries an hour` +
      `${sentiment === null ? '' : `, with a mean sentiment of ${signed(sentiment, 2)}`}.`,
    metrics: { value: round(velocity, 4), baseline: null, zScore: null, window: `${limits.windowHours}h` },
    entryIds,
    clusterId: story.id,
  }))
}

/** Those that most entries mention, each with the entries that do. */
function mainAssets(news: News, members: Story['members'], leastMentions: number): [string, string[]][] {
  const mentions = new Map<string, string[]>()
  for (const { id } of members) {
    for (const assetKey of news.find(id)?.assetKeys ?? []) {
      const ids = mentions.get(assetKey)
      if (ids === undefined) mentions.set(assetKey, [id])
      else ids.push(id)
    }
  }
  return [...mentions]
    .filter(([, ids]) => ids.length >= leastMentions * members.length)
    .sort(([a, idsOfA], [b, idsOfB]) => idsOfB.length - idsOfA.length || (a < b ? -1 : 1))
    .slice(0, MOST_ASSETS)
}
