/** Time for reads per turn of the event loop. */
const BUDGET_MS = 5

/**
 * Spreads reads over turns of the event loop. Each read blocks it for a fraction of a millisecond, and one turn can bring
 * a request from each of hundreds of connections: answers, timers and other connections would wait for all of them.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = []
  #usedMs = 0
  #isNextTurnDue = false

  /** Runs a read in this turn, or in a later one if the time of this turn is used up. */
  async run<T>(read: () => T): Promise<T> {
    if (this.#usedMs >= BUDGET_MS || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    const from = performance.now()
    try {
      return read()
    } finally {
      this.#usedMs += performance.now() - from
      this.#planNextTurn()
      if (this.#usedMs < BUDGET_MS) this.#waiting.shift()?.()
    }
  }

  #planNextTurn(): void {
    if (this.#isNextTurnDue) return
    this.#isNextTurnDue = true
    setImmediate(() => {
      this.#isNextTurnDue = false
      this.#usedMs = 0
      this.#waiting.shift()?.()
    })
  }
}
