import type { Queryable } from '../db.ts'

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
  /** The time and transfer of the last charge. */
  lastCharge: { transferId: number; at: number } | null
}

export const usageKey = (sum: Pick<UsageSum, 'accountId' | 'apiKeyId' | 'day' | 'endpoint'>) =>
  `${sum.accountId} ${sum.apiKeyId} ${sum.day} ${sum.endpoint}`

/**
 * Adds to the daily sums. Call it after locking the accounts: with the fixed order of rows, this prevents deadlocks.
 */
export async function addUsage(tx: Queryable, sums: readonly UsageSum[]): Promise<void> {
  for (const sum of sums.toSorted((one, other) => (usageKey(one) < usageKey(other) ? -1 : 1))) {
    await tx.query(
      `insert into usage_daily (account_id, day, endpoint, api_key_id, succeeded, failed, rate_limited, credits, transfer_id,
         charged_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (account_id, day, endpoint, api_key_id) do update set
         succeeded = usage_daily.succeeded + excluded.succeeded,
         failed = usage_daily.failed + excluded.failed,
         rate_limited = usage_daily.rate_limited + excluded.rate_limited,
         credits = usage_daily.credits + excluded.credits,
         transfer_id = coalesce(excluded.transfer_id, usage_daily.transfer_id),
         charged_at = coalesce(excluded.charged_at, usage_daily.charged_at)`,
      [
        sum.accountId,
        sum.day,
        sum.endpoint,
        sum.apiKeyId,
        sum.succeeded,
        sum.failed,
        sum.rateLimited,
        sum.credits,
        sum.lastCharge?.transferId ?? null,
        sum.lastCharge?.at ?? null,
      ],
    )
  }
}
