import type { Entry } from '../../model/entries.ts'
import type { Value } from '../db.ts'

/** The fields that an entry has both when it is taken in and in its document. */
type Described = Omit<Entry, 'publishedAt' | 'createdAt'>

/**
 * The columns of `entries` that follow from the entry itself, each with its value. Inserts, batches and revisions are
 * derived from these; `entry-writes.ts` adds the columns that only the store can fill.
 */
export const ENTRY_COLUMNS = {
  id: ({ id }) => id,
  language: ({ language }) => language,
  has_assets: ({ assetKeys }) => Number(assetKeys.length > 0),
  sentiment_score: ({ sentimentScore }) => sentimentScore,
} satisfies Record<string, (entry: Described) => Value>

export type EntryColumn = keyof typeof ENTRY_COLUMNS

export const ENTRY_COLUMN_NAMES = Object.keys(ENTRY_COLUMNS) as EntryColumn[]
