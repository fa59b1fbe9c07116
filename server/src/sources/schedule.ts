import { HOUR, MINUTE } from '../model/time.ts'
import type { Connector, PollEnd } from './connector.ts'

const FASTER = 0.7
const SLOWER = 1.3
/** Runs are spread by this share of their interval, so that sources do not stay in step. */
const JITTER = 0.1
const FIRST_RETRY_MS = MINUTE
/** The longest pause of a failing source, as a multiple of its usual longest one, and at most. */
const LONGEST_RETRY = { times: 60, ms: 6 * HOUR }

/** After this many failures in a row a source counts as failing, and is read as rarely as the pause allows. */
export const FAILING_AFTER = 5

export interface NextRun {
  nextRunAt: number
  everyMs: number
}

/** Plans the run after a success: more often while there is something new, less often otherwise. */
export function afterSuccess(
  everyMs: number,
  { isChanged, leastMs = 0 }: PollEnd,
  limits: Connector['every'],
  now: number,
  random: () => number,
): NextRun {
  const next = (everyMs === 0 ? limits.first : everyMs) * (isChanged ? FASTER : SLOWER)
  const adapted = everyMs === 0 ? limits.first : Math.round(Math.min(Math.max(next, limits.least), limits.most))
  const pause = Math.max(spread(adapted, random), leastMs)
  return { everyMs: adapted, nextRunAt: now + pause }
}

/** Plans the run after a failure, which is the `failures`th in a row. */
export function afterFailure(
  everyMs: number,
  failures: number,
  retryAfterMs: number | undefined,
  { most }: Connector['every'],
  now: number,
  random: () => number,
): NextRun {
  const longest = Math.min(LONGEST_RETRY.times * most, LONGEST_RETRY.ms)
  const pause = failures >= FAILING_AFTER ? longest : Math.min(FIRST_RETRY_MS * 4 ** (failures - 1), longest)
  return { everyMs, nextRunAt: now + Math.max(spread(pause, random), retryAfterMs ?? 0) }
}

const spread = (ms: number, random: () => number) => Math.round(ms * (1 + JITTER * (2 * random() - 1)))
