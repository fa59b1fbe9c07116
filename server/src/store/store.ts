import { type Accounts, accountsStore } from './accounts/accounts.ts'
import { type Alerts, alertsStore } from './accounts/alerts.ts'
import { type Audit, auditStore } from './accounts/audit.ts'
import { type Exports, exportsStore } from './accounts/export.ts'
import { type Grants, grantsStore } from './accounts/grants.ts'
import { type History, historyStore } from './accounts/history.ts'
import { type IdempotentRequests, idempotentRequestsStore } from './accounts/idempotent-requests.ts'
import { type Keys, keysStore } from './accounts/keys.ts'
import { type Ledger, ledgerStore } from './accounts/ledger.ts'
import { LogWalk } from './accounts/log-walk.ts'
import { type Removal, removalStore } from './accounts/removal.ts'
import { type RequestLog, requestLogStore } from './accounts/request-log.ts'
import { UsagePeriods } from './accounts/usage-period.ts'
import { UsageRanges } from './accounts/usage-range.ts'
import { type Assets, assetsStore } from './assets.ts'
import { type Checkouts, checkoutsStore } from './billing/checkouts.ts'
import { type ProcessorEvents, processorEventsStore } from './billing/processor-events.ts'
import { type Purchases, purchasesStore } from './billing/purchases.ts'
import { type ReadOrder, readOrderStore } from './billing/read-order.ts'
import { type Reversals, reversalsStore } from './billing/reversals.ts'
import { type Subscriptions, subscriptionsStore } from './billing/subscriptions.ts'
import { ChangeLog } from './changes/change-log.ts'
import { type Changes, changesStore } from './changes/changes.ts'
import { type Clusters, clusterRecords, clustersStore } from './clusters/clusters.ts'
import { type Counts, countsStore } from './counts/counts.ts'
import type { Db } from './db.ts'
import { type Entries, entriesStore } from './entries/entries.ts'
import { type BulkExports, bulkExportsStore } from './exports/bulk-exports.ts'
import { type ExportFiles, exportFilesStore } from './exports/export-files.ts'
import { Leases } from './leases.ts'
import { Feed, untilChanged } from './lists/feeds.ts'
import { type Candles, candlesStore } from './markets/candles.ts'
import { type Markets, marketsStore } from './markets/markets.ts'
import { type Metadata, metadataStore } from './metadata.ts'
import { type Newest, readNewest } from './newest.ts'
import { type AdminTokens, adminTokensStore } from './operators/admin-tokens.ts'
import { type AuditTrail, auditTrailStore } from './operators/audit-trail.ts'
import { Pace } from './pace.ts'
import { type Partitions, partitionsStore } from './partitions.ts'
import { type Pgvector, pgvectorStore } from './pgvector.ts'
import {
  type PredictionMarkets,
  predictionMarketRecords,
  predictionMarketsStore,
} from './prediction-markets/prediction-markets.ts'
import { type Probe, probeStore } from './probe.ts'
import { type FeedProgress, progressStore } from './progress.ts'
import { type Publishers, publishersStore } from './publishers.ts'
import { type ReindexRuns, reindexRunStore } from './reindex-run.ts'
import { type SandboxStore, sandboxStore } from './sandbox.ts'
import { type Sec, secStore } from './sec/sec.ts'
import { SIGNAL_EVENTS, type SignalLog, signalLogStore } from './signals/signal-log.ts'
import { SignalRecords } from './signals/signal-records.ts'
import { type Signals, signalsStore } from './signals/signals.ts'
import { readSizes } from './sizes.ts'
import { type Sources, sourcesStore } from './sources/sources.ts'
import { type Streams, streamsStore } from './streams/streams.ts'
import { type Topics, topicsStore } from './topics.ts'
import { readTotals, type Totals } from './totals.ts'
import { type Uptime, uptimeStore } from './uptime.ts'
import { type SignInFailures, signInFailuresStore } from './users/failures.ts'
import { type Sessions, sessionsStore } from './users/sessions.ts'
import { type Users, usersStore } from './users/users.ts'
import { type Vectors, vectorsStore } from './vectors.ts'

/** All persistent data: one member per noun, with a function per query. */
export interface Store {
  readonly engine: Db['engine']
  readonly exclusive: boolean
  readonly accounts: Accounts
  readonly keys: Keys
  readonly alerts: Alerts
  readonly ledger: Ledger
  readonly grants: Grants
  readonly history: History
  readonly requestLog: RequestLog
  readonly usage: UsagePeriods
  readonly usageRanges: UsageRanges
  readonly idempotentRequests: IdempotentRequests
  readonly checkouts: Checkouts
  readonly purchases: Purchases
  readonly reversals: Reversals
  readonly subscriptions: Subscriptions
  readonly processorEvents: ProcessorEvents
  readonly readOrder: ReadOrder
  readonly streams: Streams
  readonly bulkExports: BulkExports
  readonly exportFiles: ExportFiles
  readonly sandbox: SandboxStore
  readonly audit: Audit
  readonly exports: Exports
  readonly removal: Removal
  readonly users: Users
  readonly sessions: Sessions
  readonly signInFailures: SignInFailures
  readonly adminTokens: AdminTokens
  readonly auditTrail: AuditTrail
  readonly assets: Assets
  readonly topics: Topics
  readonly publishers: Publishers
  readonly entries: Entries
  readonly vectors: Vectors
  readonly pgvector: Pgvector
  readonly progress: FeedProgress
  readonly reindexRun: ReindexRuns
  readonly clusters: Clusters
  readonly predictionMarkets: PredictionMarkets
  readonly sec: Sec
  readonly changes: Changes
  readonly signals: Signals
  readonly signalLog: SignalLog
  readonly counts: Counts
  readonly markets: Markets
  readonly candles: Candles
  readonly sources: Sources
  readonly metadata: Metadata
  readonly leases: Leases
  readonly partitions: Partitions
  readonly probe: Probe
  readonly pace: Pace
  readonly uptime: Uptime
  /** Returns the same object until they change. */
  totals(): Promise<Totals>
  newest(): Promise<Newest>
  /** Returns the size of each database in bytes. */
  sizes(): Promise<Record<string, number>>
  close(): Promise<void>
}

export function createStore(db: Db): Store {
  const { ledger } = db
  const logWalk = new LogWalk(ledger)
  const counts = countsStore(db)
  const { catalogues } = counts
  const changes = new ChangeLog(db)
  const feed = new Feed(db, 'entries', [catalogues, changes])
  const clusters = clusterRecords(db)
  const predictionMarkets = predictionMarketRecords(db, changes)
  const signals = new SignalRecords(db)
  const signalEvents = new Feed(db, SIGNAL_EVENTS)
  const store: Omit<Store, 'totals'> = {
    engine: db.engine,
    exclusive: db.exclusive,
    accounts: accountsStore(ledger),
    keys: keysStore(ledger),
    alerts: alertsStore(ledger),
    ledger: ledgerStore(ledger),
    grants: grantsStore(ledger),
    history: historyStore(ledger, logWalk),
    requestLog: requestLogStore(ledger, logWalk),
    usage: new UsagePeriods(ledger),
    usageRanges: new UsageRanges(ledger),
    idempotentRequests: idempotentRequestsStore(ledger),
    checkouts: checkoutsStore(ledger),
    purchases: purchasesStore(ledger),
    reversals: reversalsStore(ledger),
    subscriptions: subscriptionsStore(ledger),
    processorEvents: processorEventsStore(ledger),
    readOrder: readOrderStore(ledger),
    streams: streamsStore(ledger),
    bulkExports: bulkExportsStore(ledger),
    exportFiles: exportFilesStore(ledger),
    sandbox: sandboxStore(ledger),
    audit: auditStore(ledger),
    exports: exportsStore(ledger),
    removal: removalStore(ledger),
    users: usersStore(ledger),
    sessions: sessionsStore(ledger),
    signInFailures: signInFailuresStore(ledger),
    adminTokens: adminTokensStore(ledger),
    auditTrail: auditTrailStore(ledger),
    assets: assetsStore(db, counts),
    topics: topicsStore(db, counts, { entries: feed, clusters, predictionMarkets }),
    publishers: publishersStore(db, counts, feed),
    entries: entriesStore(db, { entries: feed, clusters, signals, changes }),
    vectors: vectorsStore(db, feed),
    pgvector: pgvectorStore(db),
    progress: progressStore(db),
    reindexRun: reindexRunStore(db),
    clusters: clustersStore(db, clusters, feed),
    predictionMarkets: predictionMarketsStore(db, predictionMarkets),
    sec: secStore(db, changes),
    changes: changesStore(db, changes, catalogues),
    signals: signalsStore(db, signals, signalEvents),
    signalLog: signalLogStore(db, signalEvents),
    counts,
    markets: marketsStore(db, catalogues, changes),
    candles: candlesStore(db, catalogues),
    sources: sourcesStore(db),
    metadata: metadataStore(ledger),
    leases: new Leases(ledger),
    partitions: partitionsStore(db),
    probe: probeStore(db),
    pace: new Pace(ledger),
    uptime: uptimeStore(ledger),
    newest: () => readNewest(db),
    sizes: () => readSizes(db),
    close: () => db.close(),
  }
  return { ...store, totals: untilChanged(db, () => readTotals(store)) }
}
