import type { Db } from '../db.ts'
import {
  anyNumber,
  anyRef,
  anySymbol,
  anyText,
  type FilterMap,
  type FilterValues,
  flagFilter,
  fullText,
  indexed,
  inSideTable,
  type ListFilter,
  least,
  mostOfKnown,
  testedIn,
} from '../lists/filters.ts'
import type { AsOf } from '../lists/past-query.ts'
import { branchSql, inBranch } from '../topic-branches.ts'

const PUBLISHED = 'published_at'

/** The filters of entries, the most selective first. Indexed ones have an index for each of the two sorts. */
export const ENTRY_FILTERS = {
  search: fullText(),
  inTopic: inSideTable('entry_topics', inTopic()),
  assetKey: inSideTable('entry_assets', anyRef('asset_ref', 'assets', 'key', PUBLISHED)),
  ticker: inSideTable('entry_assets', anySymbol('asset_ref', PUBLISHED)),
  symbol: inSideTable('entry_assets', anySymbol('asset_ref', PUBLISHED)),
  assetId: inSideTable('entry_assets', anyRef('asset_ref', 'assets', 'id', PUBLISHED)),
  topicSlug: inSideTable('entry_topics', inBranch('topic_ref', 'slug', PUBLISHED)),
  topicId: inSideTable('entry_topics', inBranch('topic_ref', 'id', PUBLISHED)),
  author: testedIn('entries_by_author', indexed(anyText('author'), PUBLISHED)),
  publisherSlug: testedIn('entries_by_publisher', anyRef('publisher_ref', 'publishers', 'slug', PUBLISHED)),
  publisherId: testedIn('entries_by_publisher', anyRef('publisher_ref', 'publishers', 'id', PUBLISHED)),
  countryCode: testedIn('entries_by_country', indexed(anyText('country_code'), PUBLISHED)),
  language: testedIn('entries_by_language', indexed(anyText('language'), PUBLISHED)),
  hasAssets: testedIn('entries_by_has_assets', indexed(flagFilter('has_assets'), PUBLISHED)),
  sentimentScoreMin: least('sentiment_score'),
  sentimentScoreMax: mostOfKnown('sentiment_score'),
  publishedAfter: least(PUBLISHED),
  publishedBefore: mostOfKnown(PUBLISHED),
} satisfies FilterMap

export type EntryFilters = FilterValues<typeof ENTRY_FILTERS>

/** The filters that are query parameters. `inTopic` comes from the path. */
export type EntryParams = Omit<EntryFilters, 'inTopic'> & AsOf

/** Entries about a topic, optionally with the topics below it. */
function inTopic(): ListFilter<{ id: string; withDescendants: boolean }> {
  return {
    ...indexed(anyNumber('topic_ref'), PUBLISHED),
    async resolve({ id, withDescendants }, db: Db) {
      const rows = await db.query<{ ref: number }>(
        withDescendants ? branchSql('id = $1') : 'select ref from topics where id = $1',
        [id],
      )
      return rows.map(({ ref }) => ref).sort((a, b) => a - b)
    },
  }
}
