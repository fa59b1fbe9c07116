import type { PaymentSandbox } from 'payment-sandbox'
import type { Admission } from '../admission/admit.ts'
import type { WebhookClient } from '../alerts/webhook.ts'
import type { Billing } from '../billing/billing.ts'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../clock.ts'
import type { BulkExports } from '../export/bulk-exports.ts'
import type { ExportStorage } from '../export/storage.ts'
import { endpointFactory } from '../http/endpoint.ts'
import type { HtmlDocument } from '../http/html-page.ts'
import type { Relay, Reply } from '../http/relay.ts'
import type { Enrichment } from '../ingest/entries/enrichment.ts'
import type { EntryIntake } from '../ingest/entries/entry-intake.ts'
import type { Reindex } from '../ingest/entries/reindex.ts'
import type { Indexing } from '../ingest/indexing/indexing.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Traffic } from '../metrics/traffic.ts'
import type { SemanticSearch } from '../search/semantic-search.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { SourceManager } from '../sources/source-manager.ts'
import type { Store } from '../store/store.ts'
import type { Streams } from '../streams/streams.ts'
import type { Readiness } from './service/readiness.ts'
import type { StatusReport } from './service/status.ts'

/** The services that handlers receive. */
export interface Services {
  store: Store
  search: SemanticSearch
  enrichment: Enrichment
  intake: EntryIntake
  indexing: Indexing
  reindex: Reindex
  streams: Streams
  exports: BulkExports
  exportStorage: ExportStorage
  sources: SourceManager
  admission: Admission
  /** Undefined if payments are off. */
  billing: Billing | undefined
  /** Defined if payments go through the sandbox. */
  sandbox: PaymentSandbox | undefined
  webhooks: WebhookClient
  signIn: SignIn
  /** Whether there is a mail server. */
  sendsMail: boolean
  bus: Bus
  clock: Clock
  pepper: string
  readiness: Readiness
  status: StatusReport
  /** Returns the document of the reference at a path, such as `/docs/entries`. */
  reference(path: string): Promise<HtmlDocument | undefined>
  /** Answers a request of the Model Context Protocol. */
  mcp(relay: Relay): Promise<Reply>
  metrics: Metrics
  traffic: Traffic
  version: string
  startedAt: number
}

export const endpoint = endpointFactory<Services>()
