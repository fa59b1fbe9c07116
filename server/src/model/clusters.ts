import Type, { type Static } from 'typebox'
import { Entry } from './entries.ts'
import { addedAt, count, id, integer, nullable, score, share, text, texts, time } from './schema.ts'

export const CLUSTER_STATUSES = ['active', 'closed'] as const

export const Cluster = Type.Object(
  {
    id: id('Stays the same while entries join; a cluster that is merged into another is found by its id there'),
    title: text('Title of the representative entry'),
    summary: nullable(text('Excerpt of the representative entry or one like it; null if there is none')),
    entryCount: integer('Number of its entries'),
    publisherCount: integer('Number of publishers of its entries'),
    representativeEntryId: id('Id of the entry whose headline tells the event best; may change as entries join'),
    firstPublishedAt: time('publishedAt of its earliest entry'),
    lastPublishedAt: time('publishedAt of its latest entry'),
    sentimentScore: nullable(score('Mean over its entries that have a score; null if none has')),
    sentimentDispersion: nullable(
      Type.Number({ minimum: 0, description: 'Standard deviation of these scores: 0 if they all agree' }),
    ),
    assetKeys: texts('Keys of the assets that its entries mention, most common first; at most 50'),
    topicSlugs: texts('Slugs of the topics of its entries, most common first; at most 50'),
    languages: texts('Codes of the languages of its entries, most common first'),
    velocity: Type.Number({
      minimum: 0,
      description: 'Entries per hour from the first to the last one, over at least an hour',
    }),
    importanceScore: share('Grows with publishers (half of it), velocity (a quarter) and entries'),
    status: Type.Enum(CLUSTER_STATUSES, { description: 'closed 72 hours after its last entry was published' }),
    createdAt: addedAt(),
    updatedAt: time('When its entries last changed'),
  },
  { description: 'Entries of several publishers about the same event' },
)
export type Cluster = Static<typeof Cluster>

export const ClusterDetail = Type.Object(
  {
    ...Cluster.properties,
    entries: Type.Array(Entry, { description: 'The newest 100 entries' }),
    timeline: Type.Array(
      Type.Object({ at: time('Start of the hour or day, in UTC'), count: count('Entries published within it') }),
      {
        description:
          'Entries per hour, or per day if the cluster spans more than four days; hours and days without entries are left out',
      },
    ),
  },
  { description: 'A cluster with its entries' },
)
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

/** Entries that join a cluster, which is created if the store does not have it. They leave the clusters they were in. */
export interface ClusterGrowth extends Omit<NewCluster, 'importanceScore'> {
  /** The entries that join. */
  entryIds: string[]
}
