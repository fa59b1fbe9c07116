import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { LOG_KEPT_MS } from '../../model/streams.ts'
import { MINUTE, SECOND } from '../../model/time.ts'
import { PeriodicJob } from '../../periodic-job.ts'
import type { Store } from '../../store/store.ts'
import type { Thresholds } from '../detect/thresholds.ts'
import { judgeDue } from '../outcomes/outcomes.ts'
import { SignalTask } from './signal-task.ts'

const LOOK_EVERY_MS = 400
/** Of several instances one works at a time; the others get their turn, and their chance to stop, this often. */
const TURN_MS = 2 * SECOND
/** After a failure. */
const REST_MS = 10 * SECOND

/** What makes signals and keeps them true: detection, outcomes, and the log of the last day. */
export class Signalling {
  readonly #store: Store
  readonly #clock: Clock
  readonly #thresholds: Thresholds
  readonly #onLogged: () => Promise<void>
  readonly #task: SignalTask
  readonly #onError: (error: unknown) => void
  #jobs: PeriodicJob[] = []
  #isStopped = false
  #lastTurn: Promise<unknown> = Promise.resolve()

  /** `onLogged` is called when something is new in the log. */
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

  /** Marks what is in the store already as history, and works in the background from then on. */
  async start(): Promise<void> {
    await this.#alone(() => this.#task.begin())
    let restUntil = 0
    const look = async () => {
      if (performance.now() >= restUntil) await this.catchUp()
    }
    this.#jobs = [
      new PeriodicJob(LOOK_EVERY_MS, look, (error) => {
        restUntil = performance.now() + REST_MS
        this.#onError(error)
      }),
      new PeriodicJob(MINUTE, () => this.tidy(), this.#onError),
    ]
    for (const job of this.#jobs) job.start()
  }

  /** Works until everything that came in has been looked at. */
  async catchUp(): Promise<void> {
    while (!this.#isStopped && (await this.#task.isBehind())) {
      const turn = this.#lastTurn.then(() => this.#turn())
      this.#lastTurn = turn.catch(() => {})
      await turn
    }
  }

  /** Looks what came of signals whose time is over, and forgets what was logged too long ago. */
  tidy(): Promise<void> {
    return this.#alone(async () => {
      const now = this.#clock.now()
      while (!this.#isStopped && (await judgeDue(this.#store, this.#thresholds.outcome, now))) await setImmediate()
      await this.#store.signalLog.prune(now - LOG_KEPT_MS)
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const job of this.#jobs) await job.stop()
  }

  /** Does some work, one turn after the other and alone among the instances. */
  async #turn(): Promise<void> {
    const end = performance.now() + TURN_MS
    const mayGoOn = () => !this.#isStopped && performance.now() < end
    // What others did meanwhile can mostly be learned without holding them up.
    await this.#task.recall()
    await this.#alone(async () => {
      do if ((await this.#task.step()) > 0) await this.#onLogged()
      while (mayGoOn() && (await this.#task.isBehind()))
    })
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#store.alone('signals', work)
  }
}
