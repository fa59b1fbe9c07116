import type { RateVerdict } from '../admission/rate.ts'
import type { Plan } from '../plans/plans.ts'

const policies = new WeakMap<Plan, string>()

/** Returns RateLimit-Policy as in the IETF draft "RateLimit header fields for HTTP": quota and window in seconds. */
function policyOf(plan: Plan): string {
  const known = policies.get(plan)
  if (known !== undefined) return known
  const refillSeconds = Math.ceil((plan.burst * 60) / plan.requestsPerMinute)
  const policy = [
    `"burst";q=${plan.burst};w=${refillSeconds}`,
    `"hour";q=${plan.requestsPerHour};w=3600`,
    `"day";q=${plan.requestsPerDay};w=86400`,
  ].join(', ')
  policies.set(plan, policy)
  return policy
}

/** Returns the rate limit headers of every response to an authenticated request. */
export function rateHeaders(plan: Plan, rate: RateVerdict): Record<string, string> {
  return {
    'ratelimit-policy': policyOf(plan),
    ratelimit: rate.limits
      .map(({ window, remaining, resetSeconds }) => `"${window}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  }
}

/** `remaining` is below 0 while holds exceed a balance that another instance has spent. */
export function creditHeaders(cost: number, remaining: number | undefined): Record<string, number> {
  return { 'x-credits-cost': cost, ...(remaining !== undefined && { 'x-credits-remaining': Math.max(0, remaining) }) }
}
