import Type from 'typebox'
import * as param from '../../http/params.ts'
import { CHANGE_TYPES } from '../../model/changes.ts'
import { SEC_DATASETS } from '../../model/sec/datasets.ts'
import { CHANGE_SORTS } from '../../store/changes/changes.ts'

export const ChangeQuery = Type.Object({
  limit: param.limit(),
  after: param.idCursor('Id of the last change you have read, or nextCursor: returns the changes after it'),
  before: param.idCursor('Id of a change, or prevCursor: returns the changes before it'),
  sortBy: param.sortBy(...CHANGE_SORTS),
  ...param.ownKeyFilters({
    type: param.enumList(CHANGE_TYPES, 'Kind of record'),
    dataset: param.enumList(SEC_DATASETS, 'SEC dataset of filings; other types are not affected'),
  }),
})
