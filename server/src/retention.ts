import type { Clock } from './clock.ts'
import { DAY, MINUTE, startOfDay } from './model/time.ts'
import type { Part } from './parts.ts'
import { PeriodicJob } from './periodic-job.ts'
import type { Store } from './store/store.ts'

const EVERY_MS = 10 * MINUTE

/**
 * Removes requests from the log, and processed events of the payment processor, once they are older than a number of
 * days. One instance does it at a time.
 */
export class LogRetention implements Part {
  readonly #store: Store
  readonly #clock: Clock
  readonly #days: number
  readonly #job: PeriodicJob
  #isStopped = false

  constructor(deps: { store: Store; clock: Clock; days: number; onError: (error: unknown) => void }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#days = deps.days
    this.#job = new PeriodicJob(EVERY_MS, () => this.run(), deps.onError)
  }

  start(): void {
    this.#job.start()
  }

  /** Removes whole UTC days, so that the log of an account changes once a day. */
  async run(): Promise<void> {
    const before = startOfDay(this.#clock.now() - this.#days * DAY)
    const mayGoOn = () => !this.#isStopped
    const work = async () => {
      await this.#store.requestLog.removeBefore(before, mayGoOn)
      await this.#store.partitions.dropBefore('request_log', before)
      await this.#store.processorEvents.removeBefore(before, mayGoOn)
    }
    await this.#store.leases.runIfFree('log retention', work)
  }

  /** Stops after the current portion. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#job.stop()
  }
}
