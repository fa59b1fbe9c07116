import { LRUCache } from 'lru-cache'
import { DAY, isoDay, startOfDay } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { Params } from '../sql.ts'
import { type EndpointUsage, isUsed, type PeriodUsage, type Sums, summarize } from './usage-period.ts'

/** The columns by which usage can be grouped. */
const GROUP_COLUMNS = { day: 'day', endpoint: 'endpoint', key: 'api_key_id' }

export type UsageGrouping = keyof typeof GROUP_COLUMNS

/** Usage of one combination of the fields by which it is grouped; the others are null. */
export interface UsageGroup extends Sums {
  day: string | null
  endpoint: string | null
  apiKeyId: string | null
}

export interface RangeUsage extends PeriodUsage {
  /** Undefined if there are more than the limit. */
  groups: UsageGroup[] | undefined
}

interface Row extends EndpointUsage {
  /** What the row is a sum of: an endpoint with a key, a day, or a group. */
  of: 'pair' | 'day' | 'group'
  day: string
}

export interface UsageRange {
  from: number
  /** The end of the range, not part of it. */
  to: number
  groupBy: readonly UsageGrouping[]
  maxGroups: number
}

const CACHED_ROWS = 100_000

/**
 * Reads the usage of any range: the sums of its days, without the charges of its first day before it and of its last day
 * after it. One statement, so that all sums are of the same moment. The answer is cached with the total of the days: sums
 * only grow, so an equal total means equal sums.
 */
export class UsageRanges {
  readonly #db: Db
  readonly #cache = new LRUCache<string, { total: number; usage: RangeUsage }>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ usage }) => usage.daily.length + usage.byEndpoint.length + (usage.groups?.length ?? 0) + 1,
  })

  constructor(db: Db) {
    this.#db = db
  }

  async read(accountId: string, range: UsageRange): Promise<RangeUsage> {
    const key = JSON.stringify([accountId, range])
    const [sums] = await this.#db.query<{ total: number | null }>(
      `select cast(sum(succeeded + failed + rate_limited + credits) as bigint) as total
       from usage_days where account_id = $1 and day >= $2 and day < $3`,
      [accountId, isoDay(range.from), isoDay(endOfDays(range.to))],
    )
    const total = sums?.total ?? 0
    const cached = this.#cache.get(key)
    if (cached?.total === total) return cached.usage
    const usage = total === 0 ? toUsage([], range) : toUsage(await this.#rows(accountId, range), range)
    this.#cache.set(key, { total, usage })
    return usage
  }

  #rows(accountId: string, { from, to, groupBy, maxGroups }: UsageRange): Promise<Row[]> {
    const params = new Params()
    const account = params.add(accountId)
    const isInDays = `account_id = ${account} and day >= ${params.add(isoDay(from))} and day < ${params.add(isoDay(endOfDays(to)))}`
    const outside = [
      { start: startOfDay(from), end: from },
      { start: to, end: endOfDays(to) },
    ].filter(({ start, end }) => start < end)
    const minusCharges = outside.map(({ start, end }) => {
      const day = `cast(${params.add(isoDay(start))} as text)`
      const isOutside = `account_id = ${account} and created_at >= ${params.add(start)} and created_at < ${params.add(end)}`
      return `
        union all
        select ${day}, endpoint, api_key_id, case when status_code < 400 then -1 else 0 end,
          case when status_code < 400 then 0 else -1 end, 0, -credits, 0
        from request_log where ${isOutside} and endpoint is not null
        union all
        select ${day}, endpoint, api_key_id, 0, 0, 0, -credits, -minutes from metered_charges where ${isOutside}`
    })
    const relation = (table: string, columns: string) =>
      `(select ${columns} from ${table} where ${isInDays} ${minusCharges.join('')}) used`
    const used = relation(
      'usage_daily',
      'day, endpoint, api_key_id, succeeded, failed, rate_limited, credits, stream_minutes',
    )
    const usedDays = relation(
      'usage_days',
      `day, '' as endpoint, '' as api_key_id, succeeded, failed, rate_limited, credits, 0 as stream_minutes`,
    )
    const selects = [sumsOf('pair', used, ['endpoint', 'api_key_id']), sumsOf('day', usedDays, ['day'])]
    if (groupBy.length > 0) {
      const isByDay = groupBy.length === 1 && groupBy[0] === 'day'
      const columns = groupBy.map((name) => GROUP_COLUMNS[name])
      const group = sumsOf('group', isByDay ? usedDays : used, columns)
      const limit = params.add(maxGroups + 1)
      selects.push(`select * from (${group} having sum(succeeded + failed + credits) > 0 limit ${limit}) groups`)
    }
    return this.#db.heavy.query<Row>(selects.join(' union all '), params.values)
  }
}

/** Returns the end of the last day of a range that ends at this time. */
const endOfDays = (to: number) => startOfDay(to + DAY - 1)

function sumsOf(of: Row['of'], relation: string, columns: readonly string[]): string {
  const column = (name: string) => (columns.includes(name) ? name : 'cast(null as text)')
  const sum = (name: string) => `cast(sum(${name}) as bigint)`
  return `select '${of}' as of, ${column('day')} as day, ${column('endpoint')} as endpoint,
      ${column('api_key_id')} as "apiKeyId", ${sum('succeeded')} as succeeded, ${sum('failed')} as failed,
      ${sum('rate_limited')} as "rateLimited", ${sum('credits')} as credits, ${sum('stream_minutes')} as "streamMinutes"
    from ${relation} group by ${columns.join(', ')}`
}

function toUsage(rows: readonly Row[], { maxGroups }: UsageRange): RangeUsage {
  const { pair = [], day = [], group = [] } = Object.groupBy(rows.toSorted(byPlace), (row) => row.of)
  const sums = ({ succeeded, failed, credits }: Row) => ({ requests: succeeded + failed, failed, credits })
  const daily = day.map((row) => ({ day: row.day, ...sums(row) }))
  return {
    ...summarize(pair.filter(isUsed)),
    daily: daily.filter(({ requests, credits }) => requests + credits > 0),
    groups:
      group.length > maxGroups
        ? undefined
        : group.map((row) => ({ day: row.day, endpoint: row.endpoint, apiKeyId: row.apiKeyId, ...sums(row) })),
  }
}

function byPlace(one: Row, other: Row): number {
  const [a, b] = [one, other].map(({ day, endpoint, apiKeyId }) => `${day} ${endpoint} ${apiKeyId}`) as [string, string]
  return a < b ? -1 : Number(a > b)
}
