import { performance } from 'node:perf_hooks'

/** Above this load, requests have priority over background work. */
const BUSY = 0.5

/** Watches how busy the main thread is. */
export class MainThreadLoad {
  #before = performance.eventLoopUtilization()

  /** Reports whether the main thread has been busy since the last call. */
  isBusy(): boolean {
    const { utilization } = performance.eventLoopUtilization(this.#before)
    this.#before = performance.eventLoopUtilization()
    return utilization > BUSY
  }
}
