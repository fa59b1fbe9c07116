import type { Account, ApiKey } from '../model/accounts.ts'
import { DEMO_PLAN, isPlanSlug, PLANS, type Plan } from '../plans/plans.ts'

/** Who is calling: what a key resolves to (spec 5.3). */
export interface Caller {
  key: ApiKey
  account: Account
  plan: Plan
}

/** The account's plan with what was agreed for this account laid over it. */
export function planOf(account: Account): Plan {
  if (account.isDemo) return DEMO_PLAN
  const plan = isPlanSlug(account.planSlug) ? PLANS[account.planSlug] : PLANS.free
  return { ...plan, ...account.overrides }
}
