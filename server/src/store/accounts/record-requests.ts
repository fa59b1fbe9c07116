import type { Balance } from '../../model/accounts.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { isoDay } from '../../model/time.ts'
import type { DeferredRuns, Procedure, Queryable, Transaction } from '../db.ts'
import { insertRecords, Params, padded, together } from '../sql.ts'
import { addToBlocks } from './log-blocks.ts'
import {
  listOpenLots,
  lockAccounts,
  recordUsages,
  type TakenUsage,
  takeFromBalance,
  takeFromBalances,
  transferIdOf,
} from './transfers.ts'
import { addUsage, type UsageSum, usageKey } from './usage.ts'

/** Requests that are charged together. */
export interface RequestBatch {
  /** Names the transfers of the batch, so that it cannot be charged twice. */
  id: string
  /** Requests to charge and log. */
  requests: readonly LoggedRequest[]
  /** Requests that are only counted. */
  rateLimited: readonly LoggedRequest[]
  /** The keys whose last use is updated, with its time. */
  usedKeys: readonly (readonly [id: string, at: number])[]
}

/** Arguments of {@link recordRequests}. SQLite stores them as JSON for a moment (decision 061), so later versions must be able to read them. */
interface RequestBatches {
  batches: readonly RequestBatch[]
  /** Whether the batches may have been written before. Then they are not deferred, so that the names of their transfers refuse them at once. */
  areRepeated?: boolean
  /** Whether their callers have the answers: a balance that does not cover them is then an error. */
  areAnswered?: boolean
}

export interface RecordedBatch {
  /** The balance of each account that was charged. */
  balances: Map<string, Balance>
  /** The places of the requests that a balance did not cover. */
  refused: Set<number>
}

/** Charges and logs batches of requests. */
export const recordRequests: Procedure<RequestBatches, RecordedBatch> = {
  module: import.meta.url,
  name: 'recordRequests',
  async work(tx, { batches, areAnswered = false }) {
    const requests = batches.flatMap((batch) => batch.requests)
    const { transferIds, balances, refused } = await chargeRequests(tx, batches)
    if (areAnswered && refused.size > 0) throw new Error('a balance does not cover requests that were answered')
    const logged = requests.filter((request) => !refused.has(request))
    const rows = logged.map((request) => logRow(request, transferIds.get(request) ?? null))
    const rateLimited = batches.flatMap((batch) => batch.rateLimited)
    const usedKeys = new Map(batches.flatMap((batch) => batch.usedKeys))
    await together([
      insertRecords(tx, 'request_log', rows),
      addToBlocks(tx, logged),
      addUsage(tx, sumUsage(logged, rateLimited, transferIds)),
      ...[...usedKeys].map(([id, at]) => tx.query('update api_keys set last_used_at = $2 where id = $1', [id, at])),
    ])
    const places = requests.flatMap((request, place) => (refused.has(request) ? [place] : []))
    return { balances, refused: new Set(places) }
  },
  defer: () => new DeferredBatches(),
}

/** Batches that are charged later. The balances of their accounts cover them. */
class DeferredBatches implements DeferredRuns<RequestBatches, RecordedBatch> {
  readonly #batches: RequestBatch[] = []
  readonly #credits = new Map<string, number>()
  /** Accounts of batches that were added: nothing changes them until these are charged. */
  readonly #accounts = new Map<string, ReadAccount>()
  /** Accounts that were read for the batch that was predicted last. It is not added if its row cannot be stored. */
  #lastRead: readonly ReadAccount[] = []
  #transfers = 0
  #size = 0

  async predict(tx: Queryable, { batches, areRepeated }: RequestBatches): Promise<RecordedBatch | undefined> {
    const [batch, ...others] = batches
    if (batch === undefined || others.length > 0 || areRepeated) return undefined
    const charged = creditsByAccount(batch.requests)
    // Nobody waits for logs alone. If they were deferred, the next read of the ledger would wait.
    if (charged.size === 0) return undefined
    this.#lastRead = await readAccounts(
      tx,
      [...charged.keys()].filter((id) => !this.#accounts.has(id)),
    )
    const read = new Map(this.#lastRead.map((account) => [account.id, account]))
    const balances = new Map<string, Balance>()
    let transfers = this.#transfers
    for (const [id, credits] of charged) {
      const account = this.#accounts.get(id) ?? read.get(id)
      const left = (account?.posted ?? 0) - (this.#credits.get(id) ?? 0) - credits
      if (account === undefined || left < 0) return undefined
      transfers += 1
      balances.set(id, { credits: left, transferId: account.transferId + transfers })
    }
    return { balances, refused: new Set() }
  }

  add({ batches }: RequestBatches): void {
    for (const account of this.#lastRead) this.#accounts.set(account.id, account)
    for (const batch of batches) {
      this.#batches.push(batch)
      this.#size += batch.requests.length + batch.rateLimited.length
      for (const [id, credits] of creditsByAccount(batch.requests)) {
        this.#transfers += 1
        this.#credits.set(id, (this.#credits.get(id) ?? 0) + credits)
      }
    }
  }

  combined(): RequestBatches {
    return { batches: this.#batches, areAnswered: true }
  }

  size(): number {
    return this.#size
  }
}

/** An account with its balance and the id of the last transfer of all. */
interface ReadAccount {
  id: string
  posted: number
  transferId: number
}

async function readAccounts(tx: Queryable, ids: readonly string[]): Promise<ReadAccount[]> {
  if (ids.length === 0) return []
  const params = new Params()
  return tx.query<ReadAccount>(
    `select id, posted, (select coalesce(max(id), 0) from transfers) as "transferId" from accounts
     where id in (${params.list(padded(ids))})`,
    params.values,
  )
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
  const batch = { id, requests: [request], rateLimited: [], usedKeys: [[apiKeyId, createdAt] as const] }
  await recordRequests.work(tx, { batches: [batch] })
}

/** Completes the line of a request that was logged before it ended. */
export async function completeRequest(tx: Queryable, request: LoggedRequest): Promise<void> {
  await tx.query(
    `update request_log set status_code = $4, duration_ms = $5, response_bytes = $6
     where account_id = $1 and created_at = $2 and id = $3`,
    [request.accountId, request.createdAt, request.id, request.statusCode, request.durationMs, request.responseBytes],
  )
}

/** Makes one transfer per account and batch, in the order in which {@link DeferredBatches} predicts their ids. */
async function chargeRequests(tx: Transaction, batches: readonly RequestBatch[]) {
  const transferIds = new Map<LoggedRequest, number>()
  const balances = new Map<string, Balance>()
  const refused = new Set<LoggedRequest>()
  const charged = batches.flatMap((batch) => batch.requests).filter((request) => request.credits > 0)
  const byAccount = Map.groupBy(charged, (request) => request.accountId)
  if (byAccount.size === 0) return { transferIds, balances, refused }
  const accountIds = [...byAccount.keys()]
  let [, taken, lots] = await together([
    lockAccounts(tx, accountIds),
    takeFromBalances(
      tx,
      accountIds.map((id) => [id, sumCredits(byAccount.get(id) ?? [])]),
    ),
    // Several accounts are locked by now, a single one only if its credits were taken.
    listOpenLots(tx, ...accountIds),
  ])
  /** The balances before the next batch. */
  const left = new Map<string, number>()
  for (const [accountId, own] of byAccount) {
    const whole = taken.get(accountId)
    const { covered, balance = 0 } =
      whole === undefined ? await takeCovered(tx, accountId, own) : { covered: own, balance: whole }
    const paid = new Set(covered)
    for (const request of own) if (!paid.has(request)) refused.add(request)
    left.set(accountId, balance + sumCredits(covered))
  }
  // By now, the credits that were taken have locked each account.
  if (taken.size < byAccount.size) lots = await listOpenLots(tx, ...accountIds)
  const usages: TakenUsage[] = []
  for (const { id, requests } of batches) {
    const paid = requests.filter((request) => request.credits > 0 && !refused.has(request))
    for (const [accountId, own] of Map.groupBy(paid, (request) => request.accountId)) {
      const credits = sumCredits(own)
      const balanceAfter = (left.get(accountId) ?? 0) - credits
      left.set(accountId, balanceAfter)
      const at = Math.max(...own.map((request) => request.createdAt))
      usages.push({
        accountId,
        credits,
        description: 'API calls',
        idempotencyKey: callsKey(id, accountId),
        at,
        balanceAfter,
      })
    }
  }
  const ids = await recordUsages(tx, usages, lots)
  for (const usage of usages) {
    balances.set(usage.accountId, { credits: usage.balanceAfter, transferId: transferIdOf(ids, usage) })
  }
  for (const { id: batchId, requests } of batches) {
    for (const request of requests) {
      const id = ids.get(callsKey(batchId, request.accountId))
      if (id !== undefined && request.credits > 0 && !refused.has(request)) transferIds.set(request, id)
    }
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
