import { HOUR, MINUTE } from '../../model/time.ts'
import { isUnfinished } from '../billing/subscriptions.ts'
import type { Db, Queryable } from '../db.ts'
import { removeUsers } from '../users/users.ts'
import { lockAccount } from './account-row.ts'
import { removeAlerts } from './alerts.ts'

/** Rows of the request log per transaction: charges of other accounts wait for it. */
const PORTION = 2_000
/** Requests that began before the deletion are logged within this time. */
const LATE_MS = 10 * MINUTE
/** How much earlier than their row in the log requests may have been timed. */
const SLACK_MS = HOUR

export type Deletion = { deletedAt: number } | { refusedBy: 'subscription' | 'checkout' }

export type Removal = ReturnType<typeof removalStore>

/** Deletes accounts: removes what identifies the customer and keeps the ledger, so that all sums stay. */
export function removalStore(db: Db) {
  return {
    /**
     * Removes email, name, names and addresses of keys, alerts, users and stored answers, and revokes the keys. `clearLogs` does the rest. Returns the
     * time of the first deletion, or what forbids it; undefined if there is no such account.
     */
    delete(accountId: string, now: number): Promise<Deletion | undefined> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, accountId)
        const [account] = await tx.query<{ deleted_at: number | null }>(
          'select deleted_at from accounts where id = $1',
          [accountId],
        )
        if (account === undefined) return undefined
        if (account.deleted_at !== null) return { deletedAt: account.deleted_at }
        const refusedBy = await findObstacle(tx, accountId)
        if (refusedBy !== undefined) return { refusedBy }
        await removeUsers(tx, accountId)
        await tx.query(
          `update accounts set email = null, name = null, suspended_reason = null, is_active = 0, deleted_at = $2,
             clear_log_from = 0 where id = $1`,
          [accountId, now],
        )
        await tx.query(
          `update api_keys set name = '', is_active = 0, inactive_reason = 'revoked', allowed_addresses = null,
             old_hash = null, old_hash_expires_at = null where account_id = $1`,
          [accountId],
        )
        await removeAlerts(tx, accountId)
        // Answers to operators may show the account, too.
        await tx.query(`delete from idempotent_requests where owner = $1 or answer like '%' || $1 || '%'`, [accountId])
        return { deletedAt: now }
      })
    },

    /**
     * Removes paths and queries of deleted accounts from the request log. Requests that were running during the deletion
     * are logged after it, so this is repeated for a while.
     */
    async clearLogs(now: number): Promise<void> {
      const accounts = await db.query<{ id: string; clear_log_from: number; deleted_at: number }>(
        'select id, clear_log_from, deleted_at from accounts where clear_log_from is not null order by id',
      )
      for (const { id, clear_log_from: from, deleted_at: deletedAt } of accounts) {
        await clearLog(db, id, from)
        const next = now > deletedAt + LATE_MS ? null : deletedAt - SLACK_MS
        await db.transaction((tx) => tx.query('update accounts set clear_log_from = $2 where id = $1', [id, next]))
      }
    },
  }
}

/** Returns what may still change the account at the payment processor. */
async function findObstacle(tx: Queryable, accountId: string): Promise<'subscription' | 'checkout' | undefined> {
  const subscriptions = await tx.query<{ status: string }>('select status from subscriptions where account_id = $1', [
    accountId,
  ])
  if (subscriptions.some(({ status }) => isUnfinished(status))) return 'subscription'
  const checkouts = await tx.query(
    `select id from checkouts where account_id = $1 and status in ('open', 'processing') limit 1`,
    [accountId],
  )
  return checkouts.length > 0 ? 'checkout' : undefined
}

async function clearLog(db: Db, accountId: string, from: number): Promise<void> {
  let since = from
  for (;;) {
    const cleared = await db.transaction((tx) =>
      tx.query<{ created_at: number }>(
        `update request_log set path = '', query = null where account_id = $1 and (created_at, seq) in (
           select created_at, seq from request_log
           where account_id = $1 and created_at >= $2 and (path <> '' or query is not null)
           order by created_at, seq limit ${PORTION}
         ) returning created_at`,
        [accountId, since],
      ),
    )
    if (cleared.length < PORTION) return
    since = Math.max(...cleared.map(({ created_at }) => created_at))
  }
}
