import type { Account } from '../model/accounts.ts'
import { isoDay, isoTime } from '../model/time.ts'
import { periodAt } from '../plans/period.ts'
import { planOf } from '../plans/plans.ts'
import type { GrantRule } from '../store/accounts/grants.ts'
import type { PeriodTransfer } from '../store/accounts/transfers.ts'
import type { Subscription } from '../store/billing/subscriptions.ts'

/**
 * Returns the rule of monthly credits. An account that is active when a month begins gets the credits of the plan it
 * has then. Months missed during an outage are granted one by one, each as of its own start. Months of a subscription
 * are granted when they are paid instead (fulfilment.ts).
 */
export function grantRule(now: number): GrantRule {
  return (account, nextPeriodAt) => {
    if (nextPeriodAt > now) return undefined
    // Opening an account grants its first month; accounts older than monthly grants start with their next one.
    if (nextPeriodAt <= account.periodAnchor) {
      return { grant: undefined, nextPeriodAt: periodAt(account.periodAnchor, now).end }
    }
    const period = periodAt(account.periodAnchor, nextPeriodAt)
    const grant = account.subscriptionId === null ? monthlyGrant(account, period) : undefined
    return { grant, nextPeriodAt: period.end }
  }
}

/** Returns when the account gets its next monthly credits; null if it gets none. */
export function nextGrantAt(account: Account, subscription: Subscription | undefined, now: number): number | null {
  if (account.subscriptionId === null || subscription === undefined) {
    return monthlyCredits(account) > 0 ? periodAt(account.periodAnchor, now).end : null
  }
  const next = subscription.pendingPlanSlug ?? subscription.planSlug
  // After a failed payment they come when the invoice is paid, at an unknown time.
  if (subscription.status === 'past_due') return null
  const isPaidAgain = !subscription.cancelAtPeriodEnd && monthlyCredits({ ...account, planSlug: next }) > 0
  return isPaidAgain ? subscription.periodEnd : null
}

function monthlyGrant(account: Account, period: { start: number; end: number }): PeriodTransfer | undefined {
  const credits = monthlyCredits(account)
  if (credits === 0) return undefined
  return {
    accountId: account.id,
    credits,
    kind: 'grant',
    description: `Monthly credits of the ${planOf(account).name} plan, ${isoDay(period.start)} to ${isoDay(period.end)}`,
    idempotencyKey: `monthly:${account.id}:${isoTime(period.start)}`,
    at: period.start,
    periodEnd: period.end,
  }
}

function monthlyCredits(account: Account): number {
  return account.isActive ? (planOf(account).monthlyCredits ?? 0) : 0
}
