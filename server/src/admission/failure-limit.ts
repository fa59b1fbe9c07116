import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { TokenBucket } from './rate.ts'

const WATCHED_ADDRESSES = 10_000
const FAILURE_BURST = 600
const FAILURES_PER_MINUTE = 600

/** Limits attempts without a valid key or token per client. It does not apply to valid ones. */
export class FailureLimit {
  readonly #clock: Clock
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: WATCHED_ADDRESSES })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a failed attempt. Throws 429 with the message for a client that keeps failing. */
  count(client: string, message: string): void {
    const bucket = this.#bucket(client)
    const waitMs = bucket.waitMs(FAILURE_BURST, FAILURES_PER_MINUTE, this.#clock.elapsed())
    if (waitMs > 0) {
      throw new ApiError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
    }
    bucket.take()
  }

  #bucket(client: string): TokenBucket {
    const known = this.#buckets.get(client)
    if (known !== undefined) return known
    const bucket = new TokenBucket()
    this.#buckets.set(client, bucket)
    return bucket
  }
}
