import { Cluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import { HOUR, isoTime } from '../../model/time.ts'
import { inSchemaOrder } from '../lists/docs.ts'
import type { ScoreSums } from './cluster-counts.ts'

/** A cluster without new entries for this long is closed. */
export const ACTIVE_FOR = 72 * HOUR

/** An entry of a cluster. */
export interface Member {
  seq: number
  publisherRef: number
  entry: Entry
}

/** The fields of a cluster that do not follow from its entries. */
export type Told = Pick<Cluster, 'id' | 'title' | 'summary' | 'representativeEntryId' | 'createdAt'>

/** Figures of a cluster's entries. */
export interface Figures {
  entryCount: number
  publisherCount: number
  firstAt: number
  lastAt: number
  scores: ScoreSums
  assetKeys: string[]
  topicSlugs: string[]
  languages: string[]
}

/** The figures that the importance of a cluster follows from. */
export type Spread = Pick<Cluster, 'entryCount' | 'publisherCount' | 'velocity'>

export function buildCluster(
  { id, title, summary, representativeEntryId, createdAt }: Told,
  figures: Figures,
  importanceOf: (spread: Spread, id: string) => number,
  now: number,
): Cluster {
  const { entryCount, publisherCount, firstAt, lastAt, scores, assetKeys, topicSlugs, languages } = figures
  const mean = scores.count === 0 ? null : scores.sum / scores.count
  const variance = mean === null ? null : Math.max(0, scores.squares / scores.count - mean ** 2)
  // Over at least an hour: two entries in one minute are not 120 per hour.
  const velocity = rounded(entryCount / Math.max(1, (lastAt - firstAt) / HOUR))
  return inSchemaOrder(Cluster, {
    id,
    title,
    summary,
    entryCount,
    publisherCount,
    representativeEntryId,
    firstPublishedAt: isoTime(firstAt),
    lastPublishedAt: isoTime(lastAt),
    sentimentScore: mean === null ? null : rounded(mean),
    sentimentDispersion: variance === null ? null : rounded(Math.sqrt(variance)),
    assetKeys,
    topicSlugs,
    languages,
    velocity,
    importanceScore: importanceOf({ entryCount, publisherCount, velocity }, id),
    status: lastAt > now - ACTIVE_FOR ? 'active' : 'closed',
    createdAt,
    updatedAt: isoTime(now),
  })
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000 + 0
