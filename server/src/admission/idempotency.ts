import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { ApiError, CommitUnknown } from '../model/errors.ts'
import { DAY, MINUTE, SECOND } from '../model/time.ts'
import type { IdempotentRequest, IdempotentRequests } from '../store/accounts/idempotent-requests.ts'

const REMEMBERED_MS = DAY
/** No request runs for longer: the service ended while it ran. */
const LONGEST_RUN_MS = MINUTE
const WAIT_MS = 10 * SECOND
const POLL_EVERY_MS = 50
const KEY = /^[\x21-\x7e]{1,255}$/

/** Runs a request with an Idempotency-Key at most once, and answers its repetitions like the first one. */
export class Idempotency {
  readonly #requests: IdempotentRequests
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void

  constructor(parts: { requests: IdempotentRequests; clock: Clock; onError: (error: unknown) => void }) {
    this.#requests = parts.requests
    this.#clock = parts.clock
    this.#onError = parts.onError
  }

  /**
   * Returns the answer of the first request with this key, or undefined if this one is the first; then `finish` or
   * `fail` must follow.
   */
  async start(request: IdempotentRequest): Promise<string | undefined> {
    if (!KEY.test(request.key)) {
      throw new ApiError('BAD_REQUEST', 'Idempotency-Key must have 1 to 255 visible ASCII characters')
    }
    const waitUntil = performance.now() + WAIT_MS
    for (;;) {
      const now = this.#clock.now()
      const known = await this.#requests.start(request, now, now - REMEMBERED_MS)
      if (known === undefined) return undefined
      if (known.digest !== request.digest) {
        throw new ApiError('BAD_REQUEST', 'This Idempotency-Key was used for another request within the last 24 hours')
      }
      if (known.answer !== null) return known.answer
      if (now - known.startedAt > LONGEST_RUN_MS) {
        throw new ApiError(
          'BAD_REQUEST',
          'The service ended during the first request with this Idempotency-Key; look at its effect, then use another key',
        )
      }
      if (performance.now() > waitUntil) {
        throw new ApiError('INTERNAL_ERROR', 'The first request with this Idempotency-Key is still running', {
          retryAfterSeconds: WAIT_MS / SECOND,
        })
      }
      await delay(POLL_EVERY_MS)
    }
  }

  /** Keeps the answer. If that fails, a repetition learns that the outcome is unknown: the effect takes place once. */
  async finish(request: IdempotentRequest, answer: string): Promise<void> {
    await this.#requests.finish(request, answer).catch(this.#onError)
  }

  /** Frees the key, since a request that fails has no effect, unless nobody knows whether it has one. */
  async fail(request: IdempotentRequest, error: unknown): Promise<void> {
    if (!(error instanceof CommitUnknown)) await this.#requests.forget(request).catch(this.#onError)
  }
}
