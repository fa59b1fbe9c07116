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

export const COUNT_INTERVALS = ['1h', '1d'] as const

export const EntryCount = Type.Object({
  at: time('Start of the interval, in UTC'),
  count: Type.Integer({ minimum: 1, description: 'Number of entries published in the interval' }),
  sentimentScore: nullable(score('Mean sentiment score of these entries. Null if none has a score')),
})

export const EntryCountMeta = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Number of intervals in this response' }),
  interval: Type.Enum(COUNT_INTERVALS, { description: 'Applied interval' }),
  publishedAfter: time('Start of the counted range'),
  publishedBefore: time('End of the counted range'),
  hasMore: Type.Boolean({ description: 'Whether the requested range goes on after the counted one' }),
  nextPublishedAfter: nullable(
    time('publishedAfter of the request for the rest of the range. Null if hasMore is false'),
  ),
})

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
