/** A feed of any format. Fields that it does not have are null. */
export interface Feed {
  format: 'rss' | 'rdf' | 'atom' | 'cdf' | 'json'
  title: string | null
  description: string | null
  /** The page that the feed belongs to. */
  siteUrl: string | null
  language: string | null
  /** How often the publisher says to fetch the feed. */
  updateMinutes: number | null
  /** In the order of the document. */
  items: FeedItem[]
}

/** An item with the fields of `mintick import entries`, not yet checked. Fields that it does not have are null. */
export interface FeedItem {
  guid: string | null
  title: string | null
  /** Absolute, unless neither the document nor its address says what it is relative to. */
  url: string | null
  /** Safe HTML: the full text, or else the summary. */
  content: string | null
  /** Safe HTML: the summary of an item that also has a full text. */
  excerpt: string | null
  author: string | null
  /** The publisher of an item that the feed took from elsewhere. */
  publisher: string | null
  publishedAt: number | null
  language: string | null
  imageUrl: string | null
}

/** The reason why a document cannot be read as a feed. */
export class FeedError extends Error {}
