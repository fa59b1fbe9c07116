import Type, { type Static } from 'typebox'
import { Entry } from './entries.ts'
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
  status: Type.Enum(CLUSTER_STATUSES, { description: 'Closed when its last entry was published 72 hours ago' }),
  createdAt: time(),
  updatedAt: time(),
})
export type Cluster = Static<typeof Cluster>

/** What is answered by id. */
export const ClusterDetail = Type.Object({
  ...Cluster.properties,
  entries: Type.Array(Entry, { description: 'Its newest 100' }),
  timeline: Type.Array(Type.Object({ at: time(), count: Type.Integer() }), {
    description: 'Entries per hour, or per day when the story goes on for more than four days',
  }),
})

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
