import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { AttemptLimit } from '../admission/attempt-limit.ts'
import type { Operators } from '../admission/operators.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../model/errors.ts'
import { includesScope, type Operator, type OperatorScope } from '../model/operators.ts'
import { RepeatedLines } from '../repeated-lines.ts'
import { type ClientAddresses, networkOf } from './client-address.ts'

/** Admits operators by their tokens, and slows down clients that guess them. */
export class OperatorGate {
  readonly #operators: Operators
  readonly #addresses: ClientAddresses
  readonly #log: Logger
  readonly #failures: AttemptLimit
  /** By network. */
  readonly #refusals: RepeatedLines

  constructor(parts: { operators: Operators; addresses: ClientAddresses; clock: Clock; log: Logger }) {
    this.#operators = parts.operators
    this.#addresses = parts.addresses
    this.#log = parts.log
    this.#failures = new AttemptLimit(parts.clock)
    this.#refusals = new RepeatedLines(parts.clock)
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

  #logRefusal(address: string): void {
    const failures = this.#refusals.count(networkOf(address))
    if (failures !== undefined) this.#log.warn({ address, failures }, 'refused a wrong admin token')
  }
}

/** Throws 403 if the token of the operator has less than the scope. */
export function requireScope({ name, scope }: Operator, needed: OperatorScope): void {
  if (includesScope(scope, needed)) return
  throw new ApiError('FORBIDDEN', `This needs a token with the scope "${needed}"; "${name}" has the scope "${scope}"`)
}
