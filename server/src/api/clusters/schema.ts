import Type from 'typebox'
import * as param from '../../http/params.ts'
import { CLUSTER_STATUSES } from '../../model/clusters.ts'

export const ClusterQuery = Type.Object({
  ...param.cursorList(),
  sortBy: param.sorts('lastPublishedAt:desc', 'importanceScore:desc', 'entryCount:desc'),
  ...param.ownKeyFilters({
    assetKey: param.textList('Key of an asset the story is about', 'upper'),
    assetId: param.uuidList('Id of an asset the story is about'),
    topicSlug: param.textList('Slug of a topic', 'lower'),
    topicId: param.uuidList('Id of a topic'),
    language: param.textList('Language of one of its entries', 'lower'),
    status: param.enumList(CLUSTER_STATUSES, 'Status'),
    entryCountMin: param.integer(1, 1_000_000, 'Least number of entries'),
    publisherCountMin: param.integer(1, 1_000_000, 'Least number of publishers'),
    sentimentScoreMin: param.number(-1, 1, 'Least sentiment score'),
    sentimentScoreMax: param.number(-1, 1, 'Greatest sentiment score'),
    lastPublishedAfter: param.instant('Last entry published at this time or later'),
    lastPublishedBefore: param.instant('Last entry published at this time or earlier'),
  }),
})
