import { HOUR, MINUTE } from '../model/time.ts'
import type { Connector, PollEnd } from './connector.ts'

const FASTER = 0.7
const SLOWER = 1.3
/** Runs are spread by this share of their interval, so that sources do not stay in step. */
const JITTER = 0.1
const FIRST_RETRY_MS = MINUTE
/** The longest pause of a failing source, as a multiple of its usual longest one, and at most. */
const LONGEST_RETRY = { times: 60, ms: 6 * HOUR }

/** The longest pause after a failure without an answer, which is probably one of the network, and soon over. */
const LONGEST_UNANSWERED_MS = 10 * MINUTE

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

export interface Failure {
  isAnswered: boolean
  /** Time until the next attempt, as the server asked for. */
  retryAfterMs?: number | undefined
}

/** Plans the run after a failure. Earlier failures without an answer do not lengthen the pause after an answered one. */
export function afterFailure(
  everyMs: number,
  { failures, unanswered }: { failures: number; unanswered: number },
  { isAnswered, retryAfterMs }: Failure,
  { most }: Connector['every'],
  now: number,
  random: () => number,
): NextRun {
  const count = 1 + failures - (isAnswered ? unanswered : 0)
  const longest = Math.min(LONGEST_RETRY.times * most, isAnswered ? LONGEST_RETRY.ms : LONGEST_UNANSWERED_MS)
  const pause = count >= FAILING_AFTER ? longest : Math.min(FIRST_RETRY_MS * 4 ** (count - 1), longest)
  return { everyMs, nextRunAt: now + Math.max(spread(pause, random), retryAfterMs ?? 0) }
}

const spread = (ms: number, random: () => number) => Math.round(ms * (1 + JITTER * (2 * random() - 1)))
