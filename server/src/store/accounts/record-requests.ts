import type { Balance } from '../../model/accounts.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { isoDay } from '../../model/time.ts'
import type { DeferredRuns, Procedure, Queryable, Transaction } from '../db.ts'
import { insertRecords, Params, padded, together } from '../sql.ts'
import { addToBlocks } from './log-blocks.ts'
import {
  idOf,
  listOpenLots,
  lockAccounts,
  recordUsages,
  type TakenUsage,
  takeFromBalance,
  takeFromBalances,
} from './transfers.ts'
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
  /** Whether the batch may have been written before. */
  isRepeated?: boolean
  /** Whether the batch fails if a balance does not cover it. */
  isForeseen?: boolean
}

export interface RecordedBatch {
  /** The balance of each account that was charged. */
  balances: Map<string, Balance>
  /** The places of the requests that a balance did not cover. */
  refused: Set<number>
}

/** Charges and logs a batch of requests. */
export const recordRequests: Procedure<RequestBatch, RecordedBatch> = {
  module: import.meta.url,
  name: 'recordRequests',
  async work(tx, { id, requests, rateLimited, usedKeys, isRepeated = false, isForeseen = false }) {
    if (isRepeated && requests[0] !== undefined && (await isCharged(tx, requests[0])))
      throw new Error(`batch ${id} was written before`)
    const { transferIds, balances, refused } = await chargeRequests(tx, requests, id)
    if (isForeseen && refused.size > 0) throw new Error(`batch ${id} was answered, but a balance does not cover it`)
    const logged = requests.filter((request) => !refused.has(request))
    const rows = logged.map((request) => logRow(request, transferIds.get(request) ?? null))
    await together([
      insertRecords(tx, 'request_log', rows),
      addToBlocks(tx, logged),
      addUsage(tx, sumUsage(logged, rateLimited, transferIds)),
      ...usedKeys.map(([keyId, at]) => tx.query('update api_keys set last_used_at = $2 where id = $1', [keyId, at])),
    ])
    const places = requests.flatMap((request, place) => (refused.has(request) ? [place] : []))
    return { balances, refused: new Set(places) }
  },
  defer: () => new DeferredCharges(),
}

/** Batches of requests that are charged together later. Their accounts cover them. */
class DeferredCharges implements DeferredRuns<RequestBatch, RecordedBatch> {
  readonly #batches: RequestBatch[] = []
  /** The credits of each account, in the order in which its transfer will be inserted. */
  readonly #credits = new Map<string, number>()
  #size = 0

  /** Nobody waits for a batch without charges. */
  async foresee(tx: Queryable, { requests, isRepeated }: RequestBatch): Promise<RecordedBatch | undefined> {
    const charged = creditsByAccount(requests)
    if (isRepeated || charged.size === 0) return undefined
    const params = new Params()
    const ids = params.list(padded([...charged.keys()]))
    const accounts = await tx.query<{ id: string; posted: number; lastTransferId: number }>(
      `select id, posted, (select coalesce(max(id), 0) from transfers) as "lastTransferId"
       from accounts where id in (${ids})`,
      params.values,
    )
    const order = [...new Set([...this.#credits.keys(), ...charged.keys()])]
    const balances = new Map<string, Balance>()
    for (const { id, posted, lastTransferId } of accounts) {
      const credits = posted - (this.#credits.get(id) ?? 0) - (charged.get(id) ?? 0)
      if (credits >= 0) balances.set(id, { credits, transferId: lastTransferId + 1 + order.indexOf(id) })
    }
    return balances.size === charged.size ? { balances, refused: new Set() } : undefined
  }

  add(batch: RequestBatch): void {
    this.#batches.push(batch)
    this.#size += batch.requests.length + batch.rateLimited.length
    for (const [id, credits] of creditsByAccount(batch.requests))
      this.#credits.set(id, (this.#credits.get(id) ?? 0) + credits)
  }

  combined(): RequestBatch {
    return {
      id: this.#batches[0]?.id ?? '',
      requests: this.#batches.flatMap(({ requests }) => requests),
      rateLimited: this.#batches.flatMap(({ rateLimited }) => rateLimited),
      usedKeys: [...new Map(this.#batches.flatMap(({ usedKeys }) => usedKeys))],
      isForeseen: true,
    }
  }

  size(): number {
    return this.#size
  }
}

function creditsByAccount(requests: readonly LoggedRequest[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { accountId, credits } of requests)
    if (credits > 0) sums.set(accountId, (sums.get(accountId) ?? 0) + credits)
  return sums
}

/**
 * Logs a request whose charges are metered, in the transaction of the first one: whatever happens to the request, the log has
 * all that was charged.
 */
export async function logMetered(tx: Transaction, request: LoggedRequest): Promise<void> {
  const { id, apiKeyId, createdAt } = request
  await recordRequests.work(tx, { id, requests: [request], rateLimited: [], usedKeys: [[apiKeyId, createdAt]] })
}

export async function isCharged(tx: Queryable, { accountId, createdAt, id }: LoggedRequest): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from request_log where account_id = $1 and created_at = $2 and id = $3 and credits > 0',
    [accountId, createdAt, id],
  )
  return rows.length > 0
}

/** Completes the line of a request that was logged before it ended. */
export async function completeRequest(tx: Queryable, request: LoggedRequest): Promise<void> {
  await tx.query(
    `update request_log set status_code = $4, duration_ms = $5, response_bytes = $6
     where account_id = $1 and created_at = $2 and id = $3`,
    [request.accountId, request.createdAt, request.id, request.statusCode, request.durationMs, request.responseBytes],
  )
}

/** Makes one transfer per account. */
async function chargeRequests(tx: Transaction, requests: readonly LoggedRequest[], batchId: string) {
  const transferIds = new Map<LoggedRequest, number>()
  const balances = new Map<string, Balance>()
  const refused = new Set<LoggedRequest>()
  const byAccount = Map.groupBy(
    requests.filter((request) => request.credits > 0),
    (request) => request.accountId,
  )
  if (byAccount.size === 0) return { transferIds, balances, refused }
  const accountIds = [...byAccount.keys()]
  const [, taken, lots] = await together([
    lockAccounts(tx, accountIds),
    takeFromBalances(
      tx,
      accountIds.map((id) => [id, sumCredits(byAccount.get(id) ?? [])]),
    ),
    // Under the locks of the accounts.
    listOpenLots(tx, ...accountIds),
  ])
  const usages: TakenUsage[] = []
  for (const [accountId, charged] of byAccount) {
    const whole = taken.get(accountId)
    const { covered, balance } =
      whole === undefined ? await takeCovered(tx, accountId, charged) : { covered: charged, balance: whole }
    const paid = new Set(covered)
    for (const request of charged) if (!paid.has(request)) refused.add(request)
    if (balance === undefined) continue
    usages.push({
      accountId,
      credits: sumCredits(covered),
      description: 'API calls',
      idempotencyKey: callsKey(batchId, accountId),
      at: Math.max(...covered.map((request) => request.createdAt)),
      balanceAfter: balance,
    })
  }
  const ids = await recordUsages(tx, usages, lots)
  for (const usage of usages) {
    balances.set(usage.accountId, { credits: usage.balanceAfter, transferId: idOf(ids, usage) })
  }
  for (const request of requests) {
    const id = refused.has(request) ? undefined : ids.get(callsKey(batchId, request.accountId))
    if (id !== undefined && request.credits > 0) transferIds.set(request, id)
  }
  return { transferIds, balances, refused }
}

const callsKey = (batchId: string, accountId: string) => `calls:${batchId}:${accountId}`

/** Takes the credits of as many requests as the balance covers, in their order. */
async function takeCovered(tx: Queryable, accountId: string, requests: readonly LoggedRequest[]) {
  const covered: LoggedRequest[] = []
  let balance: number | undefined
  for (const request of requests) {
    const after = await takeFromBalance(tx, accountId, request.credits)
    if (after === undefined) continue
    covered.push(request)
    balance = after
  }
  return { covered, balance }
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
