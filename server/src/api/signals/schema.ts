import Type from 'typebox'
import * as param from '../../http/params.ts'
import { SIGNAL_DIRECTIONS, SIGNAL_HORIZONS, SIGNAL_KINDS, SIGNAL_STATUSES } from '../../model/signals.ts'

/** Filters of both the list and the streams. */
const sharedFilters = {
  kind: param.enumList(SIGNAL_KINDS, 'Kind'),
  direction: param.enumList(SIGNAL_DIRECTIONS, 'Direction'),
  assetKey: param.textList('Key of the asset', 'upper'),
  ticker: param.textList('Symbol of the asset', 'upper'),
  symbol: param.textList('The same as ticker', 'upper'),
  strengthMin: param.number(0, 1, 'Minimum strength'),
  confidenceMin: param.number(0, 1, 'Minimum confidence'),
}

const asOf = () =>
  param.asOf('returns the signals of then, as they were: no later change, expiry or outcome; a later time is now')

export const SignalAsOf = Type.Object({ asOf: asOf() })

export const SignalQuery = Type.Object({
  ...param.cursorList(),
  sortBy: param.sorts('generatedAt:desc', 'strength:desc', 'confidence:desc', 'updatedAt:desc'),
  ...param.ownKeyFilters({
    ...sharedFilters,
    assetId: param.uuidList('Id of the asset'),
    horizon: param.enumList(SIGNAL_HORIZONS, 'Horizon'),
    status: param.enumList(SIGNAL_STATUSES, 'Status'),
    generatedAfter: param.instant('Generated at this time or later'),
    generatedBefore: param.instant('Generated at this time or earlier'),
    updatedAfter: param.instant(
      'Found, changed or superseded at this time or later. To poll, send the last updatedAt less a minute, since a change is visible shortly after its time',
    ),
    asOf: asOf(),
  }),
})

export const StreamQuery = Type.Object({
  ...param.ownKeyFilters(sharedFilters),
  lastEventId: param.lastEventId(),
})
