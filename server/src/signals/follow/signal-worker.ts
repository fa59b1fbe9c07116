import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { LOG_KEPT_MS } from '../../model/streams.ts'
import { MINUTE, SECOND } from '../../model/time.ts'
import { PeriodicJob } from '../../periodic-job.ts'
import { type Lease, LeaseTaken } from '../../store/leases.ts'
import type { Store } from '../../store/store.ts'
import type { Thresholds } from '../detect/thresholds.ts'
import { judgeDue } from '../outcomes/outcomes.ts'
import { SignalTask } from './signal-task.ts'

const POLL_MS = 400
const LEASE = 'signals'
/** The lease is released this often, so that other work of this process and other instances get it. */
const STRETCH_MS = 2 * SECOND
/** Pause after a failure. */
const PAUSE_MS = 10 * SECOND

/** Background work of signals: detection, outcomes, and pruning of the signal log. */
export class SignalWorker {
  readonly #store: Store
  readonly #clock: Clock
  readonly #thresholds: Thresholds
  readonly #onLogged: () => Promise<void>
  readonly #task: SignalTask
  readonly #onError: (error: unknown) => void
  #jobs: PeriodicJob[] = []
  readonly #stopping = new AbortController()
  /** The work under way. */
  #stretch: Promise<void> | undefined

  /** `onLogged` is called after new events were added to the log. */
  constructor(parts: {
    store: Store
    clock: Clock
    thresholds: Thresholds
    onLogged: () => Promise<void>
    onError: (error: unknown) => void
  }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#thresholds = parts.thresholds
    this.#onLogged = parts.onLogged
    this.#onError = parts.onError
    this.#task = new SignalTask(parts)
  }

  /** Marks the data already in the store as processed, then works in the background. */
  async start(): Promise<void> {
    await this.#task.begin()
    let pausedUntil = 0
    const poll = async () => {
      if (performance.now() >= pausedUntil) await this.catchUp()
    }
    this.#jobs = [
      new PeriodicJob(POLL_MS, poll, (error) => {
        pausedUntil = performance.now() + PAUSE_MS
        this.#onError(error)
      }),
      new PeriodicJob(MINUTE, () => this.tidy(), this.#onError),
    ]
    for (const job of this.#jobs) job.start()
  }

  /** Processes all new observations. */
  async catchUp(): Promise<void> {
    while (!this.#isStopped() && (await this.#task.isBehind())) {
      this.#stretch ??= this.#work().finally(() => {
        this.#stretch = undefined
      })
      await this.#stretch
    }
  }

  /** Evaluates due signals and prunes the log. */
  tidy(): Promise<void> {
    // Without verification: an outcome is written only once, and removing old events twice is harmless.
    return this.#underLease(async () => {
      const now = this.#clock.now()
      while (!this.#isStopped() && (await judgeDue(this.#store, this.#thresholds.outcome, now))) await setImmediate()
      await this.#store.signalLog.prune(now - LOG_KEPT_MS)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const job of this.#jobs) await job.stop()
  }

  async #work(): Promise<void> {
    // Most of the progress of other instances can be read without the lease.
    await this.#task.recall()
    await this.#underLease(async (lease) => {
      const end = performance.now() + STRETCH_MS
      do if ((await this.#task.step(lease)) > 0) await this.#onLogged()
      while (!this.#isStopped() && performance.now() < end && (await this.#task.isBehind()))
    })
  }

  /** Runs `work` under the lease, or not at all if this instance stops while another one holds it. */
  async #underLease(work: (lease: Lease) => Promise<void>): Promise<void> {
    try {
      await this.#store.leases.run(LEASE, work, { signal: this.#stopping.signal })
    } catch (error) {
      if (!(error instanceof LeaseTaken)) throw error
    }
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }
}
