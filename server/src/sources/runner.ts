import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { MINUTE } from '../model/time.ts'
import type { Part } from '../parts.ts'
import { PeriodicJob } from '../periodic-job.ts'
import { type Lease, LeaseLost, LeaseTaken } from '../store/leases.ts'
import { type SourceRecord, sourceLease } from '../store/sources/sources.ts'
import type { Store } from '../store/store.ts'
import { Thread } from '../thread.ts'
import { CONNECTORS } from './catalogue.ts'
import type { Connector, PollContext, PollEnd } from './connector.ts'
import { FILINGS_KEY } from './edgar/edgar-sink.ts'
import { FetchError } from './fetch/fetch-error.ts'
import type { Fetched, Fetcher, FetchRequest } from './fetch/fetcher.ts'
import { HostGate, type Politeness } from './fetch/host-gate.ts'
import type { ParseKind } from './parse-answer.ts'
import type { ParseRequest } from './parse-thread.ts'
import { Reach, type ReachEvent } from './reach.ts'
import { afterFailure, afterSuccess, type Failure } from './schedule.ts'
import type { SourceSink } from './sink.ts'

const LOOK_EVERY_MS = 1_000
/** Sources that are read at the same time. */
const AT_ONCE = 8
const GONE = 410
const FORBIDDEN = 403
const REFUSALS = [FORBIDDEN, 429]
const PARSE_IDLE_MS = 60_000
/** A service that refuses requests for their number wants none for this time. */
const REFUSED_PAUSE_MS = 10 * MINUTE
/** Waiting longer than this would hold the source up; it is read again later instead. */
const LONGEST_WAIT_MS = MINUTE

interface Parts {
  store: Store
  sink: SourceSink
  fetcher: Fetcher
  clock: Clock
  onError: (error: unknown) => void
  onReach?: (event: ReachEvent) => void
  /** Tests replace these. */
  random?: () => number
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Reads sources when they are due. Several processes share the work: each source is read by one of them at a time. */
export class SourceRunner implements Part {
  readonly #parts: Parts
  readonly #random: () => number
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly #gate: HostGate
  readonly #stopping = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  readonly #parser = new Thread<ParseRequest, unknown>(new URL('./parse-thread.ts', import.meta.url), {
    idleMs: PARSE_IDLE_MS,
  })
  readonly #job: PeriodicJob
  readonly #reach: Reach

  constructor(parts: Parts) {
    this.#parts = parts
    this.#reach = new Reach(parts.onReach ?? (() => {}))
    this.#random = parts.random ?? Math.random
    this.#wait = parts.wait ?? (async (ms, signal) => void (await wait(ms, undefined, { signal })))
    this.#gate = new HostGate({ elapsed: () => parts.clock.elapsed(), wait: this.#wait })
    this.#job = new PeriodicJob(LOOK_EVERY_MS, async () => void (await this.#startDue()), parts.onError)
  }

  start(): void {
    this.#job.start()
    this.#job.run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#job.stop()
    await Promise.all(this.#running.values())
    await this.#parser.close()
  }

  /** Reads everything that is due, to the end. */
  async runDue(): Promise<void> {
    while ((await this.#startDue()) > 0 || this.#running.size > 0) await Promise.race(this.#running.values())
  }

  /** Starts reading due sources as far as there is room; returns their number. */
  async #startDue(): Promise<number> {
    const { store, clock } = this.#parts
    const due = await store.sources.listDue(clock.now(), AT_ONCE + this.#running.size)
    const free = due.filter(({ key }) => !this.#running.has(key)).slice(0, AT_ONCE - this.#running.size)
    for (const { key } of free) this.#start(key)
    return free.length
  }

  #start(key: string): void {
    const run = this.run(key)
      .catch(this.#parts.onError)
      .finally(() => this.#running.delete(key))
    this.#running.set(key, run)
  }

  /** Reads a source if it is still due and no other process reads it. */
  async run(key: string): Promise<void> {
    const { store, clock } = this.#parts
    try {
      await store.leases.run(
        sourceLease(key),
        async (lease) => {
          const source = await store.sources.find(key)
          const isDue = source !== undefined && !source.isPaused && source.stopped === null
          if (isDue && source.nextRunAt <= clock.now()) await this.#read(source, lease)
        },
        { waitMs: 0, signal: this.#stopping.signal },
      )
    } catch (error) {
      // The other process goes on.
      if (!(error instanceof LeaseTaken || error instanceof LeaseLost)) throw error
    }
  }

  /** The path of all items: fetched and parsed by the connector, stored, and only then checked off. */
  async #read(source: SourceRecord, lease: Lease): Promise<void> {
    const { store, sink, clock } = this.#parts
    const { key, everyMs } = source
    const connector = CONNECTORS.get(source.kind)
    if (connector === undefined) throw new Error(`there is no kind of source ${source.kind}`)
    try {
      const batches = connector.poll(this.contextOf(connector, source))
      let next = await batches.next()
      for (; !next.done; next = await batches.next()) {
        this.#stopping.signal.throwIfAborted()
        const brought = await sink.take(key, next.value.items)
        await store.sources.checkpoint(key, next.value.state, brought, lease)
      }
      const plan = afterSuccess(everyMs, next.value as PollEnd, connector.every, clock.now(), this.#random)
      await store.sources.endRun(key, { at: clock.now(), ...plan, error: null }, lease)
      this.#reach.note(key, undefined, clock.now())
    } catch (error) {
      if (this.#stopping.signal.aborted || error instanceof LeaseLost) return
      const failure = describe(error)
      const { message, isAnswered } = failure
      const plan = afterFailure(everyMs, source, failure, connector.every, clock.now(), this.#random)
      const stopped = failure.status === GONE ? message : null
      await store.sources.endRun(key, { at: clock.now(), ...plan, error: message, isAnswered, stopped }, lease)
      this.#reach.note(key, isAnswered ? undefined : message, clock.now())
    }
  }

  /** Returns what a connector needs to read a source. */
  contextOf(
    { politeness }: Connector,
    { options, state }: Pick<SourceRecord, 'options' | 'state'>,
  ): PollContext<never, never> {
    const { clock, store } = this.#parts
    const { signal } = this.#stopping
    const now = clock.now()
    const context: PollContext<object, object> = {
      options,
      state,
      now,
      fetch: (request) =>
        this.#gate.run(politeness.shared ?? new URL(request.url).host, politeness, signal, () =>
          this.#fetch(request, politeness),
        ),
      parse: (kind: ParseKind, bytes, parseOptions = {}) =>
        this.#parser.ask({ kind, bytes, options: parseOptions }) as Promise<never>,
      knownItems: async (names) => new Set((await store.sources.entriesOf(FILINGS_KEY, names)).keys()),
      unsettled: (venue, after, limit) => store.predictionMarkets.listUnsettled(venue, now, after, limit),
      withoutHistory: store.predictionMarkets.listWithoutHistory,
    }
    return context as PollContext<never, never>
  }

  /** Fetches when the limit that all instances share allows it. A refusal for too many requests pauses all of them. */
  async #fetch(request: FetchRequest, { shared, gapMs }: Politeness): Promise<Fetched> {
    const { fetcher, store } = this.#parts
    const { signal } = this.#stopping
    if (shared === undefined) return fetcher.fetch(request, signal)
    const waitMs = await store.pace.reserve(shared, gapMs)
    const { host } = new URL(request.url)
    if (waitMs > LONGEST_WAIT_MS) throw new FetchError('paused', { host, retryAfterMs: waitMs })
    if (waitMs > 0) await this.#wait(waitMs, signal)
    try {
      return await fetcher.fetch(request, signal)
    } catch (error) {
      if (!(error instanceof FetchError) || error.status === undefined) throw error
      const isRefused = REFUSALS.includes(error.status) && !(error.status === FORBIDDEN && request.mayBeAbsent)
      if (!isRefused) throw error
      const retryAfterMs = Math.max(error.retryAfterMs ?? 0, REFUSED_PAUSE_MS)
      await store.pace.pause(shared, retryAfterMs)
      throw new FetchError('status', { host, status: error.status, retryAfterMs })
    }
  }
}

function describe(error: unknown): Failure & { message: string; status?: number | undefined } {
  if (error instanceof FetchError) return error
  return { message: error instanceof Error ? error.message : String(error), isAnswered: true }
}
