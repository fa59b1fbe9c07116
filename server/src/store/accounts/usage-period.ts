import { LRUCache } from 'lru-cache'
import type { Db } from '../db.ts'

/** Usage of one endpoint with one key. */
export interface EndpointUsage {
  endpoint: string
  apiKeyId: string
  succeeded: number
  failed: number
  rateLimited: number
  credits: number
}

export interface UsageRow extends EndpointUsage {
  day: string
}

/** Usage since a day. Endpoints are in the order of their first day, then of their names. */
export interface PeriodUsage {
  byEndpointAndKey: EndpointUsage[]
  daily: { day: string; requests: number; credits: number }[]
}

type DaySums = Omit<UsageRow, 'endpoint' | 'apiKeyId'>

const CACHED_ROWS = 100_000

/**
 * Reads the usage of an account. All days but the last are cached as one sum per endpoint and key, together with the sums
 * of these days: sums only grow, so equal sums mean equal rows, whichever process wrote them.
 */
export class UsagePeriods {
  readonly #db: Db
  readonly #earlier = new LRUCache<string, { sums: string; rows: EndpointUsage[] }>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ rows }) => rows.length + 1,
  })

  constructor(db: Db) {
    this.#db = db
  }

  async since(accountId: string, fromDay: string): Promise<PeriodUsage> {
    const days = await this.#db.query<DaySums>(
      `select day, succeeded, failed, rate_limited as "rateLimited", credits
       from usage_days where account_id = $1 and day >= $2 order by day`,
      [accountId, fromDay],
    )
    const last = days.pop()
    if (last === undefined) return { byEndpointAndKey: [], daily: [] }
    const rows = await this.rows(accountId, last.day)
    return {
      byEndpointAndKey: addUp([...(await this.#earlierRows(accountId, fromDay, last.day, days)), ...rows]),
      daily: [...days, ...sumsOf(rows)].map(({ day, succeeded, failed, credits }) => ({
        day,
        requests: succeeded + failed,
        credits,
      })),
    }
  }

  rows(accountId: string, fromDay: string, beforeDay = '9999-12-31'): Promise<UsageRow[]> {
    return this.#db.query<UsageRow>(
      `select day, endpoint, api_key_id as "apiKeyId", succeeded, failed, rate_limited as "rateLimited", credits
       from usage_daily where account_id = $1 and day >= $2 and day < $3 order by day, endpoint, api_key_id`,
      [accountId, fromDay, beforeDay],
    )
  }

  async #earlierRows(accountId: string, fromDay: string, lastDay: string, days: DaySums[]): Promise<EndpointUsage[]> {
    if (days.length === 0) return []
    const key = `${accountId} ${fromDay} ${lastDay}`
    const sums = JSON.stringify(addUp(days.map((day) => ({ ...day, endpoint: '', apiKeyId: '' }))))
    const cached = this.#earlier.get(key)
    if (cached?.sums === sums) return cached.rows
    const rows = addUp(await this.rows(accountId, fromDay, lastDay))
    this.#earlier.set(key, { sums, rows })
    return rows
  }
}

/** Adds up the rows of each day. */
function sumsOf(rows: readonly UsageRow[]): DaySums[] {
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => ({
    day,
    succeeded: ofDay.reduce((sum, row) => sum + row.succeeded, 0),
    failed: ofDay.reduce((sum, row) => sum + row.failed, 0),
    rateLimited: 0,
    credits: ofDay.reduce((sum, row) => sum + row.credits, 0),
  }))
}

/** Adds up the rows of each endpoint and key. */
function addUp(rows: readonly EndpointUsage[]): EndpointUsage[] {
  const sums = new Map<string, EndpointUsage>()
  for (const { endpoint, apiKeyId, succeeded, failed, rateLimited, credits } of rows) {
    const key = `${apiKeyId} ${endpoint}`
    const sum = sums.get(key)
    if (sum === undefined) {
      sums.set(key, { endpoint, apiKeyId, succeeded, failed, rateLimited, credits })
    } else {
      sum.succeeded += succeeded
      sum.failed += failed
      sum.rateLimited += rateLimited
      sum.credits += credits
    }
  }
  return [...sums.values()]
}
