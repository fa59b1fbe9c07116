import Type from 'typebox'
import * as param from '../../http/params.ts'
import { PUBLISHER_TYPES } from '../../model/publishers.ts'

export const PublisherQuery = Type.Object({
  ...param.catalogueList(),
  sortBy: param.sorts('name:asc', 'entryCount24h:desc', 'lastEntryAt:desc'),
  ...param.ownKeyFilters({
    countryCode: param.textList('Country code', 'upper'),
    language: param.textList('Language code', 'lower'),
    type: param.enumList(PUBLISHER_TYPES, 'Type'),
    domain: param.textList('Domain', 'lower'),
    isActive: param.flag('true: only active publishers; false: only inactive publishers'),
  }),
})
