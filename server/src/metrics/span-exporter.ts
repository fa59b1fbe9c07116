import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Part } from '../parts.ts'
import { PeriodicJob } from '../periodic-job.ts'
import { currentTrace } from '../trace.ts'

const EVERY_MS = 5_000
const TIMEOUT_MS = 10_000
const PORTION = 512
/** Spans beyond this number are dropped while the collector does not answer. */
const MAX_WAITING = 4_096
const KIND_SERVER = 2
const STATUS_ERROR = 2

/** Sends a span per request to an OpenTelemetry collector, as JSON over HTTP (OTLP). */
export class SpanExporter implements Part {
  readonly #url: string
  readonly #version: string
  readonly #clock: Clock
  readonly #job: PeriodicJob
  #waiting: object[] = []

  constructor(deps: { endpoint: string; version: string; clock: Clock; onError: (error: unknown) => void }) {
    this.#url = `${deps.endpoint}/v1/traces`
    this.#version = deps.version
    this.#clock = deps.clock
    this.#job = new PeriodicJob(EVERY_MS, () => this.flush(), deps.onError)
  }

  start(): void {
    this.#job.start()
  }

  /** Adds the span of a request that was just answered, unless its caller does not want it recorded. */
  observe(endpoint: string, statusCode: number, durationMs: number): void {
    const trace = currentTrace()
    if (trace?.isSampled === false || this.#waiting.length >= MAX_WAITING) return
    const end = this.#clock.now()
    this.#waiting.push({
      traceId: trace?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      ...(trace !== undefined && { parentSpanId: trace.parentId }),
      name: endpoint,
      kind: KIND_SERVER,
      startTimeUnixNano: nanoseconds(end - durationMs),
      endTimeUnixNano: nanoseconds(end),
      attributes: [
        { key: 'http.route', value: { stringValue: endpoint } },
        { key: 'http.response.status_code', value: { intValue: String(statusCode) } },
      ],
      status: statusCode >= 500 ? { code: STATUS_ERROR } : {},
    })
  }

  /** Sends the waiting spans. Those of a failed request are lost: they must not pile up. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, PORTION)
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(this.#bodyOf(spans)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`OTEL_EXPORTER_OTLP_ENDPOINT responded with status ${response.status}`)
    }
  }

  async stop(): Promise<void> {
    await this.#job.stop()
    this.#job.run()
    await this.#job.stop()
  }

  #bodyOf(spans: readonly object[]): object {
    const attributes = Object.entries({ 'service.name': 'mintick', 'service.version': this.#version }).map(
      ([key, stringValue]) => ({ key, value: { stringValue } }),
    )
    return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'mintick' }, spans }] }] }
  }
}

const nanoseconds = (epochMs: number) => String(BigInt(Math.round(epochMs * 1_000)) * 1_000n)
