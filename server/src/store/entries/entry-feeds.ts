import type { Cluster } from '../../model/clusters.ts'
import type { Feed } from '../lists/feeds.ts'
import type { Records } from '../lists/records.ts'
import type { SignalRecords } from '../signals/signal-records.ts'

/** The entries, the log of their changes, and the records that follow a change. Locked in this order. */
export interface EntryFeeds {
  entries: Feed
  changes: Feed
  clusters: Records<Cluster>
  signals: SignalRecords
}
