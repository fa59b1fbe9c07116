import type { Admission } from '../admission/admit.ts'
import type { SourceRecord } from '../store/sources/sources.ts'
import type { Store } from '../store/store.ts'
import { EventLoopDelay } from './event-loop-delay.ts'
import { expositionOf, type Metric } from './exposition.ts'
import type { RequestMetrics } from './request-metrics.ts'

interface Observed {
  version: string
  requests: RequestMetrics
  admission: Admission
  streams: { readonly count: number }
  store: Store
  /** Undefined if the settings name none. */
  redis: { readonly isUp: boolean } | undefined
  /** Undefined if the settings name none. */
  replica: { readonly reads: Readonly<Record<'replica' | 'primary', number>> } | undefined
  readiness: { problems(): Promise<string[]> }
  /** The number of log lines that could not be written. */
  droppedLines: () => number
}

const DELAYS = { median: 50, p99: 99, max: 100 }

/** The metrics for Prometheus: counters that the parts keep, and facts that are read at each scrape. */
export class Metrics {
  readonly #observed: Observed
  readonly #eventLoop = new EventLoopDelay()

  constructor(observed: Observed) {
    this.#observed = observed
  }

  start(): void {
    this.#eventLoop.start()
  }

  stop(): void {
    this.#eventLoop.stop()
  }

  /** Returns all metrics in the text format. While the store does not answer, those of the store are left out. */
  async text(): Promise<string> {
    const { requests, admission, readiness } = this.#observed
    const isReady = (await readiness.problems()).length === 0
    const stored = isReady ? await this.#storeMetrics().catch(() => []) : []
    return expositionOf([
      gauge('mintick_ready', 'Whether charged requests would succeed.', isReady ? 1 : 0),
      ...requests.list(),
      ...admissionMetrics(admission),
      ...this.#processMetrics(),
      ...stored,
    ])
  }

  #processMetrics(): Metric[] {
    const { streams, version, store, redis, replica, droppedLines } = this.#observed
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const delays = Object.entries(DELAYS).map(([delay, percent]) => ({
      labels: { delay },
      value: this.#eventLoop.percentileMs(percent) / 1e3,
    }))
    this.#eventLoop.reset()
    return [
      {
        name: 'mintick_info',
        help: 'The version and the engine of the store.',
        type: 'gauge',
        samples: [{ labels: { version, engine: store.engine }, value: 1 }],
      },
      ...(redis ? [gauge('mintick_redis_up', 'Whether Redis answers.', redis.isUp ? 1 : 0)] : []),
      ...(replica
        ? [
            {
              name: 'mintick_data_reads_total',
              help: 'Requests for data by the database that answered: the primary does while the replica is away or behind.',
              type: 'counter',
              samples: Object.entries(replica.reads).map(([database, value]) => ({ labels: { database }, value })),
            } as const,
          ]
        : []),
      gauge('mintick_streams_open', 'Open streams of this instance.', streams.count),
      counter('mintick_log_lines_dropped_total', 'Log lines that could not be written.', droppedLines()),
      {
        name: 'mintick_event_loop_delay_seconds',
        help: 'Delay of the event loop since the last scrape.',
        type: 'gauge',
        samples: delays,
      },
      gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      gauge('nodejs_heap_used_bytes', 'Used memory of the JavaScript heap.', heapUsed),
      counter('process_cpu_seconds_total', 'CPU time of all threads.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'When the process started.', performance.timeOrigin / 1e3),
    ]
  }

  async #storeMetrics(): Promise<Metric[]> {
    const { store } = this.#observed
    const [bytes, sources] = await Promise.all([store.sizes(), store.sources.list()])
    return [
      {
        name: 'mintick_store_bytes',
        help: 'Size of the store by database.',
        type: 'gauge',
        samples: Object.entries(bytes).map(([database, value]) => ({ labels: { database }, value })),
      },
      ...sourceMetrics(sources),
    ]
  }
}

function admissionMetrics({ verdicts, requestWriter }: Admission): Metric[] {
  const { batches, requests, credits, failures, durations } = requestWriter.stats
  return [
    {
      name: 'mintick_admissions_total',
      help: 'Requests with a valid key by verdict.',
      type: 'counter',
      samples: Object.entries(verdicts).map(([verdict, value]) => ({ labels: { verdict }, value })),
    },
    counter('mintick_credits_charged_total', 'Credits charged for requests.', credits),
    counter('mintick_commit_batches_total', 'Batches of charges and log rows that were committed.', batches),
    counter('mintick_commit_requests_total', 'Requests in these batches.', requests),
    counter('mintick_commit_failures_total', 'Batches whose commit failed.', failures),
    {
      name: 'mintick_commit_duration_seconds',
      help: 'Duration of these commits.',
      type: 'histogram',
      samples: [{ value: durations }],
    },
  ]
}

function sourceMetrics(sources: readonly SourceRecord[]): Metric[] {
  const states = { active: 0, failing: 0, paused: 0, stopped: 0 }
  for (const source of sources) states[stateOf(source)] += 1
  const byKind = [...Map.groupBy(sources, ({ kind }) => kind)]
  return [
    {
      name: 'mintick_sources',
      help: 'Sources by state.',
      type: 'gauge',
      samples: Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'mintick_source_items',
      help: 'Items that the current sources have brought, by kind of source and result.',
      type: 'gauge',
      samples: byKind.flatMap(([kind, ofKind]) =>
        (['added', 'changed', 'rejected'] as const).map((result) => ({
          labels: { kind, result },
          value: ofKind.reduce((sum, source) => sum + source[result], 0),
        })),
      ),
    },
  ]
}

function stateOf({ isPaused, stopped, failures }: SourceRecord): 'active' | 'failing' | 'paused' | 'stopped' {
  if (stopped !== null) return 'stopped'
  if (isPaused) return 'paused'
  return failures > 0 ? 'failing' : 'active'
}

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})

const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
})
