/** Time for reads per turn of the event loop, with the work between them: rendering an answer takes as long as reading it. */
const BUDGET_MS = 2

/**
 * Spreads reads over turns of the event loop. Each read blocks it for a fraction of a millisecond, and one turn can bring
 * a request from each of hundreds of connections: answers, timers and other connections would wait for all of them.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = []
  /** When the first read of this turn began. */
  #startedAt: number | undefined

  /** Runs a read in this turn, or in a later one if the time of this turn is used up. */
  async run<T>(read: () => T): Promise<T> {
    if (this.#waiting.length > 0 || this.#isUsedUp()) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#startTurn()
    try {
      return read()
    } finally {
      if (!this.#isUsedUp()) this.#waiting.shift()?.()
    }
  }

  #isUsedUp(): boolean {
    return this.#startedAt !== undefined && performance.now() - this.#startedAt >= BUDGET_MS
  }

  #startTurn(): void {
    if (this.#startedAt !== undefined) return
    this.#startedAt = performance.now()
    setImmediate(() => {
      this.#startedAt = undefined
      this.#waiting.shift()?.()
    })
  }
}
