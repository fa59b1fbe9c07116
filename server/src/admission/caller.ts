import type { Account, ApiKey } from '../model/accounts.ts'
import type { Plan } from '../plans/plans.ts'
import type { RateLimits } from './rate.ts'

/** Key with its account and plan (spec 5.3). */
export interface Caller {
  key: ApiKey
  account: Account
  plan: Plan
  /** Address of the client; known for streams, which end when their key no longer allows it. */
  address?: string | undefined
}

/** Rates of the dashboard on every plan: a page asks for several things at once, and its log is read again and again. */
const LEAST_OF_DASHBOARD: RateLimits = {
  burst: 100,
  requestsPerMinute: 120,
  requestsPerHour: 4_000,
  requestsPerDay: 20_000,
}

/** Returns the rate limits of a caller: those of the plan, but for a session of the dashboard no lower than above. */
export function rateLimitsOf({ key, plan }: Caller): RateLimits {
  if (key.sessionId === undefined) return plan
  const atLeast = (name: keyof RateLimits) => Math.max(plan[name], LEAST_OF_DASHBOARD[name])
  return {
    burst: atLeast('burst'),
    requestsPerMinute: atLeast('requestsPerMinute'),
    requestsPerHour: atLeast('requestsPerHour'),
    requestsPerDay: atLeast('requestsPerDay'),
  }
}
