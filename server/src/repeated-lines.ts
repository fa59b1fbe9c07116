import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

const EVERY_MS = 60_000
const WATCHED_KINDS = 10_000

/** Limits the lines about events that may occur many times a second to one a minute of each kind. */
export class RepeatedLines {
  readonly #clock: Clock
  readonly #kinds = new LRUCache<string, { count: number; loggedAt: number }>({ max: WATCHED_KINDS })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts an event. Returns the number of its kind so far if a line about it is due. */
  count(kind: string): number | undefined {
    const now = this.#clock.elapsed()
    const known = this.#kinds.get(kind) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY }
    const isDue = now - known.loggedAt >= EVERY_MS
    const count = known.count + 1
    this.#kinds.set(kind, { count, loggedAt: isDue ? now : known.loggedAt })
    return isDue ? count : undefined
  }
}

/** Logs an error under the failed action, with further fields of its line. */
export type LogError = (error: unknown, message: string, fields?: Record<string, unknown>) => void

/** Returns a function that logs the same error of the same action once a minute, with the number of failures so far. */
export function createErrorLog(log: Logger, clock: Clock): LogError {
  const lines = new RepeatedLines(clock)
  return (error, message, fields) => {
    const failures = lines.count(`${message}: ${error instanceof Error ? error.message : String(error)}`)
    if (failures !== undefined) log.error({ ...fields, err: error, failures }, message)
  }
}
