import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../admission/caller.ts'
import { gateError } from '../admission/gate.ts'
import type { ApiError } from '../model/errors.ts'
import { restrictionError } from '../model/key-restrictions.ts'
import { http } from '../node-http.ts'
import { baseCost, effectiveCost } from '../plans/cost.ts'
import { toApiError } from './answer.ts'
import { type ParsedInput, parseInput, type Route } from './input.ts'

/** The result of checking a request: a refusal, or its input and its cost. */
export interface Checked {
  refusal: ApiError | undefined
  input?: ParsedInput
  cost: number
}

const NO_SOCKET = new Socket()

/** A request that is routed and checked, but not served. */
export class AssessedRequest extends http.IncomingMessage {
  readonly caller: Caller
  readonly checked: Promise<Checked & { route: Route<never> | undefined }>
  readonly routed: (checked: Checked & { route: Route<never> | undefined }) => void

  constructor(caller: Caller, method: string, url: string) {
    super(NO_SOCKET)
    this.method = method
    this.url = url
    this.caller = caller
    const { promise, resolve } = Promise.withResolvers<Checked & { route: Route<never> | undefined }>()
    this.checked = promise
    this.routed = resolve
  }
}

/**
 * Checks the restrictions of the key and the plan, parses the input and computes the cost. Changes nothing. Without a
 * route, `unrouted` returns the refusal; without a `body`, none is read. Without an `address`, any is allowed: the caller has
 * passed that check already.
 */
export function checkRequest(
  route: Route<never> | undefined,
  unrouted: (() => ApiError) | undefined,
  request: FastifyRequest,
  body: string | ApiError | undefined,
  caller: Caller,
  address: string | undefined,
): Checked {
  const restricted = restrictionError(caller.key, { scope: route?.scope, address })
  if (route === undefined || restricted !== undefined) return { refusal: restricted ?? unrouted?.(), cost: 0 }
  const { endpoint } = route
  const refusal = gateError(caller, endpoint)
  if (refusal !== undefined) return { refusal, cost: 0 }
  try {
    const input = parseInput(route, request, body, caller.account.isDemo)
    return { refusal, input, cost: effectiveCost(baseCost(endpoint.cost, input.query), caller.plan) }
  } catch (error) {
    return { refusal: toApiError(error), cost: 0 }
  }
}
