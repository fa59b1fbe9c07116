import { hash } from 'node:crypto'
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
  readonly #known = new LRUCache<string, Caller>({ max: CACHED_CALLERS })
  readonly #failures = new LRUCache<string, TokenBucket>({ max: WATCHED_ADDRESSES })
  #changes = 0

  constructor(store: Store, clock: Clock, pepper: string) {
    this.#store = store
    this.#clock = clock
    this.#pepper = pepper
  }

  /** Returns the caller of an Authorization header. Throws 401, or 429 for an address that keeps failing. */
  async authenticate(header: string | undefined, address: string): Promise<Caller> {
    const secret = bearerSecret(header)
    const caller = secret === undefined ? undefined : await this.#find(secret)
    if (caller === undefined || !this.#isValid(caller)) {
      this.#countFailure(address)
      throw new ApiError(
        'UNAUTHORIZED',
        bearerToken(header) === undefined
          ? 'Send your API key in the header "Authorization: Bearer <API_KEY>"'
          : 'This API key is not valid',
      )
    }
    return caller
  }

  /** Clears the cache after a change of a key or an account, so that the next request sees the change. */
  forget(): void {
    this.#changes += 1
    this.#known.clear()
  }

  async #find(secret: string): Promise<Caller | undefined> {
    // A plain hash is safe here: keys have too much entropy to guess, and it never leaves the process.
    const fingerprint = hash('sha256', secret)
    const known = this.#known.get(fingerprint)
    if (known !== undefined) return known
    const changes = this.#changes
    const found = await this.#store.keys.findByHash(hashSecret(secret, this.#pepper))
    if (found === undefined) return undefined
    const caller = { ...found, plan: planOf(found.account) }
    // With other writers on the store nothing is cached, so that their revocations apply here. A value read during a
    // change may be outdated and is not cached either.
    if (this.#store.exclusive && changes === this.#changes) this.#known.set(fingerprint, caller)
    return caller
  }

  #isValid({ key, account }: Caller): boolean {
    return account.isActive && isUsable(key, this.#clock.now())
  }

  #countFailure(address: string): void {
    const bucket = this.#bucket(address)
    const waitMs = bucket.waitMs(FAILURE_BURST, FAILURES_PER_MINUTE, this.#clock.now())
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
