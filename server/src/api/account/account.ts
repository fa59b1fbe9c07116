import type { Static } from 'typebox'
import { type Caller, rateOf } from '../../admission/caller.ts'
import type { LimitState } from '../../admission/rate.ts'
import { nextGrantAt } from '../../billing/grant-rule.ts'
import { ApiError } from '../../model/errors.ts'
import { Json } from '../../model/json.ts'
import { isoDay, isoTime, isoTimeOrNull, SECOND } from '../../model/time.ts'
import { periodAt } from '../../plans/period.ts'
import type { AccountState } from '../../store/accounts/accounts.ts'
import type { PeriodUsage } from '../../store/accounts/usage-period.ts'
import type { UsageGroup } from '../../store/accounts/usage-range.ts'
import type { Store } from '../../store/store.ts'
import type { Services } from '../services.ts'
import { type AccountView, MAX_GROUPS, type UsageQuery, type UsageView } from './schema.ts'

export async function describeAccount(caller: Caller, { store, clock }: Services): Promise<Static<typeof AccountView>> {
  const { account } = caller
  const now = clock.now()
  const period = periodAt(account.periodAnchor, now)
  const [state, usedBefore, subscription] = await Promise.all([
    store.accounts.state(account.id, isoDay(period.start), now),
    store.usage.creditsBefore(account, period.start, now),
    account.subscriptionId === null ? undefined : store.subscriptions.find(account.subscriptionId),
  ])
  const nextGrant = nextGrantAt(account, subscription, now)
  const read = JSON.stringify([period, state, usedBefore, nextGrant])
  const known = answers.get(caller)
  if (known?.read === read) return known.answer
  const answer = answerOf(caller, { ...state, used: state.used - usedBefore }, period, nextGrant)
  answers.set(caller, { read, answer })
  return answer
}

/** The last answer to a caller, with the numbers behind it. Equal numbers give the same object, whose bytes are cached. */
const answers = new WeakMap<Caller, { read: string; answer: Static<typeof AccountView> }>()

function answerOf(
  { account, plan }: Caller,
  { balance, owed, ...state }: AccountState,
  period: Period,
  nextGrant: number | null,
): Static<typeof AccountView> {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    isDemo: account.isDemo,
    plan,
    balance,
    credits: {
      balance,
      monthlyRemaining: state.monthly,
      grantedRemaining: state.granted,
      purchasedRemaining: state.purchased,
      ...(owed > 0 && { owed }),
      usedThisPeriod: state.used,
      periodStart: isoTime(period.start),
      periodEnd: isoTime(period.end),
      nextGrantAt: isoTimeOrNull(nextGrant),
    },
    apiKeys: { active: state.activeKeys, max: plan.maxApiKeys },
    realtimeConnections: { open: state.openStreams, max: plan.realtimeConnections },
    createdAt: isoTime(account.createdAt),
  }
}

export async function describeUsage(
  caller: Caller,
  query: Static<typeof UsageQuery>,
  { store, clock, admission }: Services,
): Promise<Json<Static<typeof UsageView>>> {
  const { account } = caller
  const now = clock.now()
  const period = rangeOf(query, account.periodAnchor, now)
  const isMonth = Object.values(query).every((value) => value === undefined)
  const [{ balance, keys, total }, limits] = await Promise.all([
    store.usage.head(account.id, period.start),
    admission.meter.limits(rateOf(caller, 0)),
  ])
  const usage = isMonth
    ? await store.usage.since(account, period.start, total, now)
    : await usageIn(account.id, period, query, store)
  const { succeeded, failed, rateLimited, credits, byKey } = usage
  const head = {
    balance,
    period: { start: isoTime(period.start), end: isoTime(period.end) },
    credits: { used: credits, balance },
    requests: { total: succeeded + failed, succeeded, failed, rateLimited },
    limits: limits.map((state) => describeLimit(state, now)),
    byKey: keys.map(({ id, prefix, name }) => ({
      apiKeyId: id,
      keyPrefix: prefix,
      name,
      ...(byKey.get(id) ?? { requests: 0, failed: 0, credits: 0 }),
    })),
  }
  return Json.merge(JSON.stringify(head), sumsOf(usage))
}

/** JSON texts of sums. The usage of a month is the same object until a request is logged. */
const textsOfSums = new WeakMap<PeriodUsage, string>()

function sumsOf(usage: PeriodUsage & { groups?: UsageGroup[] | undefined }): string {
  const known = textsOfSums.get(usage)
  if (known !== undefined) return known
  const { byEndpoint, daily, groups, stream } = usage
  const days = daily.map(({ day, ...own }) => ({ date: day, ...own }))
  const text = JSON.stringify({ byEndpoint, daily: days, groups: groups?.map(toGroup), stream })
  textsOfSums.set(usage, text)
  return text
}

/** Returns the state of a rate limit for callers. */
export function describeLimit({ window, limit, remaining, resetSeconds }: LimitState, now: number) {
  return { window, limit, used: limit - remaining, remaining, resetAt: isoTime(now + resetSeconds * SECOND) }
}

/** Times that isoTime writes with a year of four digits. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)]

interface Period {
  start: number
  end: number
}

/** Returns the range of a query; a missing start or end is that of the billing month. */
function rangeOf({ from, to }: Static<typeof UsageQuery>, anchor: number, now: number): Period {
  const within = (time: number) => Math.min(Math.max(time, FIRST), LAST)
  const month = periodAt(anchor, to === undefined ? now : to - 1)
  const start = from ?? month.start
  return { start: within(start), end: within(to ?? Math.max(month.end, start)) }
}

async function usageIn(
  accountId: string,
  { start, end }: Period,
  { groupBy }: Static<typeof UsageQuery>,
  store: Store,
) {
  const range = { from: start, to: end, groupBy: [...new Set(groupBy)].sort(), maxGroups: MAX_GROUPS }
  const { groups, ...usage } = await store.usageRanges.read(accountId, range)
  if (groups === undefined) {
    const message = `must make at most ${MAX_GROUPS} groups; ask for a shorter range or group by less`
    throw ApiError.invalid([{ field: 'groupBy', message }])
  }
  return { ...usage, groups: groupBy && groups }
}

const toGroup = ({ day, apiKeyId, endpoint, ...sums }: UsageGroup) => ({
  ...(day !== null && { date: day }),
  ...(apiKeyId !== null && { apiKeyId }),
  ...(endpoint !== null && { endpoint }),
  ...sums,
})
