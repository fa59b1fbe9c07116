import type { Cluster } from '../../model/clusters.ts'
import type { ChangeLog } from '../changes/change-log.ts'
import type { Feed } from '../lists/feeds.ts'
import type { Records } from '../lists/records.ts'
import type { SignalRecords } from '../signals/signal-records.ts'

/** The entries, the records that follow a change, and the log of changes. Locked in this order. */
export interface EntryFeeds {
  entries: Feed
  clusters: Records<Cluster>
  signals: SignalRecords
  changes: ChangeLog
}
