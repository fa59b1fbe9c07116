import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20
const NANOSECONDS_PER_MS = 1e6

/**
 * The delay of the event loop since the last reset. Each reader has its own: a scrape and a minute end at different times. A second
 * one takes about a ten-thousandth of a core.
 */
export class EventLoopDelay {
  readonly #monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

  start(): void {
    this.#monitor.enable()
  }

  stop(): void {
    this.#monitor.disable()
  }

  reset(): void {
    this.#monitor.reset()
  }

  /** Returns a percentile in milliseconds; 0 without samples. */
  percentileMs(percent: number): number {
    // A sample includes the resolution. Without samples, the monitor returns less than a microsecond.
    return Math.max(0, this.#monitor.percentile(percent) / NANOSECONDS_PER_MS - RESOLUTION_MS)
  }
}
