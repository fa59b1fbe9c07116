import Type, { type Static } from 'typebox'
import { id, nullable, score, texts, time } from './schema.ts'

/** The thirteen fields of spec 2.1, in the order in which they are answered. */
export const Entry = Type.Object({
  id: id(),
  title: Type.String(),
  excerpt: nullable(Type.String()),
  url: Type.String(),
  urlDomain: Type.String(),
  author: nullable(Type.String()),
  imageUrl: nullable(Type.String()),
  language: nullable(Type.String({ description: 'Detected language code' })),
  sentimentScore: nullable(score()),
  assetKeys: texts('Keys of assets mentioned'),
  topicSlugs: texts(),
  publishedAt: time(),
  createdAt: time('When this service took the entry in'),
})
export type Entry = Static<typeof Entry>

/** An entry as it is taken in; the store adds its place in the feed and writes the answer callers see. */
export interface NewEntry extends Omit<Entry, 'publishedAt' | 'createdAt'> {
  publisherId: string
  /** Full text, searched but never served. */
  content: string | null
  /** Epoch milliseconds. */
  publishedAt: number
  /** Epoch milliseconds; the store never lets it run backwards from one entry to the next. */
  createdAt: number
}

/** What is derived from the text of an entry and kept with it. */
export type EntryFindings = Pick<Entry, 'language' | 'sentimentScore' | 'assetKeys' | 'topicSlugs'>
