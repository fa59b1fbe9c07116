import Type from 'typebox'
import * as param from '../../http/params.ts'
import { CLUSTER_STATUSES } from '../../model/clusters.ts'

export const ClusterQuery = Type.Object({
  ...param.cursorList(),
  sortBy: param.sorts('lastPublishedAt:desc', 'importanceScore:desc', 'entryCount:desc'),
  ...param.ownKeyFilters({
    assetKey: param.textList('Key of an asset of the cluster', 'upper'),
    ticker: param.textList('Symbol of an asset of the cluster', 'upper'),
    symbol: param.textList('The same as ticker', 'upper'),
    assetId: param.uuidList('Id of an asset of the cluster'),
    topicSlug: param.textList('Slug of a topic; includes topics below it', 'lower'),
    topicId: param.uuidList('Id of a topic; includes topics below it'),
    language: param.textList('Language of one of its entries', 'lower'),
    status: param.enumList(CLUSTER_STATUSES, 'Status'),
    entryCountMin: param.integer(1, 1_000_000, 'Minimum number of entries'),
    publisherCountMin: param.integer(1, 1_000_000, 'Minimum number of publishers'),
    sentimentScoreMin: param.number(-1, 1, 'Minimum sentiment score'),
    sentimentScoreMax: param.number(-1, 1, 'Maximum sentiment score'),
    lastPublishedAfter: param.instant('Last entry published at this time or later'),
    lastPublishedBefore: param.instant('Last entry published at this time or earlier'),
  }),
})
