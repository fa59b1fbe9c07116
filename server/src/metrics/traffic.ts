import type { Clock } from '../clock.ts'
import { MINUTE, SECOND } from '../model/time.ts'
import type { Part } from '../parts.ts'
import { PeriodicJob } from '../periodic-job.ts'
import { EventLoopDelay } from './event-loop-delay.ts'
import { quantileOf } from './exposition.ts'
import type { RequestMetrics, RouteFigures } from './request-metrics.ts'

const KEPT_MINUTES = 24 * 60

/** The figures of about a minute. Latencies are null if there was no request. */
export interface TrafficMinute {
  /** Start of the minute. */
  at: number
  seconds: number
  requests: number
  clientErrors: number
  serverErrors: number
  p50Ms: number | null
  p99Ms: number | null
  credits: number
  streams: number
  eventLoopDelayMs: number
  memoryBytes: number
}

/** Counters since the start. */
interface Totals {
  at: number
  elapsedMs: number
  clientErrors: number
  serverErrors: number
  durations: readonly number[]
  credits: number
}

/** Keeps the traffic of this instance in memory, minute by minute, for a day. */
export class Traffic implements Part {
  readonly #requests: RequestMetrics
  readonly #credits: () => number
  readonly #streams: () => number
  readonly #clock: Clock
  readonly #eventLoop = new EventLoopDelay()
  readonly #job: PeriodicJob
  readonly #minutes: TrafficMinute[] = []
  #before: Totals

  constructor(parts: {
    requests: RequestMetrics
    /** Returns the credits charged since the start. */
    credits: () => number
    /** Returns the number of open streams. */
    streams: () => number
    clock: Clock
    onError: (error: unknown) => void
  }) {
    this.#requests = parts.requests
    this.#credits = parts.credits
    this.#streams = parts.streams
    this.#clock = parts.clock
    this.#job = new PeriodicJob(MINUTE, async () => this.endMinute(), parts.onError)
    this.#before = this.#totals()
  }

  start(): void {
    this.#eventLoop.start()
    this.#job.start()
  }

  stop(): Promise<void> {
    this.#eventLoop.stop()
    return this.#job.stop()
  }

  /** Keeps the figures since the last call as a minute. */
  endMinute(): void {
    const totals = this.#totals()
    this.#minutes.push(this.#since(this.#before, totals))
    if (this.#minutes.length > KEPT_MINUTES) this.#minutes.shift()
    this.#before = totals
    this.#eventLoop.reset()
  }

  /** Returns the minutes, oldest first; the last one is under way. */
  minutes(): TrafficMinute[] {
    return [...this.#minutes, this.#since(this.#before, this.#totals())]
  }

  /** Returns the figures of each route since the start, those with the most requests first. */
  routes() {
    return this.#requests
      .routes()
      .map(({ durations, ...figures }) => ({ ...figures, requests: sum(durations), ...latenciesOf(durations) }))
      .sort((a, b) => b.requests - a.requests)
  }

  #totals(): Totals {
    const routes = this.#requests.routes()
    const all = (count: (route: RouteFigures) => number) => sum(routes.map(count))
    return {
      at: this.#clock.now(),
      elapsedMs: this.#clock.elapsed(),
      clientErrors: all(({ clientErrors }) => clientErrors),
      serverErrors: all(({ serverErrors }) => serverErrors),
      durations: addAll(routes.map(({ durations }) => durations)),
      credits: this.#credits(),
    }
  }

  #since(before: Totals, now: Totals): TrafficMinute {
    const durations = now.durations.map((count, place) => count - (before.durations[place] ?? 0))
    return {
      at: before.at,
      seconds: (now.elapsedMs - before.elapsedMs) / SECOND,
      requests: sum(durations),
      clientErrors: now.clientErrors - before.clientErrors,
      serverErrors: now.serverErrors - before.serverErrors,
      ...latenciesOf(durations),
      credits: now.credits - before.credits,
      streams: this.#streams(),
      eventLoopDelayMs: rounded(this.#eventLoop.percentileMs(99)),
      memoryBytes: process.memoryUsage.rss(),
    }
  }
}

const latenciesOf = (durations: readonly number[]) => ({
  p50Ms: milliseconds(quantileOf(durations, 0.5)),
  p99Ms: milliseconds(quantileOf(durations, 0.99)),
})

const milliseconds = (seconds: number | undefined) => (seconds === undefined ? null : rounded(seconds * 1_000))
const rounded = (value: number) => Math.round(value * 100) / 100
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const addAll = (lists: readonly (readonly number[])[]) =>
  lists.reduce<number[]>((totals, list) => list.map((value, place) => value + (totals[place] ?? 0)), [])
