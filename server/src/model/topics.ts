import Type, { type Static } from 'typebox'
import { id, nullable, texts, time } from './schema.ts'

/** A subject of the topic tree. `slug` is unique. */
export const Topic = Type.Object({
  id: id(),
  slug: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  parentId: nullable(id()),
  parentSlug: nullable(Type.String()),
  path: texts('Slugs from the root down to the topic itself'),
  depth: Type.Integer({ minimum: 0, description: '0 at a root' }),
  isLeaf: Type.Boolean(),
  entryCount: Type.Integer({ description: 'Entries about the topic itself, those of its descendants not included' }),
  entryCount24h: Type.Integer({ description: 'Of these, published within the last 24 hours' }),
  createdAt: time(),
  updatedAt: time(),
})
export type Topic = Static<typeof Topic>

/** A topic as it is taken in. `parentId` is null at a root. */
export type NewTopic = Pick<Topic, 'id' | 'slug' | 'name' | 'description' | 'parentId'>

/** By what entries are found to be about a topic. */
export interface TopicWords extends Pick<Topic, 'slug' | 'name' | 'parentSlug'> {
  /** The operator's own terms, as JSON; null for the built-in ones. */
  terms: string | null
}

/** What is to be different about the topic with this slug; fields that are left out stay as they are. */
export const TopicChange = Type.Object({
  ...Type.Partial(Type.Pick(Topic, ['name', 'description', 'parentSlug'])).properties,
  slug: Topic.properties.slug,
  terms: Type.Optional(nullable(Type.String({ description: 'As in TopicWords' }))),
})
export type TopicChange = Static<typeof TopicChange>

export const TopicNode = Type.Cyclic(
  {
    TopicNode: Type.Object({
      id: id(),
      slug: Type.String(),
      name: Type.String(),
      depth: Type.Integer({ minimum: 0 }),
      entryCount: Type.Integer({
        description: 'Sum over the topic and its descendants: an entry about two of them counts for each',
      }),
      children: Type.Array(Type.Ref('TopicNode')),
    }),
  },
  'TopicNode',
)
export type TopicNode = Static<typeof TopicNode>
