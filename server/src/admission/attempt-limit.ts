import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { TokenBucket } from './rate.ts'

const WATCHED_CLIENTS = 10_000
/** Attempts without a valid key or token. Valid ones do not count. */
const FAILURES_PER_MINUTE = 600

/** Limits attempts of each client: a minute's number at once, then as many a minute. */
export class AttemptLimit {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: WATCHED_CLIENTS })

  constructor(clock: Clock, perMinute = FAILURES_PER_MINUTE) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** Counts an attempt. Throws 429 with the message for a client with too many. */
  count(client: string, message: string): void {
    const bucket = this.#bucket(client)
    const waitMs = bucket.waitMs(this.#perMinute, this.#perMinute, this.#clock.elapsed())
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
