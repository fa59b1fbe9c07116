import type { Account, ApiKey } from '../model/accounts.ts'
import type { Plan } from '../plans/plans.ts'
import type { RateAsk } from './meter.ts'
import type { RateLimits } from './rate.ts'

/** Key with its account and plan (spec 5.3). */
export interface Caller {
  key: ApiKey
  account: Account
  plan: Plan
  /** Address of the client; known for streams, which end when their key no longer allows it. */
  address?: string | undefined
  /** Version of the account by which the caller was cached. Undefined if it was read from the store for this request. */
  version?: string
}

/** Rates of free calls of the dashboard: a page asks for several things at once, and its log is read again and again. */
const LEAST_OF_DASHBOARD: RateLimits = {
  burst: 100,
  requestsPerMinute: 120,
  requestsPerHour: 4_000,
  requestsPerDay: 20_000,
}
const ofDashboard = new WeakMap<Plan, RateLimits>()

/** Returns the rate of a request: that of the plan. Free calls of a session count apart, with limits no lower than above. */
export function rateOf({ key, plan }: Caller, cost: number): RateAsk {
  const { accountId } = key
  if (key.sessionId === undefined || cost > 0) return { keyId: key.id, accountId, limits: plan }
  return { keyId: `${key.id} free`, accountId, limits: dashboardLimits(plan) }
}

function dashboardLimits(plan: Plan): RateLimits {
  const known = ofDashboard.get(plan)
  if (known !== undefined) return known
  const atLeast = (name: keyof RateLimits) => Math.max(plan[name], LEAST_OF_DASHBOARD[name])
  const limits = {
    burst: atLeast('burst'),
    requestsPerMinute: atLeast('requestsPerMinute'),
    requestsPerHour: atLeast('requestsPerHour'),
    requestsPerDay: atLeast('requestsPerDay'),
  }
  ofDashboard.set(plan, limits)
  return limits
}
