import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

/** Adjustments by a time service are smaller. */
const MIN_JUMP_MS = 2_000

/** Returns a check that logs by how much the machine's clock was set since the previous check. */
export function clockWatch(clock: Clock, log: Pick<Logger, 'warn'>): () => Promise<void> {
  let origin = clock.now() - clock.elapsed()
  return async () => {
    const current = clock.now() - clock.elapsed()
    const jumpMs = Math.round(current - origin)
    // Kept otherwise, so that many small steps in one direction are noticed too.
    if (Math.abs(jumpMs) < MIN_JUMP_MS) return
    origin = current
    log.warn({ jumpMs }, "the machine's clock was set")
  }
}
