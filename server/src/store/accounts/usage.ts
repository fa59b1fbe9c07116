import type { Queryable, Transaction } from '../db.ts'
import { together } from '../sql.ts'

/** Usage of one endpoint with one key on one UTC day. */
export interface UsageSum {
  accountId: string
  apiKeyId: string
  day: string
  endpoint: string
  succeeded: number
  failed: number
  rateLimited: number
  credits: number
  /** Minutes of streams that were charged. */
  streamMinutes?: number
  /** The time and transfer of the last charge. */
  lastCharge: { transferId: number; at: number } | null
}

export const usageKey = (sum: Pick<UsageSum, 'accountId' | 'apiKeyId' | 'day' | 'endpoint'>) =>
  `${sum.accountId} ${sum.apiKeyId} ${sum.day} ${sum.endpoint}`

/**
 * Adds to the daily sums. Call it after locking the accounts: with the fixed order of rows, this prevents deadlocks.
 */
export async function addUsage(tx: Transaction, sums: readonly UsageSum[]): Promise<void> {
  const ordered = sums
    .map((sum) => ({ sum, key: usageKey(sum) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ sum }) => sum)
  const credits = await addSums(tx, ordered)
  const days = new Map<string, DaySum>()
  for (const sum of ordered) {
    const day = dayOf(days, sum)
    day.succeeded += sum.succeeded
    day.failed += sum.failed
    day.rateLimited += sum.rateLimited
    day.credits += sum.credits
  }
  // The first charges with their keys; their endpoints may have been charged with others.
  const first = ordered.filter((sum) => sum.credits > 0 && credits.get(usageKey(sum)) === sum.credits)
  const byEndpoint = Map.groupBy(first, ({ accountId, day, endpoint }) => `${accountId} ${day} ${endpoint}`)
  await together(
    [...byEndpoint.values()].map(async ([sum, ...others]) => {
      const isFirst = sum !== undefined && (await countCharged(tx, sum)) === 1 + others.length
      if (isFirst) dayOf(days, sum).chargedEndpoints += 1
    }),
  )
  await addDays(tx, [...days.values()])
}

interface UsageRow {
  account_id: string
  day: string
  endpoint: string
  api_key_id: string
  credits: number
}

/** Adds to sums and returns their credits by key. */
async function addSums(tx: Transaction, sums: readonly UsageSum[]): Promise<Map<string, number>> {
  const rows = await tx.insert<UsageRow>(
    'usage_daily',
    [
      'account_id',
      'day',
      'endpoint',
      'api_key_id',
      'succeeded',
      'failed',
      'rate_limited',
      'credits',
      'stream_minutes',
      'transfer_id',
      'charged_at',
    ],
    sums.map((sum) => [
      sum.accountId,
      sum.day,
      sum.endpoint,
      sum.apiKeyId,
      sum.succeeded,
      sum.failed,
      sum.rateLimited,
      sum.credits,
      sum.streamMinutes ?? 0,
      sum.lastCharge?.transferId ?? null,
      sum.lastCharge?.at ?? null,
    ]),
    `on conflict (account_id, day, endpoint, api_key_id) do update set
       succeeded = usage_daily.succeeded + excluded.succeeded,
       failed = usage_daily.failed + excluded.failed,
       rate_limited = usage_daily.rate_limited + excluded.rate_limited,
       credits = usage_daily.credits + excluded.credits,
       stream_minutes = usage_daily.stream_minutes + excluded.stream_minutes,
       transfer_id = coalesce(excluded.transfer_id, usage_daily.transfer_id),
       charged_at = coalesce(excluded.charged_at, usage_daily.charged_at)
     returning account_id, day, endpoint, api_key_id, credits`,
  )
  return new Map(
    rows.map(({ account_id: accountId, api_key_id: apiKeyId, day, endpoint, credits }) => [
      usageKey({ accountId, apiKeyId, day, endpoint }),
      credits,
    ]),
  )
}

interface DaySum extends Omit<UsageSum, 'apiKeyId' | 'endpoint' | 'streamMinutes' | 'lastCharge'> {
  /** Endpoints whose first charge of the day was added. */
  chargedEndpoints: number
}

function dayOf(days: Map<string, DaySum>, { accountId, day }: UsageSum): DaySum {
  const key = `${accountId} ${day}`
  const known = days.get(key)
  if (known !== undefined) return known
  const sum = { accountId, day, succeeded: 0, failed: 0, rateLimited: 0, credits: 0, chargedEndpoints: 0 }
  days.set(key, sum)
  return sum
}

/** Returns the number of keys with which the endpoint was charged on the day. */
async function countCharged(tx: Queryable, { accountId, day, endpoint }: UsageSum): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*) as count from usage_daily where account_id = $1 and day = $2 and endpoint = $3 and credits > 0',
    [accountId, day, endpoint],
  )
  return row?.count ?? 0
}

async function addDays(tx: Transaction, days: readonly DaySum[]): Promise<void> {
  await tx.insert(
    'usage_days',
    ['account_id', 'day', 'succeeded', 'failed', 'rate_limited', 'credits', 'charged_endpoints'],
    days.map((sum) => [
      sum.accountId,
      sum.day,
      sum.succeeded,
      sum.failed,
      sum.rateLimited,
      sum.credits,
      sum.chargedEndpoints,
    ]),
    `on conflict (account_id, day) do update set
       succeeded = usage_days.succeeded + excluded.succeeded,
       failed = usage_days.failed + excluded.failed,
       rate_limited = usage_days.rate_limited + excluded.rate_limited,
       credits = usage_days.credits + excluded.credits,
       charged_endpoints = usage_days.charged_endpoints + excluded.charged_endpoints`,
  )
}
