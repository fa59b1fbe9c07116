import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { FailureLimit, WATCHED_ADDRESSES } from '../admission/failure-limit.ts'
import type { Operators } from '../admission/operators.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { includesScope, type Operator, type OperatorScope } from '../model/operators.ts'
import { MINUTE } from '../model/time.ts'
import { type ClientAddresses, networkOf } from './client-address.ts'

/** Admits operators by their tokens, and slows down clients that guess them. */
export class OperatorGate {
  readonly #operators: Operators
  readonly #addresses: ClientAddresses
  readonly #clock: Clock
  readonly #log: Logger
  readonly #failures: FailureLimit
  /** Refusals by network, and when the last line about them was logged. */
  readonly #refusals = new LRUCache<string, { count: number; loggedAt: number }>({ max: WATCHED_ADDRESSES })

  constructor(parts: { operators: Operators; addresses: ClientAddresses; clock: Clock; log: Logger }) {
    this.#operators = parts.operators
    this.#addresses = parts.addresses
    this.#clock = parts.clock
    this.#log = parts.log
    this.#failures = new FailureLimit(parts.clock)
  }

  /** Returns the operator. Throws 401, or 429 for an address that keeps failing; a valid token always passes. */
  async check(request: IncomingMessage): Promise<Operator> {
    const operator = await this.#operators.find(request.headers.authorization)
    if (operator !== undefined) return operator
    const address = this.#addresses.of(request)
    if (request.headers.authorization !== undefined) this.#logRefusal(address)
    this.#failures.count(networkOf(address), 'Too many requests without a valid admin token from this address')
    throw new ApiError(
      'UNAUTHORIZED',
      'Send a valid admin token in the header "Authorization: Bearer <ADMIN_TOKEN>"; a revoked one is refused',
    )
  }

  /** Returns whether the operator calls an endpoint that is open to all. */
  async isCalling(request: IncomingMessage): Promise<boolean> {
    const { authorization } = request.headers
    if ((await this.#operators.find(authorization)) !== undefined) return true
    if (authorization !== undefined) this.#logRefusal(this.#addresses.of(request))
    return false
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

/** Throws 403 if the token of the operator has less than the scope. */
export function requireScope({ name, scope }: Operator, needed: OperatorScope): void {
  if (includesScope(scope, needed)) return
  throw new ApiError('FORBIDDEN', `This needs a token with the scope "${needed}"; "${name}" has the scope "${scope}"`)
}
