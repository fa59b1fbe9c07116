/** A source of time, passed in so that tests can set it. */
export interface Clock {
  /** Returns epoch milliseconds, which jump when the machine's clock is set. */
  now(): number
  /** Returns milliseconds since an arbitrary moment, for measuring durations: they never jump. */
  elapsed(): number
}

export const systemClock: Clock = { now: Date.now, elapsed: () => performance.now() }
