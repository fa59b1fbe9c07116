import type { RateLimits, RateVerdict } from '../admission/rate.ts'

const policies = new WeakMap<RateLimits, string>()

/** Returns RateLimit-Policy as in the IETF draft "RateLimit header fields for HTTP": quota and window in seconds. */
function policyOf(limits: RateLimits): string {
  const known = policies.get(limits)
  if (known !== undefined) return known
  const refillSeconds = Math.ceil((limits.burst * 60) / limits.requestsPerMinute)
  const policy = [
    `"burst";q=${limits.burst};w=${refillSeconds}`,
    `"hour";q=${limits.requestsPerHour};w=3600`,
    `"day";q=${limits.requestsPerDay};w=86400`,
  ].join(', ')
  policies.set(limits, policy)
  return policy
}

/** Returns the rate limit headers of every response to an authenticated request. */
export function rateHeaders(limits: RateLimits, rate: RateVerdict): Record<string, string> {
  return {
    'ratelimit-policy': policyOf(limits),
    ratelimit: rate.limits
      .map(({ window, remaining, resetSeconds }) => `"${window}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  }
}

/** `remaining` is below 0 while holds exceed a balance that another instance has spent. */
export function creditHeaders(cost: number, remaining: number | undefined): Record<string, number> {
  return { 'x-credits-cost': cost, ...(remaining !== undefined && { 'x-credits-remaining': Math.max(0, remaining) }) }
}
