import type { Part } from './parts.ts'

/** Runs `work` periodically, never twice at once. Failures are reported, and the next run tries again. */
export class PeriodicJob implements Part {
  readonly #everyMs: number
  readonly #work: () => Promise<void>
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void) {
    this.#everyMs = everyMs
    this.#work = work
    this.#onError = onError
  }

  start(): void {
    this.#timer = setInterval(() => this.run(), this.#everyMs).unref()
  }

  /** Runs at once, unless it is running. */
  run(): void {
    this.#running ??= this.#work()
      .catch(this.#onError)
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }
}
