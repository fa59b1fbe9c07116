import type { Entry } from '../../model/entries.ts'
import type { Value } from '../db.ts'

/** The fields that a new entry and its document have in common. */
type Described = Omit<Entry, 'publishedAt' | 'createdAt'>

/**
 * The columns of `entries` that depend on the entry alone, each with its value. Batches, inserts and updates of entries
 * take their columns from this table. `entry-writes.ts` declares the columns that depend on the store.
 */
export const ENTRY_COLUMNS = {
  id: ({ id }) => id,
  author: ({ author }) => author,
  language: ({ language }) => language,
  has_assets: ({ assetKeys }) => Number(assetKeys.length > 0),
  sentiment_score: ({ sentimentScore }) => sentimentScore,
} satisfies Record<string, (entry: Described) => Value>

export type EntryColumn = keyof typeof ENTRY_COLUMNS

export const ENTRY_COLUMN_NAMES = Object.keys(ENTRY_COLUMNS) as EntryColumn[]
