import { randomUUID } from 'node:crypto'
import type { Balance } from '../../model/accounts.ts'
import { isoDay, MINUTE } from '../../model/time.ts'
import { lockAccount } from '../accounts/account-row.ts'
import { readBalance, recordUsage, takeFromBalance } from '../accounts/transfers.ts'
import { addUsage, type UsageSum } from '../accounts/usage.ts'
import type { Queryable, Transaction } from '../db.ts'
import { Params } from '../sql.ts'

/** Account whose stream time is to be charged. */
export interface Settlement {
  accountId: string
  creditsPerMinute: number
  /** Streams that have ended. */
  closed?: readonly ClosedStream[]
  /** Dead instance: its streams ended when it last renewed its lease. */
  deadInstanceId?: string
}

/** Stream that has ended, with the time of its end on the clock of its instance. */
export interface ClosedStream {
  id: string
  closedMs: number
}

/** Time of a settlement, on the clock of the instance that settles and on the calendar. */
export interface Moment {
  instanceId: string
  elapsedMs: number
  at: number
}

export interface Settled {
  accountId: string
  balance: Balance
  /** Time that does not make up a minute yet, or that the balance does not cover. */
  unchargedMs: number
  /** Number of open streams on all instances. */
  open: number
}

/** Stream time of one key and endpoint. */
interface Share {
  apiKeyId: string
  endpoint: string
  unchargedMs: number
  /** The part of it that belongs to streams that end with this settlement. */
  endedMs: number
  /** Minutes that this settlement charges. */
  minutes: number
}

/**
 * Charges the whole minutes of each account and deletes the rows of ended streams. Charged minutes are subtracted from the
 * carried time, so repeating a settlement whose commit was not acknowledged charges nothing. Accounts are locked in the
 * order of their ids, so that two settlements cannot deadlock.
 */
export async function settleAccounts(
  tx: Transaction,
  settlements: readonly Settlement[],
  moment: Moment,
): Promise<Settled[]> {
  const settled: Settled[] = []
  const usage: UsageSum[] = []
  for (const settlement of settlements.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))) {
    settled.push(await settleAccount(tx, settlement, moment, usage))
  }
  await addUsage(tx, usage)
  return settled
}

async function settleAccount(
  tx: Transaction,
  settlement: Settlement,
  moment: Moment,
  usage: UsageSum[],
): Promise<Settled> {
  const { accountId, creditsPerMinute } = settlement
  const credits = await lockAccount(tx, accountId)
  const { shares, endedIds, open } = await listShares(tx, settlement, moment)
  const unchargedMs = shares.reduce((sum, share) => sum + share.unchargedMs, 0)
  const minutes = Math.min(Math.max(0, Math.floor(unchargedMs / MINUTE)), Math.floor(credits / creditsPerMinute))
  assignMinutes(shares, minutes)
  for (const share of shares) await saveCarry(tx, accountId, share)
  if (endedIds.length > 0) {
    const params = new Params()
    await tx.query(`delete from streams where id in (${params.list(endedIds)})`, params.values)
  }
  if (minutes > 0) usage.push(...(await charge(tx, settlement, shares, moment.at)))
  const balance = await readBalance(tx, accountId)
  return { accountId, balance, unchargedMs: unchargedMs - minutes * MINUTE, open }
}

/** Charges each minute to the share with the most uncharged time, so that usage per key is right to the minute. */
function assignMinutes(shares: readonly Share[], minutes: number): void {
  for (let minute = 0; minute < minutes; minute += 1) {
    const most = shares.reduce((one, other) => (other.unchargedMs > one.unchargedMs ? other : one))
    most.unchargedMs -= MINUTE
    most.minutes += 1
  }
}

/** Adds up the carried time and the time of the account's streams, as far as it is known here. */
async function listShares(
  tx: Transaction,
  { accountId, closed = [], deadInstanceId }: Settlement,
  moment: Moment,
): Promise<{ shares: Share[]; endedIds: string[]; open: number }> {
  const carried = await tx.query<{ apiKeyId: string; endpoint: string; carriedMs: number }>(
    `select api_key_id as "apiKeyId", endpoint, carried_ms as "carriedMs" from stream_carry where account_id = $1
     order by api_key_id, endpoint`,
    [accountId],
  )
  const streams = await tx.query<{
    id: string
    apiKeyId: string
    endpoint: string
    instanceId: string
    openedMs: number
    closedMs: number | null
    renewedMs: number
  }>(
    `select s.id, s.api_key_id as "apiKeyId", s.endpoint, s.instance_id as "instanceId", s.opened_ms as "openedMs",
       s.closed_ms as "closedMs", i.elapsed_ms as "renewedMs"
     from streams s join stream_instances i on i.id = s.instance_id
     where s.account_id = $1 order by s.opened_at, s.id`,
    [accountId],
  )
  const shares = new Map<string, Share>()
  const add = (apiKeyId: string, endpoint: string, ms: number, endedMs: number) => {
    const share = shares.get(`${apiKeyId} ${endpoint}`) ?? {
      apiKeyId,
      endpoint,
      unchargedMs: 0,
      endedMs: 0,
      minutes: 0,
    }
    share.unchargedMs += ms
    share.endedMs += endedMs
    shares.set(`${apiKeyId} ${endpoint}`, share)
  }
  for (const { apiKeyId, endpoint, carriedMs } of carried) add(apiKeyId, endpoint, carriedMs, 0)
  const closedMs = new Map(closed.map((stream) => [stream.id, stream.closedMs]))
  const endedIds: string[] = []
  for (const { id, apiKeyId, endpoint, instanceId, ...stream } of streams) {
    const isDead = instanceId === deadInstanceId
    const hasEnded = isDead || closedMs.has(id)
    if (hasEnded) endedIds.push(id)
    const knownMs = instanceId === moment.instanceId && !isDead ? moment.elapsedMs : stream.renewedMs
    const untilMs = stream.closedMs ?? closedMs.get(id) ?? knownMs
    // A stream may have been opened after its instance last renewed its lease.
    const openMs = Math.max(0, untilMs - stream.openedMs)
    add(apiKeyId, endpoint, openMs, hasEnded ? openMs : 0)
  }
  return { shares: [...shares.values()], endedIds, open: streams.length - endedIds.length }
}

async function saveCarry(tx: Queryable, accountId: string, { apiKeyId, endpoint, endedMs, minutes }: Share) {
  const changeMs = endedMs - minutes * MINUTE
  if (changeMs === 0) return
  await tx.query(
    `insert into stream_carry (account_id, api_key_id, endpoint, carried_ms) values ($1, $2, $3, $4)
     on conflict (account_id, api_key_id, endpoint) do update set
       carried_ms = stream_carry.carried_ms + excluded.carried_ms`,
    [accountId, apiKeyId, endpoint, changeMs],
  )
}

/** Posts one transfer, and a charge record for each key and endpoint. Returns the daily usage to add. */
async function charge(
  tx: Transaction,
  { accountId, creditsPerMinute }: Settlement,
  shares: readonly Share[],
  at: number,
): Promise<UsageSum[]> {
  const credits = creditsPerMinute * shares.reduce((sum, { minutes }) => sum + minutes, 0)
  const balance = await takeFromBalance(tx, accountId, credits)
  if (balance === undefined) throw new Error(`the balance of account ${accountId} changed under its lock`)
  const transferId = await recordUsage(tx, {
    accountId,
    credits,
    description: 'Streams',
    idempotencyKey: `stream:${randomUUID()}`,
    at,
    balanceAfter: balance,
  })
  const usage: UsageSum[] = []
  for (const { apiKeyId, endpoint, minutes } of shares) {
    if (minutes === 0) continue
    const cost = minutes * creditsPerMinute
    await tx.query(
      `insert into metered_charges (account_id, api_key_id, endpoint, minutes, credits, transfer_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [accountId, apiKeyId, endpoint, minutes, cost, transferId, at],
    )
    usage.push({
      accountId,
      apiKeyId,
      endpoint,
      day: isoDay(at),
      succeeded: 0,
      failed: 0,
      rateLimited: 0,
      credits: cost,
      streamMinutes: minutes,
      lastCharge: { transferId, at },
    })
  }
  return usage
}
