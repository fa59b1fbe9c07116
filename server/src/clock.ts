/** The time, passed in wherever it matters so that tests can move it. */
export interface Clock {
  /** Epoch milliseconds. They jump when someone sets the clock of the machine. */
  now(): number
  /** Milliseconds since some moment before the start; they never jump, so durations are measured with them. */
  elapsed(): number
}

export const systemClock: Clock = { now: Date.now, elapsed: () => performance.now() }
