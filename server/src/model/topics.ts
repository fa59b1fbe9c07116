import Type, { type Static } from 'typebox'
import { id, nullable, texts, time } from './schema.ts'

/** A node of the topic tree. `slug` is unique. */
export const Topic = Type.Object({
  id: id(),
  slug: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  parentId: nullable(id()),
  parentSlug: nullable(Type.String()),
  path: texts('Slugs from the root to the topic itself'),
  depth: Type.Integer({ minimum: 0, description: '0 at a root' }),
  isLeaf: Type.Boolean(),
  entryCount: Type.Integer({
    description: 'Entries about the topic or topics below it, as the filter topicSlug finds them',
  }),
  entryCount24h: Type.Integer({ description: 'Of these, entries published within the last 24 hours' }),
  createdAt: time(),
  updatedAt: time(),
})
export type Topic = Static<typeof Topic>

/** A topic to insert. `parentId` is null for a root. */
export type NewTopic = Pick<Topic, 'id' | 'slug' | 'name' | 'description' | 'parentId'>

/** A topic with the terms that identify it in texts. */
export interface TopicWords extends Pick<Topic, 'slug' | 'name' | 'parentSlug'> {
  /** The operator's terms as JSON; null for the built-in terms. */
  terms: string | null
}

/** A change to the topic with this slug; omitted fields keep their values. */
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
      entryCount: Type.Integer({ description: 'Entries about the topic or topics below it, each counted once' }),
      children: Type.Array(Type.Ref('TopicNode')),
    }),
  },
  'TopicNode',
)
export type TopicNode = Static<typeof TopicNode>
