/** The sandbox's source of time. `Date` is one; tests pass a clock that they move. */
export interface SandboxClock {
  /** Returns epoch milliseconds. */
  now(): number
}

/** Storage counts milliseconds, Stripe's objects count seconds. */
export const SECOND_MS = 1_000
export const DAY_SECONDS = 24 * 60 * 60
