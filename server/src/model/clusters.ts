import Type, { type Static } from 'typebox'
import { id, nullable, score, share, texts, time } from './schema.ts'

export const CLUSTER_STATUSES = ['active', 'closed'] as const

/** One story told by several publishers. */
export const Cluster = Type.Object({
  id: id(),
  title: Type.String(),
  summary: nullable(Type.String()),
  entryCount: Type.Integer(),
  publisherCount: Type.Integer(),
  representativeEntryId: id(),
  firstPublishedAt: time(),
  lastPublishedAt: time(),
  sentimentScore: nullable(score('Mean of its entries')),
  sentimentDispersion: nullable(Type.Number({ minimum: 0, description: 'Standard deviation of its entries' })),
  assetKeys: texts(),
  topicSlugs: texts(),
  languages: texts(),
  velocity: Type.Number({ minimum: 0, description: 'Entries per hour' }),
  importanceScore: share(),
  status: Type.Enum(CLUSTER_STATUSES, { description: 'Closed when nothing was added for 72 hours' }),
  createdAt: time(),
  updatedAt: time(),
})
export type Cluster = Static<typeof Cluster>

/** A cluster as it is taken in: what its entries do not say. The store derives the rest from them. */
export interface NewCluster {
  id: string
  title: string
  summary: string | null
  importanceScore: number
  representativeEntryId: string
  /** All of them; entries that the store does not have are an error. */
  entryIds: string[]
}
