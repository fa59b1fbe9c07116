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

const REMEMBERED_CALLERS = 10_000
const WATCHED_ADDRESSES = 10_000

/** Failed attempts an address may make: a burst, then a steady trickle. Valid keys are not held to it. */
const STRANGER_BURST = 600
const STRANGER_PER_MINUTE = 600

/** Finds out who is calling. */
export class Callers {
  readonly #store: Store
  readonly #clock: Clock
  readonly #pepper: string
  readonly #known = new LRUCache<string, Caller>({ max: REMEMBERED_CALLERS })
  readonly #strangers = new LRUCache<string, TokenBucket>({ max: WATCHED_ADDRESSES })
  #changes = 0

  constructor(store: Store, clock: Clock, pepper: string) {
    this.#store = store
    this.#clock = clock
    this.#pepper = pepper
  }

  /** The caller behind an Authorization header; throws 401, or 429 for an address that keeps failing. */
  async authenticate(header: string | undefined, address: string): Promise<Caller> {
    const secret = bearerSecret(header)
    const caller = secret === undefined ? undefined : await this.#find(secret)
    if (caller === undefined || !this.#isValid(caller)) {
      this.#countStranger(address)
      throw new ApiError(
        'UNAUTHORIZED',
        bearerToken(header) === undefined
          ? 'Send your API key in the header "Authorization: Bearer <API_KEY>"'
          : 'This API key is not valid',
      )
    }
    return caller
  }

  /** To be called when a key or an account has changed: the next call sees the change. */
  forget(): void {
    this.#changes += 1
    this.#known.clear()
  }

  async #find(secret: string): Promise<Caller | undefined> {
    // A key has too much entropy to be guessed from this; the pepper is for what leaves the process.
    const fingerprint = hash('sha256', secret)
    const known = this.#known.get(fingerprint)
    if (known !== undefined) return known
    const changes = this.#changes
    const found = await this.#store.keys.findByHash(hashSecret(secret, this.#pepper))
    if (found === undefined) return undefined
    const caller = { ...found, plan: planOf(found.account) }
    // Where other processes write too, a revocation there must be seen here: nothing is remembered. Nor is what
    // was read while something changed: it may be from before the change.
    if (this.#store.exclusive && changes === this.#changes) this.#known.set(fingerprint, caller)
    return caller
  }

  #isValid({ key, account }: Caller): boolean {
    return account.isActive && isUsable(key, this.#clock.now())
  }

  #countStranger(address: string): void {
    const wait = this.#waitMs(address)
    if (wait > 0) throw tooManyStrangers(wait)
    this.#bucket(address).take()
  }

  #waitMs(address: string): number {
    return this.#bucket(address).waitMs(STRANGER_BURST, STRANGER_PER_MINUTE, this.#clock.now())
  }

  #bucket(address: string): TokenBucket {
    const known = this.#strangers.get(address)
    if (known !== undefined) return known
    const bucket = new TokenBucket()
    this.#strangers.set(address, bucket)
    return bucket
  }
}

function tooManyStrangers(waitMs: number): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', 'Too many requests without a valid API key from this address', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}
