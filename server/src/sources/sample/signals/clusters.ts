import type { NewCluster } from '../../../model/clusters.ts'
import type { NewEntry } from '../../../model/entries.ts'
import { HOUR } from '../../../model/time.ts'
import {
  clampShare,
  directionOf,
  type Finding,
  latestOf,
  meanSentiment,
  nameOf,
  type SignalContext,
  saturate,
  signed,
} from './signal.ts'

const MOST_BREAKING = 110
const LEAST_ENTRIES = 4

/** The most important stories that have an asset. */
export function breakingClusters({ reports, clusters }: SignalContext): Finding[] {
  const entries = new Map(reports.map(({ entry }) => [entry.id, entry]))
  return clusters
    .filter(({ entryIds }) => entryIds.length >= LEAST_ENTRIES)
    .map((cluster) => ({ cluster, told: cluster.entryIds.flatMap((id) => entries.get(id) ?? []) }))
    .filter(({ told }) => (told[0]?.assetKeys.length ?? 0) > 0)
    .sort((a, b) => b.cluster.importanceScore - a.cluster.importanceScore)
    .slice(0, MOST_BREAKING)
    .flatMap(({ cluster, told }) => describe(cluster, told))
}

function describe(cluster: NewCluster, told: readonly NewEntry[]): Finding[] {
  const assetKey = told[0]?.assetKeys[0]
  if (assetKey === undefined) return []
  const sentiment = meanSentiment(told)
  const hours = Math.max(1, Math.ceil(((told.at(-1)?.publishedAt ?? 0) - (told[0]?.publishedAt ?? 0)) / HOUR))
  return [
    {
      kind: 'breaking_cluster',
      direction: directionOf(sentiment),
      strength: clampShare(cluster.importanceScore),
      confidence: saturate(told.length, 4),
      horizon: cluster.importanceScore > 0.7 ? '1d' : 'intraday',
      assetKey,
      title: `Breaking: ${cluster.title}`,
      summary:
        `${told.length} publishers told this story about ${nameOf(assetKey)} within ${hours} ${hours === 1 ? 'hour' : 'hours'}` +
        `${sentiment === null ? '' : `, with a mean sentiment of ${signed(sentiment, 2)}`}.`,
      metrics: { value: told.length, baseline: null, zScore: null, window: `${hours}h` },
      knownAt: latestOf(told),
      entries: told,
      clusterId: cluster.id,
    },
  ]
}
