import { randomUUID } from 'node:crypto'
import {
  type AlertChannel,
  type AlertSettings,
  type BalanceAlert,
  type BalanceState,
  findFalls,
  type LowBalanceEvent,
} from '../../model/alerts.ts'
import { isoTime } from '../../model/time.ts'
import type { Db, Queryable } from '../db.ts'
import type { Lease } from '../leases.ts'
import { lockUndeleted } from './account-row.ts'

interface AlertRow {
  threshold: number | null
  webhook_url: string | null
  webhook_salt: string | null
  by_email: number
  is_below: number
  last_transfer_id: number
  failure: string | null
  failed_at: number | null
}

/** A message to deliver, with its address; null if the account no longer has one. */
export interface AlertDelivery {
  id: string
  accountId: string
  channel: AlertChannel
  /** A LowBalanceEvent as JSON. */
  body: string
  attempts: number
  webhookUrl: string | null
  webhookSalt: string | null
  email: string | null
}

export type Alerts = ReturnType<typeof alertsStore>

const COLUMNS = 'threshold, webhook_url, webhook_salt, by_email, is_below, last_transfer_id, failure, failed_at'
const NONE: BalanceAlert = {
  threshold: null,
  webhookUrl: null,
  webhookSalt: null,
  isByEmail: false,
  isBelow: false,
  failure: null,
}

/** Thresholds of balances, and the messages about falls below them. */
export function alertsStore(db: Db) {
  return {
    async find(accountId: string): Promise<BalanceAlert> {
      const [row] = await db.query<AlertRow>(`select ${COLUMNS} from balance_alerts where account_id = $1`, [accountId])
      return row === undefined ? NONE : toAlert(row)
    },

    /** Returns the number of messages that are not delivered yet. */
    async countUndelivered(): Promise<number> {
      const [row] = await db.query<{ count: number }>('select count(*) as count from alert_deliveries')
      return row?.count ?? 0
    },

    /** Changes the settings. Falls until now are found under the old ones. Messages without an address are dropped. */
    change(accountId: string, change: Partial<AlertSettings>, now: number): Promise<BalanceAlert> {
      return db.transaction(async (tx) => {
        const balance = await lockUndeleted(tx, accountId)
        const found = await detectFalls(tx, accountId, now)
        const known = found === undefined ? NONE : toAlert(found)
        const next = { ...known, ...change }
        const isBelow = next.threshold === known.threshold ? known.isBelow : balance < (next.threshold ?? 0)
        const [row] = await tx.query<AlertRow>(
          `insert into balance_alerts (account_id, threshold, webhook_url, webhook_salt, by_email, is_below,
             last_transfer_id)
           values ($1, $2, $3, $4, $5, $6,
             (select coalesce(max(id), 0) from transfers where account_id = $1))
           on conflict (account_id) do update set threshold = excluded.threshold, webhook_url = excluded.webhook_url,
             webhook_salt = excluded.webhook_salt, by_email = excluded.by_email, is_below = excluded.is_below,
             last_transfer_id = excluded.last_transfer_id, failure = null, failed_at = null
           returning ${COLUMNS}`,
          [accountId, next.threshold, next.webhookUrl, next.webhookSalt, next.isByEmail ? 1 : 0, isBelow ? 1 : 0],
        )
        for (const channel of ['webhook', 'email'] satisfies AlertChannel[]) {
          if (channelsOf(next).includes(channel)) continue
          await tx.query('delete from alert_deliveries where account_id = $1 and channel = $2', [accountId, channel])
        }
        return row === undefined ? NONE : toAlert(row)
      })
    },

    /** Finds the falls since the last time and notes the messages to deliver. */
    async detect(now: number): Promise<void> {
      const behind = await db.query<{ id: string }>(
        `select account_id as id from balance_alerts a where threshold is not null
           and exists (select 1 from transfers t where t.account_id = a.account_id and t.id > a.last_transfer_id)
         order by account_id`,
      )
      for (const { id } of behind) await db.transaction((tx) => detectFalls(tx, id, now))
    },

    listDue(now: number, limit: number): Promise<AlertDelivery[]> {
      return db.query<AlertDelivery>(
        `select d.id, d.account_id as "accountId", d.channel, d.body, d.attempts, a.webhook_url as "webhookUrl",
           a.webhook_salt as "webhookSalt", c.email
         from alert_deliveries d join balance_alerts a on a.account_id = d.account_id
         join accounts c on c.id = d.account_id
         where d.due_at <= $1 order by d.due_at, d.id limit $2`,
        [now, limit],
      )
    },

    /** Removes a message that was delivered. */
    delivered({ id, accountId }: AlertDelivery, lease: Lease): Promise<void> {
      return db.transaction(async (tx) => {
        await lease.verify(tx)
        await tx.query('update balance_alerts set failure = null, failed_at = null where account_id = $1', [accountId])
        await tx.query('delete from alert_deliveries where id = $1', [id])
      })
    },

    /** Notes a failed attempt. Without a time for the next one the message is given up. */
    failed(
      { id, accountId }: AlertDelivery,
      failure: { reason: string; at: number; nextAt: number | undefined },
      lease: Lease,
    ): Promise<void> {
      return db.transaction(async (tx) => {
        await lease.verify(tx)
        await tx.query('update balance_alerts set failure = $2, failed_at = $3 where account_id = $1', [
          accountId,
          failure.reason,
          failure.at,
        ])
        if (failure.nextAt === undefined) await tx.query('delete from alert_deliveries where id = $1', [id])
        else {
          await tx.query('update alert_deliveries set attempts = attempts + 1, due_at = $2 where id = $1', [
            id,
            failure.nextAt,
          ])
        }
      })
    },
  }
}

/** Removes the settings and the messages of an account. */
export async function removeAlerts(tx: Queryable, accountId: string): Promise<void> {
  await lockAlert(tx, accountId)
  await tx.query('delete from alert_deliveries where account_id = $1', [accountId])
  await tx.query('delete from balance_alerts where account_id = $1', [accountId])
}

/** Reads the transfers since the last time and notes a message for each fall. Returns undefined without settings. */
async function detectFalls(tx: Queryable, accountId: string, now: number): Promise<AlertRow | undefined> {
  const row = await lockAlert(tx, accountId)
  if (row === undefined || row.threshold === null) return row
  // The transfers of an account are committed in the order of their ids.
  const states = await tx.query<BalanceState & { id: number }>(
    `select id, balance_after as balance, created_at as at from transfers where account_id = $1 and id > $2 order by id`,
    [accountId, row.last_transfer_id],
  )
  const last = states.at(-1)
  if (last === undefined) return row
  const { threshold } = row
  const { falls, isBelow } = findFalls(states, threshold, row.is_below === 1)
  for (const { balance, at } of falls) {
    for (const channel of channelsOf(toAlert(row))) {
      const id = randomUUID()
      const event: LowBalanceEvent = {
        id,
        type: 'balance.low',
        createdAt: isoTime(at),
        data: { accountId, threshold, balance },
      }
      await tx.query(
        `insert into alert_deliveries (id, account_id, channel, body, attempts, due_at, created_at)
         values ($1, $2, $3, $4, 0, $5, $6)`,
        [id, accountId, channel, JSON.stringify(event), now, now],
      )
    }
  }
  const [changed] = await tx.query<AlertRow>(
    `update balance_alerts set is_below = $2, last_transfer_id = $3 where account_id = $1 returning ${COLUMNS}`,
    [accountId, isBelow ? 1 : 0, last.id],
  )
  return changed
}

/**
 * Locks the settings until the transaction ends, so that no other instance reads the same transfers. Transactions lock
 * them before the messages, so that they cannot deadlock.
 */
async function lockAlert(tx: Queryable, accountId: string): Promise<AlertRow | undefined> {
  const [row] = await tx.query<AlertRow>(
    `update balance_alerts set by_email = by_email where account_id = $1 returning ${COLUMNS}`,
    [accountId],
  )
  return row
}

function channelsOf({ webhookUrl, isByEmail }: AlertSettings): AlertChannel[] {
  return [...(webhookUrl === null ? [] : ['webhook' as const]), ...(isByEmail ? ['email' as const] : [])]
}

function toAlert(row: AlertRow): BalanceAlert {
  return {
    threshold: row.threshold,
    webhookUrl: row.webhook_url,
    webhookSalt: row.webhook_salt,
    isByEmail: row.by_email === 1,
    isBelow: row.is_below === 1,
    failure: row.failure === null ? null : { reason: row.failure, at: row.failed_at ?? 0 },
  }
}
