import Type, { type Static } from 'typebox'
import { id, nullable, time } from './schema.ts'

export const PUBLISHER_TYPES = [
  'newswire',
  'newspaper',
  'magazine',
  'broadcaster',
  'blog',
  'press_release',
  'regulator',
  'aggregator',
] as const

/** A publisher of entries. `slug` is unique. */
export const Publisher = Type.Object({
  id: id(),
  slug: Type.String(),
  name: Type.String(),
  domain: Type.String(),
  homepageUrl: nullable(Type.String()),
  description: nullable(Type.String()),
  countryCode: nullable(Type.String()),
  language: nullable(Type.String()),
  type: Type.Enum(PUBLISHER_TYPES),
  isPaywalled: nullable(Type.Boolean()),
  entryCount: Type.Integer(),
  entryCount24h: Type.Integer({ description: 'Entries published within the last 24 hours' }),
  firstEntryAt: nullable(time('publishedAt of the earliest entry')),
  lastEntryAt: nullable(time('publishedAt of the latest entry')),
  isActive: Type.Boolean(),
  createdAt: time(),
  updatedAt: time(),
})
export type Publisher = Static<typeof Publisher>

/** A publisher to insert; the store adds figures from its entries. */
export const NewPublisher = Type.Omit(Publisher, [
  'entryCount',
  'entryCount24h',
  'firstEntryAt',
  'lastEntryAt',
  'createdAt',
  'updatedAt',
])
export type NewPublisher = Static<typeof NewPublisher>

/** A change to the publisher with this slug; omitted fields keep their values. */
export const PublisherChange = Type.Object({
  ...Type.Partial(Type.Omit(NewPublisher, ['id'])).properties,
  slug: Publisher.properties.slug,
})
export type PublisherChange = Static<typeof PublisherChange>
