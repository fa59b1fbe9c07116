import type { Account } from '../../model/accounts.ts'
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from '../accounts/account-row.ts'
import type { Db } from '../db.ts'
import { type ClosedStream, type Moment, settleAccounts } from './settle.ts'

/** Instance that may hold streams open. `elapsedMs` is its own monotonic clock when it last renewed its lease. */
export interface Instance {
  id: string
  elapsedMs: number
  isDead: boolean
}

const ACCOUNTS_PER_TRANSACTION = 20

export function instancesStore(db: Db) {
  return {
    async list(): Promise<Instance[]> {
      const rows = await db.query<{ id: string; elapsedMs: number; isGone: number }>(
        'select id, elapsed_ms as "elapsedMs", is_gone as "isGone" from stream_instances order by id',
      )
      return rows.map(({ id, elapsedMs, isGone }) => ({ id, elapsedMs, isDead: isGone === 1 }))
    },

    async register(id: string, elapsedMs: number): Promise<void> {
      await db.transaction((tx) =>
        tx.query('insert into stream_instances (id, elapsed_ms, is_gone) values ($1, $2, 0)', [id, elapsedMs]),
      )
    },

    /**
     * Records that the streams of an instance were open until now, except `closed`, whose settlement failed. Returns false
     * if the instance has been declared dead.
     */
    renewLease(id: string, elapsedMs: number, closed: readonly ClosedStream[]): Promise<boolean> {
      return db.transaction(async (tx) => {
        const rows = await tx.query(
          'update stream_instances set elapsed_ms = $2 where id = $1 and is_gone = 0 returning id',
          [id, elapsedMs],
        )
        for (const stream of closed) {
          await tx.query('update streams set closed_ms = $2 where id = $1', [stream.id, stream.closedMs])
        }
        return rows.length > 0
      })
    },

    /** Returns false if the instance has renewed its lease since it was listed. */
    async declareDead({ id, elapsedMs }: Instance): Promise<boolean> {
      const rows = await db.transaction((tx) =>
        tx.query('update stream_instances set is_gone = 1 where id = $1 and elapsed_ms = $2 returning id', [
          id,
          elapsedMs,
        ]),
      )
      return rows.length > 0
    },

    /**
     * Settles and deletes the streams of a dead instance for some accounts; deletes the instance once none are left.
     * Returns false when done.
     */
    freeSlots(id: string, creditsPerMinute: (account: Account) => number, moment: Moment): Promise<boolean> {
      return db.transaction(async (tx) => {
        const accounts = await tx.query<AccountRow>(
          `select ${ACCOUNT_COLUMNS} from accounts where id in (select account_id from streams where instance_id = $1)
           order by id limit ${ACCOUNTS_PER_TRANSACTION}`,
          [id],
        )
        const settlements = accounts.map(toAccount).map((account) => ({
          accountId: account.id,
          creditsPerMinute: creditsPerMinute(account),
          deadInstanceId: id,
        }))
        await settleAccounts(tx, settlements, moment)
        if (accounts.length === 0) await tx.query('delete from stream_instances where id = $1', [id])
        return accounts.length > 0
      })
    },
  }
}
