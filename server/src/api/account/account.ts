import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { nextGrantAt } from '../../billing/grant-rule.ts'
import { isoTime, isoTimeOrNull, SECOND } from '../../model/time.ts'
import { periodAt } from '../../plans/period.ts'
import type { EndpointUsage } from '../../store/accounts/usage-period.ts'
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
  const [balance, usage, keys, stream] = await Promise.all([
    store.ledger.balance(account.id),
    store.requestLog.usageSince(account.id, period.start, now),
    store.keys.list(account.id),
    store.streams.usage(account.id, period.start),
  ])
  const rows = usage.byEndpointAndKey
  const succeeded = sum(rows, (row) => row.succeeded)
  const failed = sum(rows, (row) => row.failed)
  const credits = sum(rows, (row) => row.credits)
  const byKey = new Map(groups(rows, (row) => row.apiKeyId).map((group) => [group.of, group]))
  return {
    balance,
    period: { start: isoTime(period.start), end: isoTime(period.end) },
    credits: { used: credits, balance },
    requests: { total: succeeded + failed, succeeded, failed, rateLimited: sum(rows, (row) => row.rateLimited) },
    limits: admission.meter.limits(key.id, plan).map(({ window, limit, remaining, resetSeconds }) => ({
      window,
      limit,
      used: limit - remaining,
      remaining,
      resetAt: isoTime(now + resetSeconds * SECOND),
    })),
    byEndpoint: groups(rows, (row) => row.endpoint).map(({ of, ...sums }) => ({ endpoint: of, ...sums })),
    byKey: keys.map(({ id, prefix, name }) => ({
      apiKeyId: id,
      keyPrefix: prefix,
      name,
      requests: byKey.get(id)?.requests ?? 0,
      credits: byKey.get(id)?.credits ?? 0,
    })),
    daily: usage.daily.map(({ day, requests, credits }) => ({ date: day, requests, credits })),
    stream,
  }
}

const sum = (rows: readonly EndpointUsage[], of: (row: EndpointUsage) => number) =>
  rows.reduce((total, row) => total + of(row), 0)

function groups(rows: readonly EndpointUsage[], by: (row: EndpointUsage) => string) {
  return [...Map.groupBy(rows, by)].map(([of, members]) => ({
    of,
    requests: sum(members, (row) => row.succeeded + row.failed),
    credits: sum(members, (row) => row.credits),
  }))
}
