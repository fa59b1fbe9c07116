import type { FeedList } from '../lists/feed-list.ts'
import { ENTRY_FILTERS } from './entry-filters.ts'
import { ENTRY_SPANS } from './entry-spans.ts'

export const ENTRY_SORTS = ['createdAt:desc', 'createdAt:asc', 'publishedAt:desc', 'publishedAt:asc'] as const
export type EntrySort = (typeof ENTRY_SORTS)[number]

/** `createdAt` never decreases along the feed, so that sort is the order of `seq`. */
export const ENTRY_LIST = {
  table: 'entries',
  docs: 'entries',
  filters: ENTRY_FILTERS,
  sorts: { createdAt: 'seq', publishedAt: 'published_at' },
  hasIntegerSorts: true,
  spans: ENTRY_SPANS,
} satisfies FeedList
