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

/** Who published an entry. `slug` is unique. */
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

/** A publisher as it is taken in; the store adds what its entries say. */
export type NewPublisher = Omit<
  Publisher,
  'entryCount' | 'entryCount24h' | 'firstEntryAt' | 'lastEntryAt' | 'createdAt' | 'updatedAt'
>
