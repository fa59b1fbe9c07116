import type { LoggedRequest } from '../../model/request-log.ts'
import { isoDay } from '../../model/time.ts'
import type { Procedure, Queryable, Transaction } from '../db.ts'
import { insertRecords, together } from '../sql.ts'
import { addToBlocks } from './log-blocks.ts'
import { listOpenLots, recordUsage, takeFromBalance } from './transfers.ts'
import { addUsage, type UsageSum, usageKey } from './usage.ts'

export interface RequestBatch {
  /** Makes the charges of a batch that is written again a duplicate, which fails. */
  id: string
  /** Requests to charge and log. */
  requests: readonly LoggedRequest[]
  /** Requests that are only counted. */
  rateLimited: readonly LoggedRequest[]
  /** The keys whose last use is updated, with its time. */
  usedKeys: readonly (readonly [id: string, at: number])[]
}

export interface RecordedBatch {
  /** The balance of each account that was charged. */
  balances: Map<string, number>
  /** The places of the requests that a balance did not cover. */
  refused: Set<number>
}

/** Charges and logs a batch of requests. */
export const recordRequests: Procedure<RequestBatch, RecordedBatch> = {
  module: import.meta.url,
  name: 'recordRequests',
  async work(tx, { id, requests, rateLimited, usedKeys }) {
    const { transferIds, balances, refused } = await chargeRequests(tx, requests, id)
    const logged = requests.filter((request) => !refused.has(request))
    const rows = logged.map((request) => logRow(request, transferIds.get(request) ?? null))
    await together([insertRecords(tx, 'request_log', rows), addToBlocks(tx, logged)])
    await together([
      addUsage(tx, sumUsage(logged, rateLimited, transferIds)),
      ...usedKeys.map(([keyId, at]) => tx.query('update api_keys set last_used_at = $2 where id = $1', [keyId, at])),
    ])
    const places = requests.flatMap((request, place) => (refused.has(request) ? [place] : []))
    return { balances, refused: new Set(places) }
  },
}

/**
 * Logs a request whose charges are metered, in the transaction of the first one: whatever happens to the request, the log has
 * all that was charged.
 */
export async function logMetered(tx: Transaction, request: LoggedRequest): Promise<void> {
  const { id, apiKeyId, createdAt } = request
  await recordRequests.work(tx, { id, requests: [request], rateLimited: [], usedKeys: [[apiKeyId, createdAt]] })
}

/** Completes the line of a request that was logged before it ended. */
export async function completeRequest(tx: Queryable, request: LoggedRequest): Promise<void> {
  await tx.query(
    `update request_log set status_code = $4, duration_ms = $5, response_bytes = $6
     where account_id = $1 and created_at = $2 and id = $3`,
    [request.accountId, request.createdAt, request.id, request.statusCode, request.durationMs, request.responseBytes],
  )
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
  const accounts = [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1))
  const taken = await together(
    accounts.map(([accountId, charged]) =>
      // The lots are read under the lock of the account, which the first statement takes.
      together([takeCovered(tx, accountId, charged), listOpenLots(tx, accountId)]),
    ),
  )
  await together(
    accounts.map(async ([accountId, charged], index) => {
      const [{ covered = [], balance } = {}, lots = []] = taken[index] ?? []
      const paid = new Set(covered)
      for (const request of charged) if (!paid.has(request)) refused.add(request)
      if (balance === undefined) return
      balances.set(accountId, balance)
      const usage = {
        accountId,
        credits: sumCredits(covered),
        description: 'API calls',
        idempotencyKey: `calls:${batchId}:${accountId}`,
        at: Math.max(...covered.map((request) => request.createdAt)),
      }
      const transferId = await recordUsage(tx, usage, balance, lots)
      for (const request of covered) transferIds.set(request, transferId)
    }),
  )
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

function logRow(request: LoggedRequest, transferId: number | null) {
  return {
    id: request.id,
    account_id: request.accountId,
    api_key_id: request.apiKeyId,
    endpoint: request.endpoint,
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
