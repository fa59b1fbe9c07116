import Type, { type Static } from 'typebox'
import { catalogueTimes, flag, id, integer, nullable, text, texts } from './schema.ts'

const topicId = () => id('Never changes')
const slug = () => text('Unique name in lower case, by which other records refer to it')
const name = () => text('Name for people, such as Interest rates')

export const Topic = Type.Object(
  {
    id: topicId(),
    slug: slug(),
    name: name(),
    description: nullable(text('What it covers')),
    parentId: nullable(id('Id of the topic above; null at a root')),
    parentSlug: nullable(text('Slug of the topic above; null at a root')),
    path: texts('Slugs from the root to the topic itself'),
    depth: Type.Integer({ minimum: 0, description: '0 at a root' }),
    isLeaf: flag('Whether there are no topics below it'),
    entryCount: integer('Entries about the topic or topics below it, as the filter topicSlug finds them'),
    entryCount24h: integer('Of these, entries published within the last 24 hours'),
    ...catalogueTimes,
  },
  { description: 'A subject of entries, with its place in the topic tree' },
)
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
  terms: Type.Optional(nullable(text('As in TopicWords'))),
})
export type TopicChange = Static<typeof TopicChange>

export const TopicNode = Type.Cyclic(
  {
    TopicNode: Type.Object(
      {
        id: topicId(),
        slug: slug(),
        name: name(),
        depth: Type.Integer({
          minimum: 0,
          description: '0 at a root of the whole tree, also if only a branch is requested',
        }),
        entryCount: integer('Entries about the topic or topics below it, each counted once'),
        children: Type.Array(Type.Ref('TopicNode'), {
          description: 'Topics directly below, by name; empty at a leaf and below maxDepth',
        }),
      },
      { description: 'A topic with the topics below it' },
    ),
  },
  'TopicNode',
)
export type TopicNode = Static<typeof TopicNode>
