import { LRUCache } from 'lru-cache'
import { isoDay, MINUTE, startOfDay } from '../../model/time.ts'
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

/** Usage since a time. Endpoints are in the order of their first day, then of their names. */
export interface PeriodUsage {
  byEndpointAndKey: EndpointUsage[]
  daily: { day: string; requests: number; credits: number }[]
}

type DaySums = Omit<UsageRow, 'endpoint' | 'apiKeyId'>

const CACHED_ROWS = 100_000

/** A request may be logged a moment after a request for the usage. */
const SETTLED_MS = MINUTE

/**
 * Reads the usage of an account: the sums of days, without the part of the first day before the asked time. All days but the last are cached as one sum per endpoint and key, together with the sums
 * of these days: sums only grow, so equal sums mean equal rows, whichever process wrote them.
 */
export class UsagePeriods {
  readonly #db: Db
  readonly #earlier = new LRUCache<string, { sums: string; rows: EndpointUsage[] }>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ rows }) => rows.length + 1,
  })

  readonly #before = new LRUCache<string, EndpointUsage[]>({
    maxSize: CACHED_ROWS,
    sizeCalculation: (rows) => rows.length + 1,
  })

  constructor(db: Db) {
    this.#db = db
  }

  async credits(accountId: string, from: number, now: number): Promise<number> {
    const [row] = await this.#db.query<{ credits: number }>(
      `select cast(coalesce(sum(credits), 0) as bigint) as credits from usage_days where account_id = $1 and day >= $2`,
      [accountId, isoDay(from)],
    )
    const before = await this.#rowsBefore(accountId, from, now)
    return before.reduce((sum, { credits }) => sum - credits, row?.credits ?? 0)
  }

  async since(accountId: string, from: number, now: number): Promise<PeriodUsage> {
    const before = await this.#rowsBefore(accountId, from, now)
    const usage = await this.#sinceDay(accountId, isoDay(from))
    if (before.length === 0) return usage
    const [first, ...daily] = usage.daily
    const earlier = before.reduce((sum, row) => sum + row.succeeded + row.failed, 0)
    const spent = before.reduce((sum, { credits }) => sum + credits, 0)
    const rest = first && { day: first.day, requests: first.requests - earlier, credits: first.credits - spent }
    return {
      byEndpointAndKey: addUp([...usage.byEndpointAndKey, ...before.map(negated)]).filter(isUsed),
      daily: rest !== undefined && rest.requests + rest.credits > 0 ? [rest, ...daily] : daily,
    }
  }

  /** Returns the usage on the day of a time, before that time. Rate-limited requests are not logged, so it has none. */
  async #rowsBefore(accountId: string, time: number, now: number): Promise<EndpointUsage[]> {
    const key = `${accountId} ${time}`
    const cached = this.#before.get(key)
    if (cached !== undefined) return cached
    const rows = await this.#db.heavy.query<EndpointUsage>(
      `select endpoint, api_key_id as "apiKeyId", cast(sum(succeeded) as bigint) as succeeded,
         cast(sum(failed) as bigint) as failed, 0 as "rateLimited", cast(sum(credits) as bigint) as credits
       from (
         select endpoint, api_key_id, case when status_code < 400 then 1 else 0 end as succeeded,
           case when status_code < 400 then 0 else 1 end as failed, credits
         from request_log where account_id = $1 and created_at >= $2 and created_at < $3 and endpoint is not null
         union all
         select endpoint, api_key_id, 0, 0, credits
         from stream_charges where account_id = $1 and created_at >= $2 and created_at < $3
       ) charges
       group by endpoint, api_key_id order by endpoint, api_key_id`,
      [accountId, startOfDay(time), time],
    )
    if (now - time > SETTLED_MS) this.#before.set(key, rows)
    return rows
  }

  async #sinceDay(accountId: string, fromDay: string): Promise<PeriodUsage> {
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

const negated = ({ succeeded, failed, rateLimited, credits, ...of }: EndpointUsage): EndpointUsage => ({
  ...of,
  succeeded: -succeeded,
  failed: -failed,
  rateLimited: -rateLimited,
  credits: -credits,
})

const isUsed = ({ succeeded, failed, rateLimited, credits }: EndpointUsage) =>
  succeeded + failed + rateLimited + credits > 0

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
