import Type from 'typebox'
import * as param from '../../http/params.ts'
import { ASSET_STATUSES, ASSET_TYPES } from '../../model/assets.ts'

export const AssetQuery = Type.Object({
  ...param.catalogueList(),
  sortBy: param.sorts('name:asc', 'symbol:asc', 'entryCount24h:desc', 'updatedAt:desc'),
  ...param.ownKeyFilters({
    type: param.enumList(ASSET_TYPES, 'Type'),
    status: param.enumList(ASSET_STATUSES, 'Status'),
    exchange: param.textList('Exchange', 'upper'),
    countryCode: param.textList('Country code', 'upper'),
    sector: param.textList('Sector', 'lower'),
    symbol: param.textList('Symbol', 'upper'),
    key: param.textList('Key', 'upper'),
    cik: param.textList('CIK'),
    hasEntries: param.flag('true: only assets with entries; false: only assets without'),
  }),
})
