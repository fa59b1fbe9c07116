import { setImmediate } from 'node:timers/promises'
import type { Db, Queryable } from '../db.ts'
import { removeFromBlocks } from './log-blocks.ts'

/** Rows per transaction, which then takes a few milliseconds. */
const PORTION = 500

/**
 * Removes the requests from before a time from the log, account by account and oldest first; returns their number. Their
 * credits stay with their transfers, so that the ledger can still be audited. `mayGoOn` is asked before each portion.
 */
export async function removeOldRequests(db: Db, before: number, mayGoOn: () => boolean): Promise<number> {
  const accounts = await db.heavy.query<{ id: string }>(
    `select account_id as id from request_log_heads h where exists (
       select 1 from request_log l where l.account_id = h.account_id and l.created_at < $1) order by account_id`,
    [before],
  )
  let removed = 0
  for (const { id } of accounts) {
    for (let portion = PORTION; portion >= PORTION && mayGoOn(); removed += portion) {
      portion = await db.transaction((tx) => removePortion(tx, id, before))
      await setImmediate()
    }
  }
  return removed
}

async function removePortion(tx: Queryable, accountId: string, before: number): Promise<number> {
  // Locks the account's blocks until the transaction ends.
  await tx.query('update request_log_heads set removed_rows = removed_rows where account_id = $1', [accountId])
  const [last] = await tx.query<{ at: number }>(
    `select created_at as at from request_log where account_id = $1 and created_at < $2
     order by created_at, seq limit 1 offset ${PORTION - 1}`,
    [accountId, before],
  )
  // Rows with the same time stay together.
  const until = last === undefined ? before : last.at + 1
  const removed = await removeFromBlocks(tx, accountId, until)
  await tx.query(
    `update transfers set removed_credits = removed_credits + l.credits from (
       select transfer_id, cast(sum(credits) as bigint) as credits from request_log
       where account_id = $1 and created_at < $2 and transfer_id is not null group by transfer_id
     ) l where transfers.id = l.transfer_id`,
    [accountId, until],
  )
  await tx.query('delete from request_log where account_id = $1 and created_at < $2', [accountId, until])
  return removed
}
