import { LRUCache } from 'lru-cache'
import type { Account, ApiKey } from '../../model/accounts.ts'
import { isoDay, MINUTE, startOfDay } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { COUNTED_KEYS } from './keys.ts'
import { LogBlocks } from './log-blocks.ts'

interface Outcomes {
  succeeded: number
  failed: number
  rateLimited: number
  credits: number
}

/** Usage of one endpoint with one key. */
export interface EndpointUsage extends Outcomes {
  endpoint: string
  apiKeyId: string
  /** Minutes of streams that were charged. */
  streamMinutes: number
}

export interface UsageRow extends EndpointUsage {
  day: string
}

interface DaySums extends Outcomes {
  day: string
}

export interface Sums {
  requests: number
  failed: number
  credits: number
}

/** Usage since a time. Endpoints are in the order of their first day, then of their names. */
export interface PeriodUsage extends Outcomes {
  stream: { minutes: number; credits: number }
  byEndpoint: (Sums & { endpoint: string })[]
  byKey: ReadonlyMap<string, Sums>
  daily: (Sums & { day: string })[]
}

type KeyName = Pick<ApiKey, 'id' | 'prefix' | 'name'>

/** The balance of an account, the keys that its usage names, and a number that grows with its usage since a day. */
export interface UsageHead {
  balance: number
  keys: KeyName[]
  total: number
}

/** Usage from the start of a day until a time of that day. */
interface DayPart {
  until: number
  rows: Promise<EndpointUsage[]>
  /** The part is valid while the request log has this number of late rows; undefined if it is final. */
  lateRows: number | undefined
}

type Opened = Pick<Account, 'id' | 'createdAt'>

const CACHED_ROWS = 100_000
const CACHED_PARTS = 10_000

/** A request may be logged a moment after a request for the usage. */
const SETTLED_MS = MINUTE

/**
 * Reads the usage of an account: the sums of days, without the part of the first day before the asked time. The answer is
 * cached with the total of these sums, and so are the days before the last: sums only grow, so an equal total means equal
 * sums, whichever process wrote them.
 */
export class UsagePeriods {
  readonly #db: Db
  readonly #blocks: LogBlocks
  readonly #periods = new LRUCache<string, { total: number; usage: PeriodUsage }>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ usage }) => usage.byEndpoint.length + usage.byKey.size + usage.daily.length + 1,
  })

  /** Running reads, which requests with the same total share. */
  readonly #reads = new Map<string, { total: number; usage: Promise<PeriodUsage> }>()

  readonly #earlier = new LRUCache<string, { total: number; rows: EndpointUsage[] }>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ rows }) => rows.length + 1,
  })

  readonly #before = new LRUCache<string, DayPart>({ max: CACHED_PARTS })

  constructor(db: Db) {
    this.#db = db
    this.#blocks = new LogBlocks(db)
  }

  /** Returns the credits used on the day of a time, before that time. */
  async creditsBefore(account: Opened, time: number, now: number): Promise<number> {
    return sum(await this.#rowsBefore(account, time, now), ({ credits }) => credits)
  }

  /** Reads balance, keys and the total since the day of a time in one statement. */
  async head(accountId: string, from: number): Promise<UsageHead> {
    const rows = await this.#db.query<KeyName & { balance: number; total: number | null }>(
      `select k.id, k.prefix, k.name, a.posted as balance,
         (select cast(sum(succeeded + failed + rate_limited + credits) as bigint)
          from usage_days where account_id = $1 and day >= $2) as total
       from accounts a left join (${COUNTED_KEYS}) k on true where a.id = $1
       order by k.kind desc, k.created_at, k.id`,
      [accountId, isoDay(from)],
    )
    const [first] = rows
    return { balance: first?.balance ?? 0, total: first?.total ?? 0, keys: rows.filter(({ id }) => id !== null) }
  }

  /** Returns the usage since a time; `total` comes from the `head`. */
  async since(account: Opened, from: number, total: number, now: number): Promise<PeriodUsage> {
    const key = `${account.id} ${from}`
    const known = [this.#periods.get(key), this.#reads.get(key)].find((one) => one?.total === total)
    if (known !== undefined) return known.usage
    const read = { total, usage: this.#readSince(account, from, now) }
    this.#reads.set(key, read)
    try {
      const usage = await read.usage
      this.#periods.set(key, { total, usage })
      return usage
    } finally {
      if (this.#reads.get(key) === read) this.#reads.delete(key)
    }
  }

  async #readSince(account: Opened, from: number, now: number): Promise<PeriodUsage> {
    return this.#read(account.id, isoDay(from), await this.#rowsBefore(account, from, now))
  }

  /** Returns the usage on the day of a time, before that time. Rate-limited requests are not logged, so it has none. */
  async #rowsBefore({ id: accountId, createdAt }: Opened, time: number, now: number): Promise<EndpointUsage[]> {
    if (time <= createdAt) return []
    const key = `${accountId} ${time}`
    const isFinal = now - time > SETTLED_MS
    if (isFinal) return this.#partOf(key, accountId, time, undefined).rows
    // Until then, the closed blocks of the request log are cached. Its open block is short.
    const { fromAt, lateRows } = await this.#blocks.head(accountId)
    const { until, rows } = this.#partOf(key, accountId, Math.min(Math.max(fromAt, startOfDay(time)), time), lateRows)
    if (until === time) return rows
    return addUp([...(await rows), ...(await this.#readCharges(accountId, until, time))])
  }

  /** Returns the part of a day until a time or later, from the cache if it is valid, and reads only what it lacks. */
  #partOf(key: string, accountId: string, until: number, lateRows: number | undefined): DayPart {
    const cached = this.#before.get(key)
    const known = cached?.lateRows === lateRows ? cached : undefined
    if (known !== undefined && known.until >= until) return known
    const read = async () => {
      const from = known?.until ?? startOfDay(until)
      return addUp([...((await known?.rows) ?? []), ...(await this.#readCharges(accountId, from, until))])
    }
    const part = { until, lateRows, rows: read() }
    part.rows.catch(() => this.#before.peek(key) === part && this.#before.delete(key))
    this.#before.set(key, part)
    return part
  }

  async #readCharges(accountId: string, from: number, to: number): Promise<EndpointUsage[]> {
    if (from === to) return []
    return this.#db.heavy.query<EndpointUsage>(
      `select endpoint, api_key_id as "apiKeyId", cast(sum(succeeded) as bigint) as succeeded,
         cast(sum(failed) as bigint) as failed, 0 as "rateLimited", cast(sum(credits) as bigint) as credits,
         cast(sum(minutes) as bigint) as "streamMinutes"
       from (
         select endpoint, api_key_id, case when status_code < 400 then 1 else 0 end as succeeded,
           case when status_code < 400 then 0 else 1 end as failed, credits, 0 as minutes
         from request_log where account_id = $1 and created_at >= $2 and created_at < $3 and endpoint is not null
         union all
         select endpoint, api_key_id, 0, 0, credits, minutes
         from metered_charges where account_id = $1 and created_at >= $2 and created_at < $3
       ) charges
       group by endpoint, api_key_id order by endpoint, api_key_id`,
      [accountId, from, to],
    )
  }

  /** Reads the usage since a day, without the usage `before` the period on that day. */
  async #read(accountId: string, fromDay: string, before: readonly EndpointUsage[]): Promise<PeriodUsage> {
    const days = await this.#db.query<DaySums>(
      `select day, succeeded, failed, rate_limited as "rateLimited", credits
       from usage_days where account_id = $1 and day >= $2 order by day`,
      [accountId, fromDay],
    )
    const last = days.pop()
    if (last === undefined) return { ...summarize([]), daily: [] }
    const rows = await this.rows(accountId, last.day)
    const earlier = await this.#earlierRows(accountId, fromDay, last.day, days)
    // The rows of the last day may be newer than its sums.
    const daily = [...days, { ...addAll(rows), day: last.day }].map(({ day, ...sums }) => {
      const { succeeded, failed, credits } = day === fromDay ? addAll([sums, ...before.map(negated)]) : sums
      return { day, requests: succeeded + failed, failed, credits }
    })
    return {
      ...summarize(addUp([...earlier, ...rows, ...before.map(negated)]).filter(isUsed)),
      daily: daily.filter(({ requests, credits }) => requests + credits > 0),
    }
  }

  /** Lists the daily sums from one day until before another. */
  rows(accountId: string, fromDay: string, beforeDay = '9999-12-31'): Promise<UsageRow[]> {
    return this.#db.query<UsageRow>(
      `select day, endpoint, api_key_id as "apiKeyId", succeeded, failed, rate_limited as "rateLimited", credits,
         stream_minutes as "streamMinutes"
       from usage_daily where account_id = $1 and day >= $2 and day < $3 order by day, endpoint, api_key_id`,
      [accountId, fromDay, beforeDay],
    )
  }

  async #earlierRows(accountId: string, fromDay: string, lastDay: string, days: DaySums[]): Promise<EndpointUsage[]> {
    if (days.length === 0) return []
    const key = `${accountId} ${fromDay} ${lastDay}`
    const { succeeded, failed, rateLimited, credits } = addAll(days)
    const total = succeeded + failed + rateLimited + credits
    const cached = this.#earlier.get(key)
    if (cached?.total === total) return cached.rows
    const rows = addUp(await this.rows(accountId, fromDay, lastDay))
    this.#earlier.set(key, { total, rows })
    return rows
  }
}

const negated = (row: EndpointUsage): EndpointUsage => ({
  ...row,
  succeeded: -row.succeeded,
  failed: -row.failed,
  rateLimited: -row.rateLimited,
  credits: -row.credits,
  streamMinutes: -row.streamMinutes,
})

export const isUsed = ({ succeeded, failed, rateLimited, credits }: EndpointUsage) =>
  succeeded + failed + rateLimited + credits > 0

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)

const addAll = (rows: readonly Outcomes[]): Outcomes => ({
  succeeded: sum(rows, (row) => row.succeeded),
  failed: sum(rows, (row) => row.failed),
  rateLimited: sum(rows, (row) => row.rateLimited),
  credits: sum(rows, (row) => row.credits),
})

export function summarize(rows: readonly EndpointUsage[]): Omit<PeriodUsage, 'daily'> {
  const streams = rows.filter(({ streamMinutes }) => streamMinutes > 0)
  return {
    ...addAll(rows),
    stream: { minutes: sum(streams, (row) => row.streamMinutes), credits: sum(streams, (row) => row.credits) },
    byEndpoint: groups(rows, ({ endpoint }) => endpoint).map(([endpoint, sums]) => ({ endpoint, ...sums })),
    byKey: new Map(groups(rows, ({ apiKeyId }) => apiKeyId)),
  }
}

function groups(rows: readonly EndpointUsage[], by: (row: EndpointUsage) => string): [of: string, sums: Sums][] {
  return [...Map.groupBy(rows, by)].map(([of, own]) => [
    of,
    {
      requests: sum(own, (row) => row.succeeded + row.failed),
      failed: sum(own, (row) => row.failed),
      credits: sum(own, (row) => row.credits),
    },
  ])
}

/** Adds up the rows of each endpoint and key. */
function addUp(rows: readonly EndpointUsage[]): EndpointUsage[] {
  const sums = new Map<string, EndpointUsage>()
  for (const { endpoint, apiKeyId, succeeded, failed, rateLimited, credits, streamMinutes } of rows) {
    const key = `${apiKeyId} ${endpoint}`
    const sum = sums.get(key)
    if (sum === undefined) {
      sums.set(key, { endpoint, apiKeyId, succeeded, failed, rateLimited, credits, streamMinutes })
    } else {
      sum.succeeded += succeeded
      sum.failed += failed
      sum.rateLimited += rateLimited
      sum.credits += credits
      sum.streamMinutes += streamMinutes
    }
  }
  return [...sums.values()]
}
