import Type, { type Static } from 'typebox'
import { catalogueTimes, countryCode, flag, id, integer, nullable, text, time } from './schema.ts'

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

export const Publisher = Type.Object(
  {
    id: id('Never changes'),
    slug: text('Unique name in lower case, by which filters refer to it'),
    name: text('Name for people, such as News Desk'),
    domain: text('Domain of its website, without www'),
    homepageUrl: nullable(text('Address of its website')),
    description: nullable(text('A sentence about it')),
    countryCode: nullable(countryCode('its country')),
    language: nullable(text('Code of its main language, such as en; its entries may have others')),
    type: Type.Enum(PUBLISHER_TYPES, { description: 'newspaper if nothing else is known' }),
    isPaywalled: nullable(flag('Whether its articles need a subscription; null if unknown')),
    entryCount: integer('All its entries in this service'),
    entryCount24h: integer('Of these, entries published within the last 24 hours'),
    firstEntryAt: nullable(time('publishedAt of the earliest entry; null if it has none')),
    lastEntryAt: nullable(time('publishedAt of the latest entry; null if it has none')),
    isActive: flag('true unless the operator has marked it as inactive'),
    ...catalogueTimes,
  },
  { description: 'A publisher of entries' },
)
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
