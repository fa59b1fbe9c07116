import { LRUCache } from 'lru-cache'
import type { ApiKey, Balance } from '../../model/accounts.ts'
import type { OffsetPage } from '../../model/paging.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { SECOND } from '../../model/time.ts'
import { type Db, SHORT_WALK } from '../db.ts'
import {
  anyNumber,
  anyText,
  type FilterMap,
  type FilterValues,
  type Given,
  isBound,
  least,
  most,
  oneText,
  otherText,
  readFilters,
} from '../lists/filters.ts'
import { Params } from '../sql.ts'
import { lockAccount } from './account-row.ts'
import { grantLasting } from './debts.ts'
import { findStart } from './first-record.ts'
import { removeOldRequests } from './log-retention.ts'
import { type LogPlace, LogRows, type RequestLogRecord } from './log-rows.ts'
import { conditionsOf, type LogRange, type LogWalk } from './log-walk.ts'
import { completeRequest, type RecordedBatch, recordRequests } from './record-requests.ts'
import { readBalance } from './transfers.ts'

const LOG_FILTERS = {
  apiKeyId: anyText('api_key_id'),
  excludeApiKeyId: otherText('api_key_id'),
  route: anyText('endpoint'),
  method: anyText('method'),
  path: oneText('path'),
  statusCode: anyNumber('status_code'),
  createdAfter: least('created_at'),
  createdBefore: most('created_at'),
} satisfies FilterMap

export type RequestLogFilters = FilterValues<typeof LOG_FILTERS>

export type RequestLog = ReturnType<typeof requestLogStore>

const REMEMBERED_KEYS = 10_000
/** Conditions on the requests that count for a rate. */
const COUNTED = { all: '', paid: 'and credits > 0', free: 'and credits = 0' }
/** The size of the cache of pages: their rows, and their keys, of which 500 characters count as a row. */
const CACHED_ROWS = 5_000

export function requestLogStore(db: Db, walk: LogWalk) {
  const touched = new LRUCache<string, number>({ max: REMEMBERED_KEYS })
  const rows = new LogRows(db)
  const pages = new LRUCache<string, { version: string; page: OffsetPage<RequestLogRecord> }>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ page }, key) => page.data.length + Math.ceil(key.length / 500),
  })
  return {
    /**
     * Charges and logs a batch of requests as a whole. `rateLimited` requests are counted, not logged. With `isRepeated`, the batch may
     * have been written before; its charges then fail if it was.
     */
    async record(
      requests: readonly LoggedRequest[],
      rateLimited: readonly LoggedRequest[],
      batchId: string,
      isRepeated = false,
    ): Promise<RecordedBatch> {
      const usedKeys = lastUses(requests, touched)
      const recorded = await db.run(recordRequests, {
        batches: [{ id: batchId, requests, rateLimited, usedKeys }],
        areRepeated: isRepeated,
      })
      for (const [id, at] of usedKeys) touched.set(id, at)
      return recorded
    },

    /** Completes the line of a request that was logged before it ended. */
    complete: (request: LoggedRequest): Promise<void> => db.transaction((tx) => completeRequest(tx, request)),

    /** Returns the balance if the request was charged: for a commit whose acknowledgement was lost. */
    async balanceIfCharged({ accountId, createdAt, id }: LoggedRequest): Promise<Balance | undefined> {
      const charged = await db.query(
        'select 1 from request_log where account_id = $1 and created_at = $2 and id = $3 and credits > 0',
        [accountId, createdAt, id],
      )
      return charged.length > 0 ? readBalance(db, accountId) : undefined
    },

    /**
     * Gives back the credits of requests that failed although they may have been charged; returns the balances. The lock
     * of the account waits for a commit that is still under way, so the answer is final.
     */
    giveBack(requests: readonly LoggedRequest[], batchId: string): Promise<Map<string, Balance>> {
      return db.transaction(async (tx) => {
        const balances = new Map<string, Balance>()
        const byAccount = Map.groupBy(requests, (request) => request.accountId)
        for (const [accountId, failed] of [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1))) {
          await lockAccount(tx, accountId)
          let credits = 0
          for (const { id, createdAt } of failed) {
            const [row] = await tx.query<{ credits: number }>(
              'select credits from request_log where account_id = $1 and created_at = $2 and id = $3',
              [accountId, createdAt, id],
            )
            credits += row?.credits ?? 0
          }
          if (credits > 0) {
            const description = 'API calls that failed after their charge'
            const idempotencyKey = `failed:${batchId}:${accountId}`
            const at = Math.max(...failed.map(({ createdAt }) => createdAt))
            await grantLasting(
              tx,
              { accountId, credits, kind: 'adjustment', description, idempotencyKey, at },
              'adjustment',
            )
          }
          balances.set(accountId, await readBalance(tx, accountId))
        }
        return balances
      })
    },

    /** Returns the same object until a request is logged or removed. */
    async page(
      accountId: string,
      filters: RequestLogFilters,
      limit: number,
      offset: number,
    ): Promise<OffsetPage<RequestLogRecord>> {
      const head = await walk.head(accountId)
      // Added and removed rows: both only grow.
      const version = `${head.closedRows + head.rows + head.removedRows} ${head.removedRows}`
      const key = JSON.stringify([accountId, filters, limit, offset])
      const cached = pages.get(key)
      if (cached?.version === version) return cached.page
      const asked = await readFilters(db, LOG_FILTERS, filters)
      if (asked === undefined) return { data: [], totalCount: 0 }
      const range = rangeOf(accountId, asked.given)
      const { runs, totalCount } = await walk.find(head, range, limit, offset)
      // Without filters, a page reads only its own rows and a part of the index.
      const reader = range.filters.length === 0 && limit <= SHORT_WALK ? db : db.heavy
      const places: LogPlace[] = []
      for (const run of runs) {
        const params = new Params()
        const found = await reader.query<LogPlace>(
          `select l.created_at as "createdAt", l.seq from request_log l where ${conditionsOf(params, range, run)}
           order by l.created_at desc, l.seq desc limit ${params.add(run.limit)} offset ${params.add(run.offset)}`,
          params.values,
        )
        places.push(...found)
      }
      const emptyBefore = totalCount === 0 ? await findStart(db, 'request_log', range) : undefined
      const { rows: data, areFinal } = await rows.get(accountId, places)
      const page = { data, totalCount, emptyBefore }
      if (areFinal) pages.set(key, { version, page })
      return page
    },

    /**
     * Counts the requests per slot of `slotMs` for the rate limits of a key. Earlier requests with revoked keys count
     * too, so that a new key does not reset the limits. Calls of the dashboard that cost nothing have limits of their own.
     */
    recentByKey(key: ApiKey, since: number, slotMs: number, which: keyof typeof COUNTED) {
      return db.heavy.query<{ slot: number; count: number }>(
        `select created_at / ${slotMs} as slot, count(*) as count from request_log
         where account_id = $1 and created_at > $2 and (api_key_id = $3 or (created_at < $4 and api_key_id in (
           select id from api_keys where account_id = $1 and is_active = 0))) ${COUNTED[which]}
         group by 1 order by 1`,
        [key.accountId, since, key.id, key.createdAt],
      )
    },

    /** Removes the requests from before a time; the sums of days, balances and the audit stay as they are. */
    async removeBefore(time: number, mayGoOn: () => boolean = () => true): Promise<number> {
      const removed = await removeOldRequests(db, time, mayGoOn)
      rows.clear()
      return removed
    },
  }
}

/** Lists the keys whose last use was written a second ago or earlier: each update writes another page. */
function lastUses(requests: readonly LoggedRequest[], touched: LRUCache<string, number>): [id: string, at: number][] {
  const uses = new Map<string, number>()
  for (const { apiKeyId, createdAt } of requests) {
    if (createdAt - (touched.get(apiKeyId) ?? 0) >= SECOND) uses.set(apiKeyId, createdAt)
  }
  // In the order of ids, so that two instances cannot deadlock.
  return [...uses].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Separates the bounds of the time from the other filters. */
function rangeOf(accountId: string, given: readonly Given[]): LogRange {
  const range = { accountId, fromAt: 0, toAt: Infinity, filters: given.filter(({ filter }) => !isBound(filter)) }
  for (const { filter, values } of given) {
    if (filter.kind === 'least') range.fromAt = Number(values[0])
    else if (filter.kind === 'most') range.toAt = Number(values[0]) + 1
  }
  return range
}
