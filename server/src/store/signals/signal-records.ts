import type { Signal } from '../../model/signals.ts'
import type { Db } from '../db.ts'
import type { FeedList } from '../lists/feed-list.ts'
import {
  anyRef,
  anySymbol,
  anyText,
  type FilterValues,
  flagFilter,
  fullText,
  indexed,
  least,
  most,
  mostWeakly,
  still,
  tested,
} from '../lists/filters.ts'
import { Records } from '../lists/records.ts'
import { SIGNAL_HISTORY } from './signal-history.ts'

/** Before the status. */
const subjectFilters = {
  search: fullText(),
  assetKey: anyRef('asset_ref', 'assets', 'key', 'strength'),
  ticker: anySymbol('asset_ref', 'strength'),
  symbol: anySymbol('asset_ref', 'strength'),
  assetId: anyRef('asset_ref', 'assets', 'id', 'strength'),
  kind: indexed(anyText('kind'), 'strength'),
}

const contentFilters = {
  direction: indexed(anyText('direction')),
  horizon: anyText('horizon'),
  strengthMin: least('strength'),
  confidenceMin: least('confidence'),
  generatedAfter: least('generated_at'),
  generatedBefore: most('generated_at'),
  updatedAfter: least('updated_at'),
}

const sorts = { generatedAt: 'generated_at', strength: 'strength', confidence: 'confidence', updatedAt: 'updated_at' }

const SIGNAL_LIST = {
  table: 'signals',
  filters: { ...subjectFilters, status: indexed(anyText('status'), 'strength'), ...contentFilters },
  sorts,
} satisfies FeedList

/** Versions of signals. A status is that at a time, since signals expire. */
const VERSION_LIST = {
  table: 'signal_versions',
  idColumn: 'signal_id',
  filters: {
    ...subjectFilters,
    ...contentFilters,
    generatedBy: mostWeakly('generated_at'),
    knownAt: still('signal_versions', 'known_to', 'known_from'),
    isSuperseded: flagFilter('is_superseded'),
    statusAt: tested<{ time: number; statuses: readonly string[] }>({
      column: 'is_superseded',
      columns: ['is_superseded', 'expires_at'],
      resolve: ({ time, statuses }) => [time, ...statuses],
      sql: (params, columnOf, [time = 0, ...statuses]) =>
        `case when ${columnOf('is_superseded')} = 1 then 'superseded'
           when ${columnOf('expires_at')} > ${params.add(time)} then 'active' else 'expired'
         end in (${params.list(statuses)})`,
    }),
  },
  sorts,
} satisfies FeedList

export type SignalFilters = FilterValues<typeof SIGNAL_LIST.filters>

/** Signals with their versions. */
export class SignalRecords extends Records<Signal, typeof SIGNAL_LIST> {
  readonly versions: Records<Signal, typeof VERSION_LIST>

  constructor(db: Db) {
    super(db, SIGNAL_LIST)
    this.versions = new Records(db, VERSION_LIST, { history: SIGNAL_HISTORY })
  }

  override changed(): void {
    super.changed()
    this.versions.changed()
  }
}
