import { randomUUID } from 'node:crypto'
import { isoDay, MINUTE } from '../../model/time.ts'
import { lockAccount } from '../accounts/account-row.ts'
import { recordUsage, takeFromBalance } from '../accounts/transfers.ts'
import type { UsageSum } from '../accounts/usage.ts'
import type { Queryable } from '../db.ts'
import { assignMinutes, payableMinutes, type Share, totalMs } from './minutes.ts'
import { type ClosedStream, carryOver, findCarried, listStreamTimes, writeCarried } from './stream-rows.ts'

/** An account whose time is to be reckoned. `closed` are streams of it that have ended, with the time of their end. */
export interface Settlement {
  accountId: string
  creditsPerMinute: number
  closed: readonly ClosedStream[]
}

/** When it is reckoned: by the clock of the instance that does it, and by the calendar. */
export interface Moment {
  instanceId: string
  elapsedMs: number
  at: number
}

export interface Settled {
  accountId: string
  balance: number
  /** To be charged once it makes up a minute, or once the balance covers it. */
  unchargedMs: number
  /** Streams that are open, those of other instances too. */
  open: number
}

/**
 * Charges the whole minutes of an account's time and frees the slots of streams that have ended. What is charged is
 * noted with the streams, so the same settlement again, after a commit of which nobody heard, charges nothing.
 * Adds what is to be counted in the daily usage to `usage`.
 */
export async function settleAccount(
  tx: Queryable,
  { accountId, creditsPerMinute, closed }: Settlement,
  { instanceId, elapsedMs, at }: Moment,
  usage: UsageSum[],
): Promise<Settled> {
  const balance = await lockAccount(tx, accountId)
  const closedMs = new Map(closed.map((stream) => [stream.id, stream.closedMs]))
  const streams = await listStreamTimes(
    tx,
    accountId,
    (stream) => closedMs.get(stream.id) ?? (stream.instanceId === instanceId ? elapsedMs : undefined),
  )
  const carried = await findCarried(tx, accountId)
  const shares: Share[] = carried === undefined ? streams : [...streams, carried]
  const unchargedMs = totalMs(shares)
  const minutes = payableMinutes(unchargedMs, balance, creditsPerMinute)
  const assigned = assignMinutes(shares, minutes)

  for (const stream of streams) await noteCharged(tx, stream.id, assigned.get(stream) ?? 0)
  if (carried !== undefined && assigned.has(carried)) await writeCarried(tx, accountId, carried)
  const ended = streams.filter((stream) => closedMs.has(stream.id))
  await carryOver(tx, accountId, carried, ended)
  if (minutes > 0) usage.push(...(await charge(tx, accountId, assigned, creditsPerMinute, at)))
  return {
    accountId,
    balance: balance - minutes * creditsPerMinute,
    unchargedMs: unchargedMs - minutes * MINUTE,
    open: streams.length - ended.length,
  }
}

async function noteCharged(tx: Queryable, streamId: string, minutes: number): Promise<void> {
  if (minutes === 0) return
  await tx.query('update streams set charged_ms = charged_ms + $2 where id = $1', [streamId, minutes * MINUTE])
}

/** One transfer for all, and a charge record for each key and endpoint. */
async function charge(
  tx: Queryable,
  accountId: string,
  assigned: ReadonlyMap<Share, number>,
  creditsPerMinute: number,
  at: number,
): Promise<UsageSum[]> {
  const records = recordsOf(assigned)
  const credits = creditsPerMinute * records.reduce((sum, { minutes }) => sum + minutes, 0)
  const balance = await takeFromBalance(tx, accountId, credits)
  if (balance === undefined) throw new Error(`the balance of account ${accountId} changed under its lock`)
  const description = 'Signals stream'
  const transferId = await recordUsage(
    tx,
    { accountId, credits, description, idempotencyKey: `stream:${randomUUID()}`, at },
    balance,
  )
  for (const { apiKeyId, endpoint, minutes } of records) {
    await tx.query(
      `insert into stream_charges (account_id, api_key_id, endpoint, minutes, credits, transfer_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [accountId, apiKeyId, endpoint, minutes, minutes * creditsPerMinute, transferId, at],
    )
  }
  return records.map(({ apiKeyId, endpoint, minutes }) => ({
    accountId,
    apiKeyId,
    endpoint,
    day: isoDay(at),
    succeeded: 0,
    failed: 0,
    rateLimited: 0,
    credits: minutes * creditsPerMinute,
    lastCharge: { transferId, at },
  }))
}

function recordsOf(assigned: ReadonlyMap<Share, number>) {
  const records = new Map<string, { apiKeyId: string; endpoint: string; minutes: number }>()
  for (const [{ apiKeyId, endpoint }, minutes] of assigned) {
    const known = records.get(`${apiKeyId} ${endpoint}`)
    records.set(`${apiKeyId} ${endpoint}`, { apiKeyId, endpoint, minutes: (known?.minutes ?? 0) + minutes })
  }
  return [...records.values()]
}
