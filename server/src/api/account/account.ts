import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { nextGrantAt } from '../../billing/grant-rule.ts'
import { isoTime, isoTimeOrNull, SECOND } from '../../model/time.ts'
import { periodAt } from '../../plans/period.ts'
import type { Services } from '../services.ts'
import type { AccountView, UsageView } from './schema.ts'

export async function describeAccount(caller: Caller, services: Services): Promise<Static<typeof AccountView>> {
  const { store, clock } = services
  const { account, plan } = caller
  const now = clock.now()
  const period = periodAt(account.periodAnchor, now)
  const [balance, lots, owed, subscription, usedThisPeriod, activeKeys, openStreams] = await Promise.all([
    store.ledger.balance(account.id),
    store.ledger.remainingByLotKind(account.id),
    store.reversals.owed(account.id),
    account.subscriptionId === null ? undefined : store.subscriptions.find(account.subscriptionId),
    store.requestLog.creditsUsed(account.id, period.start, now),
    store.keys.countActive(account.id, now),
    store.streams.countOpen(account.id),
  ])
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    isDemo: account.isDemo,
    plan,
    balance,
    credits: {
      balance,
      monthlyRemaining: lots.monthly ?? 0,
      grantedRemaining: (lots.signup ?? 0) + (lots.adjustment ?? 0),
      purchasedRemaining: lots.pack ?? 0,
      ...(owed > 0 && { owed }),
      usedThisPeriod,
      periodStart: isoTime(period.start),
      periodEnd: isoTime(period.end),
      nextGrantAt: isoTimeOrNull(nextGrantAt(account, subscription, now)),
    },
    apiKeys: { active: activeKeys, max: plan.maxApiKeys },
    realtimeConnections: { open: openStreams, max: plan.realtimeConnections },
    createdAt: isoTime(account.createdAt),
  }
}

export async function describeUsage(caller: Caller, services: Services): Promise<Static<typeof UsageView>> {
  const { store, clock, admission } = services
  const { account, key, plan } = caller
  const now = clock.now()
  const period = periodAt(account.periodAnchor, now)
  const [balance, usage, keys] = await Promise.all([
    store.ledger.balance(account.id),
    store.requestLog.usageSince(account.id, period.start, now),
    store.keys.list(account.id),
  ])
  const { succeeded, failed, rateLimited, credits } = usage
  return {
    balance,
    period: { start: isoTime(period.start), end: isoTime(period.end) },
    credits: { used: credits, balance },
    requests: { total: succeeded + failed, succeeded, failed, rateLimited },
    limits: admission.meter.limits(key.id, plan).map(({ window, limit, remaining, resetSeconds }) => ({
      window,
      limit,
      used: limit - remaining,
      remaining,
      resetAt: isoTime(now + resetSeconds * SECOND),
    })),
    byEndpoint: usage.byEndpoint,
    byKey: keys.map(({ id, prefix, name }) => ({
      apiKeyId: id,
      keyPrefix: prefix,
      name,
      requests: usage.byKey.get(id)?.requests ?? 0,
      credits: usage.byKey.get(id)?.credits ?? 0,
    })),
    daily: usage.daily.map(({ day, requests, credits }) => ({ date: day, requests, credits })),
    stream: usage.stream,
  }
}
