import Type from 'typebox'
import * as param from '../../http/params.ts'
import { Cluster } from '../../model/clusters.ts'
import { Entity } from '../../model/entities.ts'
import { Entry } from '../../model/entries.ts'
import { Publisher } from '../../model/publishers.ts'
import { nullable } from '../../model/schema.ts'
import { ENTRY_SORTS } from '../../store/entries/entry-list.ts'

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
  asOf: asOf(),
})

export const EntryDetailQuery = Type.Object({
  include: param.include(['entities', 'publisher', 'cluster']),
  asOf: asOf(),
})

/** An entry with the parts requested by `include`. */
export const EntryDetail = Type.Object(
  {
    ...Entry.properties,
    entities: Type.Optional(
      Type.Array(Entity, { description: 'With include=entities: assets mentioned in its text, most relevant first' }),
    ),
    publisher: Type.Optional(
      Type.Object(Publisher.properties, { description: 'With include=publisher: its publisher' }),
    ),
    cluster: Type.Optional(nullable(Cluster, 'With include=cluster: its cluster; null if it belongs to none')),
  },
  { description: 'A news item, with the parts that include names' },
)
