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
/** Headers are cached up to this length. Those with a key or a token are shorter; longer ones are padded, and would fill the memory. */
const MAX_CACHED_HEADER = 64
/**
 * How long a caller is cached if other instances can change it. Should the version that they change be lost, the change
 * applies after this time.
 */
export const SHARED_CACHE_MS = 5_000

/** Versions of accounts. Each change of an account, its keys or its sessions gives it another version, on every instance. */
export interface AccountVersions {
  /** Returns the last known version, or undefined if callers of the account must not be cached. */
  versionOf(accountId: string | undefined): string | undefined
  /** Gives the account another version. Returns false if that failed. */
  renewVersion(accountId: string): Promise<boolean>
}

/** Versions of an engine with a single process, which clears its cache at each change. */
export const ONE_VERSION: AccountVersions = { versionOf: () => 'only', renewVersion: async () => true }
/** Versions of instances that know nothing of each other: they cache no callers, so that all changes apply. */
export const NO_VERSIONS: AccountVersions = { versionOf: () => undefined, renewVersion: async () => true }

/** Authenticates requests by API key, or by a token of a session. */
export class Callers {
  readonly #store: Store
  readonly #clock: Clock
  readonly #pepper: string
  readonly #versions: AccountVersions
  /** By Authorization header, with the hash of its secret. A caller without a version must be read again; it tells the account. */
  readonly #known = new LRUCache<string, { caller: Caller; readAt: number; hash: string }>({ max: CACHED_CALLERS })
  readonly #failures: AttemptLimit
  #changes = 0

  constructor(deps: { store: Store; clock: Clock; pepper: string; versions: AccountVersions }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#pepper = deps.pepper
    this.#versions = deps.versions
    this.#failures = new AttemptLimit(deps.clock)
  }

  /**
   * Returns the caller of an Authorization header, at once if it is cached. Throws 401, or 429 if the `client`, such as
   * an address, keeps failing.
   */
  authenticate(header: string | undefined, client: string): Caller | Promise<Caller> {
    const known = header === undefined ? undefined : this.#known.get(header)
    return known !== undefined && this.#isCurrent(known) && this.#isValid(known.caller)
      ? known.caller
      : this.identify(header, client)
  }

  /** Clears the cache after a change of a key or an account, so that the next request sees the change. */
  forget(): void {
    this.#changes += 1
    this.#known.clear()
  }

  /** Reads the caller of an Authorization header from the store. Throws as `authenticate` does. */
  async identify(header: string | undefined, client: string): Promise<Caller> {
    const secret = bearerSecret(header)
    const changes = this.#changes
    const readAt = performance.now()
    const before = header === undefined ? undefined : this.#known.get(header)
    // The version from before the caller is read: with a later one, a change in between would go unnoticed.
    const version = this.#versions.versionOf(before?.caller.account.id)
    const hash = before?.hash ?? (secret && hashSecret(secret, this.#pepper))
    const found = secret && hash ? await this.#find(secret, hash) : undefined
    const caller = found && { ...found, plan: planOf(found.account) }
    if (header === undefined || !hash || caller === undefined || !this.#isValid(caller)) {
      this.#failures.count(client, 'Too many requests without a valid API key from this address')
      throw new ApiError(
        'UNAUTHORIZED',
        bearerToken(header) === undefined
          ? 'Send your API key in the header "Authorization: Bearer <API_KEY>"'
          : 'This API key is not valid',
      )
    }
    // A value read during a change may be outdated and is not cached.
    if (changes === this.#changes && header.length <= MAX_CACHED_HEADER) {
      this.#known.set(header, { caller: version === undefined ? caller : { ...caller, version }, readAt, hash })
    }
    return caller
  }

  #find(secret: string, hash: string) {
    const { keys, sessions } = this.#store
    return isSessionToken(secret, 'account') ? sessions.findCaller(hash) : keys.findByHash(hash)
  }

  #isCurrent({ caller, readAt }: { caller: Caller; readAt: number }): boolean {
    if (this.#store.exclusive) return true
    const { version, account } = caller
    return (
      version !== undefined &&
      version === this.#versions.versionOf(account.id) &&
      performance.now() - readAt < SHARED_CACHE_MS
    )
  }

  #isValid({ key, account }: Caller): boolean {
    return account.isActive && isUsable(key, this.#clock.now())
  }
}
