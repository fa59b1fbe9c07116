import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { isUsable } from '../model/accounts.ts'
import { ApiError } from '../model/errors.ts'
import { planOf } from '../plans/plans.ts'
import type { Store } from '../store/store.ts'
import { AttemptLimit } from './attempt-limit.ts'
import type { Caller } from './caller.ts'
import { bearerSecret, bearerToken, hashSecret, isSessionToken } from './key.ts'

const CACHED_CALLERS = 10_000

/** Authenticates requests by API key, or by a token of a session. */
export class Callers {
  readonly #store: Store
  readonly #clock: Clock
  readonly #pepper: string
  /** By Authorization header. */
  readonly #known = new LRUCache<string, Caller>({ max: CACHED_CALLERS })
  readonly #failures: AttemptLimit
  #changes = 0

  constructor(store: Store, clock: Clock, pepper: string) {
    this.#store = store
    this.#clock = clock
    this.#pepper = pepper
    this.#failures = new AttemptLimit(clock)
  }

  /**
   * Returns the caller of an Authorization header, at once if it is cached. Throws 401, or 429 if the `client`, such as
   * an address, keeps failing.
   */
  authenticate(header: string | undefined, client: string): Caller | Promise<Caller> {
    const known = header === undefined ? undefined : this.#known.get(header)
    return known !== undefined && this.#isValid(known) ? known : this.#identify(header, client)
  }

  /** Clears the cache after a change of a key or an account, so that the next request sees the change. */
  forget(): void {
    this.#changes += 1
    this.#known.clear()
  }

  async #identify(header: string | undefined, client: string): Promise<Caller> {
    const secret = bearerSecret(header)
    const changes = this.#changes
    const found = secret === undefined ? undefined : await this.#find(secret)
    const caller = found && { ...found, plan: planOf(found.account) }
    if (header === undefined || caller === undefined || !this.#isValid(caller)) {
      this.#failures.count(client, 'Too many requests without a valid API key from this address')
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

  #find(secret: string) {
    const hash = hashSecret(secret, this.#pepper)
    const { keys, sessions } = this.#store
    return isSessionToken(secret, 'account') ? sessions.findCaller(hash) : keys.findByHash(hash)
  }

  #isValid({ key, account }: Caller): boolean {
    return account.isActive && isUsable(key, this.#clock.now())
  }
}
