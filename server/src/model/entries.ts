import Type, { type Static } from 'typebox'
import { id, nullable, score, text, texts, time } from './schema.ts'

/** The thirteen fields of spec 2.1, in the order of responses. */
export const Entry = Type.Object(
  {
    id: id('Stays the same if the publisher corrects the item'),
    title: text('Headline'),
    excerpt: nullable(text('Summary by the publisher, or the beginning of the text; null if only the title is known')),
    url: text('Address of the article at its publisher'),
    urlDomain: text('Domain of url, without www'),
    author: nullable(text('Byline; null if unknown')),
    imageUrl: nullable(text('Image of the article at its publisher; null if there is none')),
    language: nullable(text('Code of the detected language, such as en; null if it was not recognised')),
    sentimentScore: nullable(
      score(
        'How good the news is for holders of the assets it is about: -1 bad, 0 neutral, 1 good; null if it was not scored: Mintick itself scores texts in English, German, French, Spanish, Italian, Portuguese, Japanese and Chinese, sources may score others',
      ),
    ),
    assetKeys: texts('Keys of the mentioned assets, most relevant first; empty if there are none'),
    topicSlugs: texts('Slugs of its topics, without the topics above them'),
    publishedAt: time('Time stated by the publisher, or the time of arrival if it stated none'),
    createdAt: time('When this service added the entry; the default order of lists'),
  },
  { description: 'A news item' },
)
export type Entry = Static<typeof Entry>

export const COUNT_INTERVALS = ['1h', '1d'] as const

export const EntryCount = Type.Object(
  {
    at: time('Start of the interval, in UTC'),
    count: Type.Integer({ minimum: 1, description: 'Number of entries published in the interval' }),
    sentimentScore: nullable(score('Mean sentiment score of these entries; null if none has a score')),
  },
  { description: 'The entries of one interval' },
)

export const EntryCountMeta = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'Number of intervals in this response' }),
    interval: Type.Enum(COUNT_INTERVALS, { description: 'Applied interval' }),
    publishedAfter: time('Start of the counted range'),
    publishedBefore: time('End of the counted range'),
    hasMore: Type.Boolean({ description: 'Whether the requested range goes on after the counted one' }),
    nextPublishedAfter: nullable(
      time('publishedAfter of the request for the rest of the range; null if hasMore is false'),
    ),
  },
  { description: 'The counted range and where to go on' },
)

/** An entry to insert; the store assigns its position in the feed. */
export interface NewEntry extends Omit<Entry, 'publishedAt' | 'createdAt'> {
  publisherId: string
  /** Full text; searchable, never part of a response. */
  content: string | null
  /** The score of each of `assetKeys`; null or omitted if the entry's score is that of all. */
  assetScores?: readonly (number | null)[] | null
  /** Epoch milliseconds. */
  publishedAt: number
  /** Epoch milliseconds; the store raises it if it is less than that of the previous entry. */
  createdAt: number
}

/** Fields derived from the text of an entry and stored with it. */
export type EntryFindings = Pick<Entry, 'language' | 'sentimentScore' | 'assetKeys' | 'topicSlugs'> &
  Required<Pick<NewEntry, 'assetScores'>>

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
  /** Its position in the log of all changes. */
  position: number
  entrySeq: number
  action: 'revision' | 'removal'
}
