import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { DAY, MINUTE, SECOND } from '../model/time.ts'
import type { Failures, SignInFailures } from '../store/users/failures.ts'

interface Limit {
  /** Attempts that need no pause. */
  free: number
  firstPauseMs?: number
  longestPauseMs: number
}

/** Limits by the subject that an attempt counts against. Many people may share a network, so its pauses stay short. */
const LIMITS = {
  /** An account, by the address that was entered. */
  user: { free: 5, longestPauseMs: 15 * MINUTE },
  network: { free: 20, longestPauseMs: MINUTE },
  /** A browser that has signed in to the account before: attempts of others do not delay it. */
  device: { free: 10, longestPauseMs: 15 * MINUTE },
  /** Mails of a purpose to an address. */
  mail: { free: 3, longestPauseMs: 15 * MINUTE },
  /** Sign-ups and requests for mail from a network. */
  request: { free: 20, longestPauseMs: MINUTE },
  /** Accounts that a network opens without confirming an address: each has credits to give away. */
  account: { free: 5, firstPauseMs: 10 * MINUTE, longestPauseMs: DAY },
} as const satisfies Record<string, Limit>

export type Subject = `${keyof typeof LIMITS}:${string}`

/** Returns the pause after a number of failures: none at first, then twice as long each time. */
export function pauseAfter(failures: number, { free, firstPauseMs = SECOND, longestPauseMs }: Limit): number {
  return failures < free ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - free))
}

/** An attempt that counts as failed until its outcome is known. */
export interface Attempt {
  /** Forgets the failures of users and browsers. Those of networks stay: the others may be an attacker's. */
  succeed(): Promise<void>
  /** Takes the attempt back: it was neither right nor wrong. */
  undo(): Promise<void>
}

/** Slows down guessing of passwords and codes. */
export class Throttle {
  readonly #failures: SignInFailures
  readonly #clock: Clock

  constructor(failures: SignInFailures, clock: Clock) {
    this.#failures = failures
    this.#clock = clock
  }

  /** Begins an attempt. Throws 429 during a pause. */
  async begin(...subjects: Subject[]): Promise<Attempt> {
    const begun = await this.tryToBegin(...subjects)
    if ('succeed' in begun) return begun
    const retryAfterSeconds = Math.ceil(begun.waitMs / SECOND)
    throw new ApiError('RATE_LIMIT_EXCEEDED', `Too many attempts; try again in ${retryAfterSeconds} s`, {
      retryAfterSeconds,
    })
  }

  /** Does the same, but returns the rest of a pause. */
  async tryToBegin(...subjects: Subject[]): Promise<Attempt | { waitMs: number }> {
    const at = this.#clock.now()
    const begun = await this.#failures.begin(subjects, at, (known) => waitOf(known, at))
    if ('waitMs' in begun) return begun
    const { before } = begun
    return {
      succeed: () => this.#failures.takeBack(before, at, isCleared),
      undo: () => this.#failures.takeBack(before, at, () => false),
    }
  }
}

const kindOf = ({ subject }: Failures) => subject.slice(0, subject.indexOf(':')) as keyof typeof LIMITS
const isCleared = (known: Failures) => ['user', 'device'].includes(kindOf(known))

/** A clock that was set back does not make a pause longer. */
function waitOf(known: Failures, now: number): number {
  const pause = pauseAfter(known.failures, LIMITS[kindOf(known)])
  return Math.min(pause, Math.max(0, known.lastAt + pause - now))
}
