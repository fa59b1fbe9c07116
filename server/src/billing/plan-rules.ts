import type { Account } from '../model/accounts.ts'
import { periodAt } from '../plans/period.ts'
import { PLANS, planOf, priceUsdOf } from '../plans/plans.ts'
import type { PlanRules } from '../store/accounts/accounts.ts'
import { isLive, type Subscription, type SubscriptionRules } from '../store/billing/subscriptions.ts'
import { grantRule } from './grant-rule.ts'

/** Returns the rules that the store applies when the plan of an account changes. */
export function planRules(now: number): PlanRules {
  return { now, grantRule: grantRule(now), maxApiKeys: (account) => planOf(account).maxApiKeys }
}

export function subscriptionRules(now: number): SubscriptionRules {
  return {
    ...planRules(now),
    inForce: (subscriptions) => subscriptionInForce(subscriptions, now),
    nextPeriodAt: (anchor) => periodAt(anchor, now).end,
    planWithoutSubscription: PLANS.free.slug,
  }
}

/** Returns the monthly credits of a plan; after an upgrade, the difference from the previous plan. */
export function creditsOfChange(account: Account, planSlug: string, previousPlanSlug: string | null): number {
  const creditsOf = (slug: string) => planOf({ ...account, planSlug: slug }).monthlyCredits ?? 0
  return Math.max(creditsOf(planSlug) - (previousPlanSlug === null ? 0 : creditsOf(previousPlanSlug)), 0)
}

/**
 * Returns the subscription that decides the plan: of several, the most expensive, then the oldest. There can be several
 * only if two checkouts are paid at the same moment.
 */
export function subscriptionInForce(subscriptions: readonly Subscription[], now: number): Subscription | undefined {
  const [first] = subscriptions
    .filter((subscription) => isInForce(subscription, now))
    .toSorted(
      (one, other) =>
        priceUsdOf(other.planSlug) - priceUsdOf(one.planSlug) ||
        one.createdAt - other.createdAt ||
        (one.id < other.id ? -1 : 1),
    )
  return first
}

/** Returns whether the plan is in force: after a failed payment, until the grace period ends. */
export function isInForce({ status, graceUntil }: Subscription, now: number): boolean {
  if (status === 'past_due') return graceUntil === null || graceUntil > now
  return isLive(status)
}
