import { ApiError } from '../model/errors.ts'
import { FEATURES, type Feature, PLANS } from '../plans/plans.ts'
import type { Caller } from './caller.ts'

/** Requirements of an endpoint besides credits. */
interface Gate {
  needs?: Feature | undefined
  /** Refuses the shared demo account, which can neither manage keys nor buy anything. */
  refusesDemo?: boolean | undefined
}

/** Returns the refusal, or undefined if the caller meets the requirements. */
export function gateError(caller: Caller, gate: Gate): ApiError | undefined {
  if (gate.refusesDemo && caller.account.isDemo) {
    return new ApiError('FORBIDDEN', 'The shared demo key cannot do this; use a key of your own')
  }
  if (gate.needs !== undefined && !FEATURES[gate.needs].allows(caller.plan)) return lacksFeature(caller, gate.needs)
  return undefined
}

export function lacksFeature(caller: Caller, feature: Feature): ApiError {
  const { name, allows } = FEATURES[feature]
  const enough = Object.values(PLANS).find(allows)
  const from = enough === undefined ? '' : `; the ${enough.name} plan does`
  return new ApiError('FORBIDDEN', `The ${caller.plan.name} plan does not include ${name}${from}`)
}
