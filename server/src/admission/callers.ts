import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { isUsable } from '../model/accounts.ts'
import { ApiError } from '../model/errors.ts'
import { planOf } from '../plans/plans.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { bearerSecret, bearerToken, hashSecret } from './key.ts'
import { TokenBucket } from './rate.ts'

const CACHED_CALLERS = 10_000
const WATCHED_ADDRESSES = 10_000

/** Limits on failed attempts per address. They do not apply to valid keys. */
const FAILURE_BURST = 600
const FAILURES_PER_MINUTE = 600

/** Authenticates requests by API key. */
export class Callers {
  readonly #store: Store
  readonly #clock: Clock
  readonly #pepper: string
  /** By Authorization header. */
  readonly #known = new LRUCache<string, Caller>({ max: CACHED_CALLERS })
  readonly #failures = new LRUCache<string, TokenBucket>({ max: WATCHED_ADDRESSES })
  #changes = 0

  constructor(store: Store, clock: Clock, pepper: string) {
    this.#store = store
    this.#clock = clock
    this.#pepper = pepper
  }

  /**
   * Returns the caller of an Authorization header, at once if it is cached. Throws 401, or 429 for an address that keeps
   * failing.
   */
  authenticate(header: string | undefined, address: string): Caller | Promise<Caller> {
    const known = header === undefined ? undefined : this.#known.get(header)
    return known !== undefined && this.#isValid(known) ? known : this.#identify(header, address)
  }

  /** Clears the cache after a change of a key or an account, so that the next request sees the change. */
  forget(): void {
    this.#changes += 1
    this.#known.clear()
  }

  async #identify(header: string | undefined, address: string): Promise<Caller> {
    const secret = bearerSecret(header)
    const changes = this.#changes
    const found = secret === undefined ? undefined : await this.#store.keys.findByHash(hashSecret(secret, this.#pepper))
    const caller = found && { ...found, plan: planOf(found.account) }
    if (header === undefined || caller === undefined || !this.#isValid(caller)) {
      this.#countFailure(address)
      throw new ApiError(
        'UNAUTHORIZED',
        bearerToken(header) === undefined
          ? 'Send your API key in the header "Authorization: Bearer <API_KEY>"'
          : 'This API key is not valid',
      )
    }
    // With other writers on the store nothing is cached, so that their revocations apply here. A value read during a
    // change may be outdated and is not cached either.
    if (this.#store.exclusive && changes === this.#changes) this.#known.set(header, caller)
    return caller
  }

  #isValid({ key, account }: Caller): boolean {
    return account.isActive && isUsable(key, this.#clock.now())
  }

  #countFailure(address: string): void {
    const bucket = this.#bucket(address)
    const waitMs = bucket.waitMs(FAILURE_BURST, FAILURES_PER_MINUTE, this.#clock.elapsed())
    if (waitMs > 0) throw tooManyFailures(waitMs)
    bucket.take()
  }

  #bucket(address: string): TokenBucket {
    const known = this.#failures.get(address)
    if (known !== undefined) return known
    const bucket = new TokenBucket()
    this.#failures.set(address, bucket)
    return bucket
  }
}

function tooManyFailures(waitMs: number): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', 'Too many requests without a valid API key from this address', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}
