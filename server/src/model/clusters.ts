import Type, { type Static } from 'typebox'
import { Entry } from './entries.ts'
import { id, nullable, score, share, texts, time } from './schema.ts'

export const CLUSTER_STATUSES = ['active', 'closed'] as const

/** Entries of several publishers about the same event. */
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
  status: Type.Enum(CLUSTER_STATUSES, { description: 'closed 72 hours after its last entry was published' }),
  createdAt: time(),
  updatedAt: time(),
})
export type Cluster = Static<typeof Cluster>

/** A cluster requested by id. */
export const ClusterDetail = Type.Object({
  ...Cluster.properties,
  entries: Type.Array(Entry, { description: 'The newest 100 entries' }),
  timeline: Type.Array(Type.Object({ at: time(), count: Type.Integer() }), {
    description: 'Entries per hour, or per day if the cluster spans more than four days',
  }),
})
export type ClusterDetail = Static<typeof ClusterDetail>

/** A cluster to insert; the store derives all other fields from its entries. */
export interface NewCluster {
  id: string
  title: string
  summary: string | null
  importanceScore: number
  representativeEntryId: string
  /** All entries of the cluster; each must be in the store. */
  entryIds: string[]
}
