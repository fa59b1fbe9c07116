import Type, { type Static } from 'typebox'
import { id, nullable, score, texts, time } from './schema.ts'

/** The thirteen fields of spec 2.1, in the order of responses. */
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
  createdAt: time('When this service added the entry'),
})
export type Entry = Static<typeof Entry>

/** An entry to insert; the store assigns its position in the feed. */
export interface NewEntry extends Omit<Entry, 'publishedAt' | 'createdAt'> {
  publisherId: string
  /** Full text; searchable, never part of a response. */
  content: string | null
  /** Epoch milliseconds. */
  publishedAt: number
  /** Epoch milliseconds; the store raises it if it is less than that of the previous entry. */
  createdAt: number
}

/** Fields derived from the text of an entry and stored with it. */
export type EntryFindings = Pick<Entry, 'language' | 'sentimentScore' | 'assetKeys' | 'topicSlugs'>

/** Changes of an existing entry; omitted fields stay as they are. */
export interface EntryEdit extends Partial<Omit<NewEntry, 'id' | 'createdAt'>> {
  id: string
  /** The id that the new `url` would have as that of a new entry, if it differs from `id`. */
  alias?: string
  /** The last change of the entry that the edit is based on; the edit is dropped if there is a later one. */
  basedOn?: number
}

/** A revision or removal of an entry. */
export interface EntryChange {
  /** Its position among the changes, in commit order. */
  seq: number
  /** The last entry that was inserted before the change. */
  afterSeq: number
  entrySeq: number
  entryId: string
  kind: 'revised' | 'removed'
  /** Epoch milliseconds; never decreases. */
  at: number
}
