import Type, { type Static } from 'typebox'
import * as param from '../../http/params.ts'
import { Cluster } from '../../model/clusters.ts'
import { Entity } from '../../model/entities.ts'
import { COUNT_INTERVALS, Entry } from '../../model/entries.ts'
import { Publisher } from '../../model/publishers.ts'
import { nullable } from '../../model/schema.ts'
import { ENTRY_SORTS } from '../../store/entries/entry-list.ts'

const INCLUDED = ['entities', 'publisher', 'cluster'] as const
const GROUPS = ['cluster'] as const
const asOf = () =>
  param.asOf('returns the entries that had arrived by then (createdAt), in their current text; a later time is now')

/** Spec 4.3. */
export const EntryListQuery = Type.Object({
  limit: param.limit(),
  search: param.search(),
  query: param.query(),
  after: param.after(),
  before: param.before(),
  sortBy: param.sortByOrRelevance(...ENTRY_SORTS),
  hasAssets: param.ownKey(
    param.flag('true: only entries that mention an asset; false: only entries that mention none'),
  ),
  assetKey: param.ownKey(param.textList('Key of a mentioned asset', 'upper')),
  ticker: param.ownKey(param.textList('Symbol of a mentioned asset', 'upper')),
  symbol: param.ownKey(param.textList('The same as ticker', 'upper')),
  assetId: param.ownKey(param.uuidList('Id of a mentioned asset')),
  topicSlug: param.ownKey(param.textList('Slug of a topic; includes topics below it', 'lower')),
  topicId: param.ownKey(param.uuidList('Id of a topic; includes topics below it')),
  publisherSlug: param.ownKey(param.textList('Slug of the publisher', 'lower')),
  publisherId: param.ownKey(param.uuidList('Id of the publisher')),
  author: param.ownKey(param.textList('Author as returned, in the same case')),
  language: param.ownKey(param.textList('Detected language code', 'lower')),
  countryCode: param.ownKey(param.textList('Country code of the publisher', 'upper')),
  sentimentScoreMin: param.ownKey(param.number(-1, 1, 'Minimum sentiment score')),
  sentimentScoreMax: param.ownKey(param.number(-1, 1, 'Maximum sentiment score')),
  publishedAfter: param.ownKey(param.instant('Published at this time or later')),
  publishedBefore: param.ownKey(param.instant('Published at this time or earlier')),
  group: Type.Optional(
    Type.Enum(GROUPS, {
      description: 'With query, not with asOf: cluster returns only the most relevant entry of each cluster',
    }),
  ),
  include: param.include([...INCLUDED, 'score']),
  asOf: asOf(),
})

const {
  limit: _limit,
  query: _query,
  after: _after,
  before: _before,
  sortBy: _sortBy,
  group: _group,
  include: _include,
  ...filters
} = EntryListQuery.properties

export const EntryCountQuery = Type.Object({
  interval: Type.Enum(COUNT_INTERVALS, { default: '1d', description: 'Length of the intervals; days are UTC days' }),
  ...filters,
})

const { asOf: _asOf, ...streamFilters } = filters

export const EntryStreamQuery = Type.Object({ ...streamFilters, lastEventId: param.lastEventId() })

export const EntryDetailQuery = Type.Object({
  include: param.include(INCLUDED),
  asOf: asOf(),
})

/** An entry, with the parts requested by `include`. */
export const EntryDetail = Type.Object(
  {
    ...Entry.properties,
    entities: Type.Optional(
      Type.Array(Entity, { description: 'With include=entities: assets mentioned in its text, most relevant first' }),
    ),
    publisher: Type.Optional(
      Type.Object(Publisher.properties, { description: 'With include=publisher: its publisher' }),
    ),
    score: Type.Optional(
      Type.Number({
        description:
          'With include=score and a query: its relevance. An exact match in the title has about 1, entries with less than 0.15 of the best score, or than 0.09 if that is less, are left out, words that the best articles share add up to 0.25 to an article, and a time that the query asks for adds 0.1',
      }),
    ),
    cluster: Type.Optional(nullable(Cluster, 'With include=cluster: its cluster; null if it belongs to none')),
  },
  { description: 'A news item, with the parts that include names' },
)
export type EntryDetail = Static<typeof EntryDetail>
