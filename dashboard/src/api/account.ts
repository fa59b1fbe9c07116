import { type AccountUsage, type BillingSubscription, NotFoundError } from 'mintick-client'
import { mintick } from './clients.ts'
import { useQuery } from './query.ts'

const DAY_MS = 86_400_000

/** Prefix of the dashboard's own calls in the log and the usage. */
const DASHBOARD_PREFIX = 'dashboard'

export const useAccount = () =>
  useQuery({ queryKey: ['account'], queryFn: ({ signal }) => mintick.account.get({}, { signal }) })

export const useKeys = () =>
  useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => mintick.account.keys.list({}, { signal }) })

/** Reads the usage of the billing month, by key. */
export const usePeriodUsage = () =>
  useQuery({
    queryKey: ['usage', 'period'],
    queryFn: ({ signal }) => mintick.account.usage({ groupBy: ['key'] }, { signal }),
  })

/** Reads the usage of the last days, today included, by day and key. */
export function useDailyUsage(days: number) {
  const from = new Date(startOfDay(Date.now()) - (days - 1) * DAY_MS).toISOString()
  return useQuery({
    queryKey: ['usage', 'daily', from],
    queryFn: ({ signal }) => mintick.account.usage({ from, groupBy: ['day', 'key'] }, { signal }),
  })
}

/** Reads the subscription that pays for the plan; null if there is none. */
export function useSubscription() {
  const { data: account } = useAccount()
  // Without a price there is nothing to subscribe to, so the service is not asked.
  const isPaid = (account?.plan.priceUsd ?? 0) > 0
  return useQuery<BillingSubscription | null>({
    queryKey: ['billing', 'subscription', isPaid],
    queryFn: async ({ signal }) => {
      if (!isPaid) return null
      try {
        return await mintick.billing.subscription.get({}, { signal })
      } catch (error) {
        if (error instanceof NotFoundError) return null
        throw error
      }
    },
    enabled: account !== undefined,
  })
}

/** Returns the id under which the dashboard's own calls are counted; undefined if there were none. */
export const dashboardKeyId = ({ byKey }: Pick<AccountUsage, 'byKey'>): string | undefined =>
  byKey.find(({ keyPrefix }) => keyPrefix === DASHBOARD_PREFIX)?.apiKeyId

type Group = NonNullable<AccountUsage['groups']>[number]

interface Sums {
  requests: number
  failed: number
  credits: number
}

/** Adds up the groups of a usage by a field, without the calls of the dashboard. */
export function sumsBy(usage: AccountUsage, field: 'date' | 'apiKeyId'): Map<string, Sums> {
  const own = dashboardKeyId(usage)
  const groups = (usage.groups ?? []).filter(({ apiKeyId }) => apiKeyId !== own)
  return new Map(
    [...Map.groupBy(groups, (group) => group[field] ?? '')].map(([name, members]) => [name, addUp(members)]),
  )
}

export function addUp(groups: readonly (Group | Sums)[]): Sums {
  const sum = (of: (group: Sums) => number) => groups.reduce((total, group) => total + of(group), 0)
  return {
    requests: sum(({ requests }) => requests),
    failed: sum(({ failed }) => failed),
    credits: sum(({ credits }) => credits),
  }
}

/** Returns the days of UTC from a time until today, such as 2026-01-31. */
export function daysSince(time: string): string[] {
  const first = startOfDay(Date.parse(time))
  const count = (startOfDay(Date.now()) - first) / DAY_MS + 1
  return Array.from({ length: count }, (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10))
}

const startOfDay = (time: number) => time - (time % DAY_MS)
