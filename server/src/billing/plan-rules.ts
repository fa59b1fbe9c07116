import type { Account } from '../model/accounts.ts'
import { periodAt } from '../plans/period.ts'
import { PLANS, planOf, priceUsdOf } from '../plans/plans.ts'
import type { PlanRules } from '../store/accounts/accounts.ts'
import { isLive, type Subscription, type SubscriptionRules } from '../store/billing/subscriptions.ts'
import { grantRule } from './grant-rule.ts'

/** What the store has to do when the plan of an account changes. */
export function planRules(now: number): PlanRules {
  return { now, month: grantRule(now), maxApiKeys: (account) => planOf(account).maxApiKeys }
}

export function subscriptionRules(now: number): SubscriptionRules {
  return {
    ...planRules(now),
    inForce: (subscriptions) => subscriptionInForce(subscriptions, now),
    nextPeriodAt: (anchor) => periodAt(anchor, now).end,
    planWithout: PLANS.free.slug,
  }
}

/** The monthly credits of a plan; for the rest of a month what it brings more than the plan before. */
export function creditsOfChange(account: Account, planSlug: string, previousPlanSlug: string | null): number {
  const creditsOf = (slug: string) => planOf({ ...account, planSlug: slug }).monthlyCredits ?? 0
  return Math.max(creditsOf(planSlug) - (previousPlanSlug === null ? 0 : creditsOf(previousPlanSlug)), 0)
}

/** Of several, which only two payments at the same moment can bring about, the dearest, then the oldest. */
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

/** After a payment has failed the plan stays in force for the time of grace. */
export function isInForce({ status, graceUntil }: Subscription, now: number): boolean {
  if (status === 'past_due') return graceUntil === null || graceUntil > now
  return isLive(status)
}
