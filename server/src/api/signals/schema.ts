import Type from 'typebox'
import * as param from '../../http/params.ts'
import { SIGNAL_DIRECTIONS, SIGNAL_HORIZONS, SIGNAL_KINDS, SIGNAL_STATUSES } from '../../model/signals.ts'

export const SignalQuery = Type.Object({
  ...param.cursorList(),
  sortBy: param.sorts('generatedAt:desc', 'strength:desc', 'confidence:desc'),
  ...param.ownKeyFilters({
    kind: param.enumList(SIGNAL_KINDS, 'Kind'),
    direction: param.enumList(SIGNAL_DIRECTIONS, 'Direction'),
    assetKey: param.textList('Key of the asset', 'upper'),
    assetId: param.uuidList('Id of the asset'),
    horizon: param.enumList(SIGNAL_HORIZONS, 'Horizon'),
    status: param.enumList(SIGNAL_STATUSES, 'Status'),
    strengthMin: param.number(0, 1, 'Least strength'),
    confidenceMin: param.number(0, 1, 'Least confidence'),
    generatedAfter: param.instant('Generated at this time or later'),
    generatedBefore: param.instant('Generated at this time or earlier'),
  }),
})
