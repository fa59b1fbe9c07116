import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { every } from '../../every.ts'
import { LOG_KEPT_MS } from '../../model/streams.ts'
import { MINUTE, SECOND } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { Thresholds } from '../detect/thresholds.ts'
import { judgeDue } from '../outcomes/outcomes.ts'
import { SignalTask } from './signal-task.ts'

const POLL_MS = 400
/** One instance works at a time. This is how long it may keep the others waiting, and delay its own stop. */
const TURN_MS = 2 * SECOND
/** Pause after a failure. */
const PAUSE_MS = 10 * SECOND

/** Background work of signals: detection, outcomes, and pruning of the signal log. */
export class SignalWorker {
  readonly #store: Store
  readonly #clock: Clock
  readonly #thresholds: Thresholds
  readonly #onLogged: () => Promise<void>
  readonly #task: SignalTask
  #timers: { stop(): Promise<void> }[] = []
  #isStopped = false
  #lastTurn: Promise<unknown> = Promise.resolve()

  /** `onLogged` is called after new events were added to the log. */
  constructor(parts: { store: Store; clock: Clock; thresholds: Thresholds; onLogged: () => Promise<void> }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#thresholds = parts.thresholds
    this.#onLogged = parts.onLogged
    this.#task = new SignalTask(parts)
  }

  /** Marks the data already in the store as processed. Call it before ingest starts. */
  begin(): Promise<void> {
    return this.#alone(() => this.#task.begin())
  }

  /** Starts the background work. */
  start(onError: (error: unknown) => void): void {
    let pausedUntil = 0
    const poll = async () => {
      if (performance.now() >= pausedUntil) await this.catchUp()
    }
    this.#timers = [
      every(POLL_MS, poll, (error) => {
        pausedUntil = performance.now() + PAUSE_MS
        onError(error)
      }),
      every(MINUTE, () => this.tidy(), onError),
    ]
  }

  /** Processes all new observations. */
  async catchUp(): Promise<void> {
    while (!this.#isStopped && (await this.#task.isBehind())) {
      const turn = this.#lastTurn.then(() => this.#turn())
      this.#lastTurn = turn.catch(() => {})
      await turn
    }
  }

  /** Evaluates due signals and prunes the log. */
  tidy(): Promise<void> {
    return this.#alone(async () => {
      const now = this.#clock.now()
      while (!this.#isStopped && (await judgeDue(this.#store, this.#thresholds.outcome, now))) await setImmediate()
      await this.#store.signalLog.prune(now - LOG_KEPT_MS)
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) await timer.stop()
  }

  /** Works for up to `TURN_MS`, while no other instance does. */
  async #turn(): Promise<void> {
    const end = performance.now() + TURN_MS
    const mayContinue = () => !this.#isStopped && performance.now() < end
    // Most of the progress of other instances can be read without the lock.
    await this.#task.recall()
    await this.#alone(async () => {
      do if ((await this.#task.step()) > 0) await this.#onLogged()
      while (mayContinue() && (await this.#task.isBehind()))
    })
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#store.alone('signals', work)
  }
}
