import { LRUCache } from 'lru-cache'
import type { ApiKey } from '../../model/accounts.ts'
import type { OffsetPage } from '../../model/paging.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { isoDay, SECOND } from '../../model/time.ts'
import type { Db, Queryable } from '../db.ts'
import {
  anyNumber,
  anyText,
  conditionOf,
  type FilterMap,
  type FilterValues,
  least,
  most,
  oneText,
  readFilters,
} from '../lists/filters.ts'
import { insertRecords, Params, where } from '../sql.ts'
import { recordUsage, takeFromBalance } from './transfers.ts'
import { addUsage, type UsageSum, usageKey } from './usage.ts'

/** A request as the account sees it in the log. */
interface RequestLogRecord extends Omit<LoggedRequest, 'accountId' | 'endpoint'> {
  keyPrefix: string
}

const LOG_FILTERS = {
  apiKeyId: anyText('api_key_id'),
  method: anyText('method'),
  path: oneText('path'),
  statusCode: anyNumber('status_code'),
  createdAfter: least('created_at'),
  createdBefore: most('created_at'),
} satisfies FilterMap

export type RequestLogFilters = FilterValues<typeof LOG_FILTERS>

export interface UsageRow {
  day: string
  endpoint: string
  apiKeyId: string
  succeeded: number
  failed: number
  rateLimited: number
  credits: number
}

/** The balance of each account that was charged, and the requests that a balance did not cover. */
export interface BatchResult {
  balances: Map<string, number>
  refused: Set<LoggedRequest>
}

export type RequestLog = ReturnType<typeof requestLogStore>

const REMEMBERED_KEYS = 10_000

export function requestLogStore(db: Db) {
  const touched = new LRUCache<string, number>({ max: REMEMBERED_KEYS })
  return {
    /** Charges and logs a batch of requests in one transaction. `rateLimited` requests are counted, not logged. */
    async record(
      requests: readonly LoggedRequest[],
      rateLimited: readonly LoggedRequest[],
      batchId: string,
    ): Promise<BatchResult> {
      return db.transaction(async (tx) => {
        const { transferIds, balances, refused } = await chargeRequests(tx, requests, batchId)
        const logged = requests.filter((request) => !refused.has(request))
        await insertRecords(
          tx,
          'request_log',
          logged.map((request) => logRow(request, transferIds.get(request) ?? null)),
        )
        await addUsage(tx, sumUsage(logged, rateLimited, transferIds))
        await touchKeys(tx, logged, touched)
        return { balances, refused }
      })
    },

    /** Returns the balance if the request was charged: for a commit whose acknowledgement was lost. */
    async balanceIfCharged(request: LoggedRequest): Promise<number | undefined> {
      const [row] = await db.query<{ posted: number }>(
        `select a.posted from request_log l join accounts a on a.id = l.account_id
         where l.account_id = $1 and l.created_at = $2 and l.id = $3 and l.credits > 0`,
        [request.accountId, request.createdAt, request.id],
      )
      return row?.posted
    },

    async page(
      accountId: string,
      filters: RequestLogFilters,
      limit: number,
      offset: number,
    ): Promise<OffsetPage<RequestLogRecord>> {
      const params = new Params()
      const asked = await readFilters(db, LOG_FILTERS, filters)
      if (asked === undefined) return { data: [], totalCount: 0 }
      const conditions = [
        `l.account_id = ${params.add(accountId)}`,
        ...asked.given.map((one) => conditionOf(params, `l.${one.filter.column}`, one)),
      ]
      const [count] = await db.heavy.query<{ count: number }>(
        `select count(*) as count from request_log l${where(conditions)}`,
        params.values,
      )
      const rows = await db.heavy.query<LogRow>(
        `select l.id, l.api_key_id, k.prefix, l.method, l.path, l.query, l.status_code, l.error_code, l.credits,
           l.duration_ms, l.response_bytes, l.created_at
         from request_log l join api_keys k on k.id = l.api_key_id${where(conditions)}
         order by l.created_at desc, l.seq desc limit ${params.add(limit)} offset ${params.add(offset)}`,
        params.values,
      )
      return { data: rows.map(toRecord), totalCount: count?.count ?? 0 }
    },

    /**
     * Counts the requests per slot of `slotMs` for the rate limits of a key. Earlier requests with revoked keys count
     * too, so that a new key does not reset the limits.
     */
    recentByKey(key: ApiKey, since: number, slotMs: number) {
      return db.heavy.query<{ slot: number; count: number }>(
        `select created_at / ${slotMs} as slot, count(*) as count from request_log
         where account_id = $1 and created_at > $2 and (api_key_id = $3 or (created_at < $4 and api_key_id in (
           select id from api_keys where account_id = $1 and is_active = 0)))
         group by 1 order by 1`,
        [key.accountId, since, key.id, key.createdAt],
      )
    },

    async usage(accountId: string, fromDay: string): Promise<UsageRow[]> {
      return db.query<UsageRow>(
        `select day, endpoint, api_key_id as "apiKeyId", succeeded, failed, rate_limited as "rateLimited", credits
         from usage_daily where account_id = $1 and day >= $2 order by day, endpoint, api_key_id`,
        [accountId, fromDay],
      )
    },
  }
}

interface LogRow {
  id: string
  api_key_id: string
  prefix: string
  method: string
  path: string
  query: string | null
  status_code: number
  error_code: string | null
  credits: number
  duration_ms: number
  response_bytes: number
  created_at: number
}

/** Makes one transfer per account, in the order of ids so that two instances cannot deadlock. */
async function chargeRequests(tx: Queryable, requests: readonly LoggedRequest[], batchId: string) {
  const transferIds = new Map<LoggedRequest, number>()
  const balances = new Map<string, number>()
  const refused = new Set<LoggedRequest>()
  const byAccount = Map.groupBy(
    requests.filter((request) => request.credits > 0),
    (request) => request.accountId,
  )
  for (const [accountId, charged] of [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { covered, balance } = await takeCovered(tx, accountId, charged)
    const paid = new Set(covered)
    for (const request of charged) if (!paid.has(request)) refused.add(request)
    if (balance === undefined) continue
    const credits = sumCredits(covered)
    const transferId = await recordUsage(
      tx,
      {
        accountId,
        credits,
        description: 'API calls',
        idempotencyKey: `calls:${batchId}:${accountId}`,
        at: Math.max(...covered.map((request) => request.createdAt)),
      },
      balance,
    )
    for (const request of covered) transferIds.set(request, transferId)
    balances.set(accountId, balance)
  }
  return { transferIds, balances, refused }
}

/** Takes the credits of all requests if the balance covers them, otherwise of as many as it covers, in their order. */
async function takeCovered(tx: Queryable, accountId: string, requests: readonly LoggedRequest[]) {
  const balance = await takeFromBalance(tx, accountId, sumCredits(requests))
  if (balance !== undefined) return { covered: requests, balance }
  const covered: LoggedRequest[] = []
  let last: number | undefined
  for (const request of requests) {
    const after = await takeFromBalance(tx, accountId, request.credits)
    if (after === undefined) continue
    covered.push(request)
    last = after
  }
  return { covered, balance: last }
}

const sumCredits = (requests: readonly LoggedRequest[]) => requests.reduce((sum, request) => sum + request.credits, 0)

function sumUsage(
  requests: readonly LoggedRequest[],
  rateLimited: readonly LoggedRequest[],
  transferIds: ReadonlyMap<LoggedRequest, number>,
): UsageSum[] {
  const sums = new Map<string, UsageSum>()
  const sumOf = ({ accountId, apiKeyId, endpoint, createdAt }: LoggedRequest) => {
    const of = { accountId, apiKeyId, endpoint, day: isoDay(createdAt) }
    const sum = sums.get(usageKey(of)) ?? {
      ...of,
      succeeded: 0,
      failed: 0,
      rateLimited: 0,
      credits: 0,
      lastCharge: null,
    }
    sums.set(usageKey(of), sum)
    return sum
  }
  for (const request of requests) {
    const sum = sumOf(request)
    if (request.statusCode < 400) sum.succeeded += 1
    else sum.failed += 1
    sum.credits += request.credits
    const transferId = transferIds.get(request)
    if (transferId !== undefined) {
      sum.lastCharge = { transferId, at: Math.max(request.createdAt, sum.lastCharge?.at ?? request.createdAt) }
    }
  }
  for (const request of rateLimited) sumOf(request).rateLimited += 1
  return [...sums.values()]
}

/** Updates `last_used_at` at most once per second and key, since each update writes another page. */
async function touchKeys(
  tx: Queryable,
  requests: readonly LoggedRequest[],
  touched: LRUCache<string, number>,
): Promise<void> {
  const lastUsed = new Map<string, number>()
  for (const { apiKeyId, createdAt } of requests) {
    if (createdAt - (touched.get(apiKeyId) ?? 0) >= SECOND) lastUsed.set(apiKeyId, createdAt)
  }
  for (const [id, at] of [...lastUsed].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await tx.query('update api_keys set last_used_at = $2 where id = $1', [id, at])
    touched.set(id, at)
  }
}

function logRow(request: LoggedRequest, transferId: number | null) {
  return {
    id: request.id,
    account_id: request.accountId,
    api_key_id: request.apiKeyId,
    method: request.method,
    path: request.path,
    query: request.query,
    status_code: request.statusCode,
    error_code: request.errorCode,
    credits: request.credits,
    transfer_id: transferId,
    duration_ms: request.durationMs,
    response_bytes: request.responseBytes,
    created_at: request.createdAt,
  }
}

function toRecord(row: LogRow): RequestLogRecord {
  return {
    id: row.id,
    apiKeyId: row.api_key_id,
    keyPrefix: row.prefix,
    method: row.method,
    path: row.path,
    query: row.query,
    statusCode: row.status_code,
    errorCode: row.error_code,
    credits: row.credits,
    durationMs: row.duration_ms,
    responseBytes: row.response_bytes,
    createdAt: row.created_at,
  }
}
