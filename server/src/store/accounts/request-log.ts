import type { ApiKey } from '../../model/accounts.ts'
import { Lru } from '../../model/lru.ts'
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
import { postUsage, takeFromBalance } from './transfers.ts'
import { addUsage, type UsageSum, usageKey } from './usage.ts'

/** The call as its account sees it in the log. */
export interface RequestLogRecord extends Omit<LoggedRequest, 'accountId' | 'endpoint'> {
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

/** What a batch did: the balance of each account it charged, and the calls that a balance did not cover. */
export interface BatchResult {
  balances: Map<string, number>
  refused: Set<LoggedRequest>
}

export type RequestLog = ReturnType<typeof requestLogStore>

const REMEMBERED_KEYS = 10_000

export function requestLogStore(db: Db) {
  const touched = new Lru<number>(REMEMBERED_KEYS)
  return {
    /**
     * Charges and logs a batch of calls in one durable step. `rateLimited` calls are counted and not logged.
     */
    async record(
      calls: readonly LoggedRequest[],
      rateLimited: readonly LoggedRequest[],
      batchId: string,
    ): Promise<BatchResult> {
      return db.transaction(async (tx) => {
        const { transferIds, balances, refused } = await postCharges(tx, calls, batchId)
        const logged = calls.filter((call) => !refused.has(call))
        await insertRecords(
          tx,
          'request_log',
          logged.map((call) => logRow(call, transferIds.get(call) ?? null)),
        )
        await addUsage(tx, sumUsage(logged, rateLimited, transferIds))
        await touchKeys(tx, logged, touched)
        return { balances, refused }
      })
    },

    /** The balance, if this call is recorded as charged: for when a commit was not acknowledged. */
    async balanceIfCharged(call: LoggedRequest): Promise<number | undefined> {
      const [row] = await db.query<{ posted: number }>(
        `select a.posted from request_log l join accounts a on a.id = l.account_id
         where l.account_id = $1 and l.created_at = $2 and l.id = $3 and l.credits > 0`,
        [call.accountId, call.createdAt, call.id],
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
     * Calls per slot of `slotMs` that count against the key's windows: its own, and those that were made before it
     * with keys that are revoked, so that a new key is no fresh allowance.
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

/** One transfer per account, in the order of ids so that two instances never wait for each other. */
async function postCharges(tx: Queryable, calls: readonly LoggedRequest[], batchId: string) {
  const transferIds = new Map<LoggedRequest, number>()
  const balances = new Map<string, number>()
  const refused = new Set<LoggedRequest>()
  const byAccount = Map.groupBy(
    calls.filter((call) => call.credits > 0),
    (call) => call.accountId,
  )
  for (const [accountId, charged] of [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { covered, balance } = await takeCovered(tx, accountId, charged)
    const paid = new Set(covered)
    for (const call of charged) if (!paid.has(call)) refused.add(call)
    if (balance === undefined) continue
    const credits = sumCredits(covered)
    const transferId = await postUsage(
      tx,
      {
        accountId,
        credits,
        description: 'API calls',
        idempotencyKey: `calls:${batchId}:${accountId}`,
        at: Math.max(...covered.map((call) => call.createdAt)),
      },
      balance,
    )
    for (const call of covered) transferIds.set(call, transferId)
    balances.set(accountId, balance)
  }
  return { transferIds, balances, refused }
}

/** All of the calls at once where the balance covers them, else as many as it covers, in their order. */
async function takeCovered(tx: Queryable, accountId: string, calls: readonly LoggedRequest[]) {
  const balance = await takeFromBalance(tx, accountId, sumCredits(calls))
  if (balance !== undefined) return { covered: calls, balance }
  const covered: LoggedRequest[] = []
  let last: number | undefined
  for (const call of calls) {
    const after = await takeFromBalance(tx, accountId, call.credits)
    if (after === undefined) continue
    covered.push(call)
    last = after
  }
  return { covered, balance: last }
}

const sumCredits = (calls: readonly LoggedRequest[]) => calls.reduce((sum, call) => sum + call.credits, 0)

function sumUsage(
  calls: readonly LoggedRequest[],
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
  for (const call of calls) {
    const sum = sumOf(call)
    if (call.statusCode < 400) sum.succeeded += 1
    else sum.failed += 1
    sum.credits += call.credits
    const transferId = transferIds.get(call)
    if (transferId !== undefined) {
      sum.lastCharge = { transferId, at: Math.max(call.createdAt, sum.lastCharge?.at ?? call.createdAt) }
    }
  }
  for (const call of rateLimited) sumOf(call).rateLimited += 1
  return [...sums.values()]
}

/** Notes when keys were last used, to the second: writing every call down would cost a page of the log each time. */
async function touchKeys(tx: Queryable, calls: readonly LoggedRequest[], touched: Lru<number>): Promise<void> {
  const lastUsed = new Map<string, number>()
  for (const { apiKeyId, createdAt } of calls) {
    if (createdAt - (touched.get(apiKeyId) ?? 0) >= SECOND) lastUsed.set(apiKeyId, createdAt)
  }
  for (const [id, at] of [...lastUsed].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await tx.query('update api_keys set last_used_at = $2 where id = $1', [id, at])
    touched.set(id, at)
  }
}

function logRow(call: LoggedRequest, transferId: number | null) {
  return {
    id: call.id,
    account_id: call.accountId,
    api_key_id: call.apiKeyId,
    method: call.method,
    path: call.path,
    query: call.query,
    status_code: call.statusCode,
    error_code: call.errorCode,
    credits: call.credits,
    transfer_id: transferId,
    duration_ms: call.durationMs,
    response_bytes: call.responseBytes,
    created_at: call.createdAt,
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
