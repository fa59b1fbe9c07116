/** The thirteen fields of spec 2.1, in the order in which they are answered. */
export interface Entry {
  id: string
  title: string
  excerpt: string | null
  url: string
  urlDomain: string
  author: string | null
  imageUrl: string | null
  language: string | null
  sentimentScore: number | null
  assetKeys: string[]
  topicSlugs: string[]
  publishedAt: string
  createdAt: string
}

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
