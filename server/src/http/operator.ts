import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { FailureLimit, WATCHED_ADDRESSES } from '../admission/failure-limit.ts'
import { bearerToken } from '../admission/key.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { MINUTE } from '../model/time.ts'
import { type ClientAddresses, networkOf } from './client-address.ts'

/** Recognises the operator by the admin token. */
export class Operator {
  readonly #tokenHash: Buffer
  readonly #addresses: ClientAddresses
  readonly #clock: Clock
  readonly #log: Logger
  readonly #failures: FailureLimit
  /** Refusals by network, and when the last line about them was logged. */
  readonly #refusals = new LRUCache<string, { count: number; loggedAt: number }>({ max: WATCHED_ADDRESSES })

  constructor(parts: { adminToken: string; addresses: ClientAddresses; clock: Clock; log: Logger }) {
    this.#tokenHash = sha256(parts.adminToken)
    this.#addresses = parts.addresses
    this.#clock = parts.clock
    this.#log = parts.log
    this.#failures = new FailureLimit(parts.clock)
  }

  /** Throws 401, or 429 for an address that keeps failing. The right token always passes. */
  check(request: IncomingMessage): void {
    if (this.#hasToken(request)) return
    const address = this.#addresses.of(request)
    this.#logRefusal(address)
    this.#failures.count(networkOf(address), 'Too many requests without a valid admin token from this address')
    throw new ApiError('UNAUTHORIZED', 'Send the operator\'s token in the header "Authorization: Bearer <ADMIN_TOKEN>"')
  }

  /** Returns whether the operator calls an endpoint that is open to all. */
  isCalling(request: IncomingMessage): boolean {
    if (this.#hasToken(request)) return true
    if (request.headers.authorization !== undefined) this.#logRefusal(this.#addresses.of(request))
    return false
  }

  #hasToken({ headers }: IncomingMessage): boolean {
    const token = bearerToken(headers.authorization)
    return token !== undefined && timingSafeEqual(sha256(token), this.#tokenHash)
  }

  /** Logs one line a minute per network, with the number of refusals so far. */
  #logRefusal(address: string): void {
    const network = networkOf(address)
    const now = this.#clock.elapsed()
    const { count, loggedAt } = this.#refusals.get(network) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY }
    const isDue = now - loggedAt >= MINUTE
    this.#refusals.set(network, { count: count + 1, loggedAt: isDue ? now : loggedAt })
    if (isDue) this.#log.warn({ address, failures: count + 1 }, 'refused a wrong admin token')
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
