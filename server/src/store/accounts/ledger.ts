import type { LotKind } from '../../model/accounts.ts'
import type { Db } from '../db.ts'
import { lockAccount } from './account-row.ts'
import { grantLasting } from './debts.ts'
import { type PeriodPosting, type Posting, replaceLot, withdraw } from './postings.ts'

export type Ledger = ReturnType<typeof ledgerStore>

export function ledgerStore(db: Db) {
  return {
    async balance(accountId: string): Promise<number> {
      const [row] = await db.query<{ posted: number }>('select posted from accounts where id = $1', [accountId])
      return row?.posted ?? 0
    },

    async remainingByLotKind(accountId: string): Promise<Partial<Record<LotKind, number>>> {
      const rows = await db.query<{ kind: LotKind; remaining: number }>(
        'select kind, remaining from lots where account_id = $1 and remaining > 0',
        [accountId],
      )
      const sums: Partial<Record<LotKind, number>> = {}
      for (const { kind, remaining } of rows) sums[kind] = (sums[kind] ?? 0) + remaining
      return sums
    },

    /** Opens a new lot. False when this posting was already made. */
    grant(posting: Posting, lot: LotKind): Promise<boolean> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, posting.accountId)
        return grantLasting(tx, posting, lot)
      })
    },

    /** Takes credits back, in burn order. False when the balance does not cover it. */
    withdraw(posting: Posting): Promise<boolean> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, posting.accountId)
        return withdraw(tx, posting)
      })
    },

    /** Credits of a period take the place of those of earlier ones. */
    replaceLot(posting: PeriodPosting, lot: LotKind): Promise<void> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, posting.accountId)
        await replaceLot(tx, posting, lot)
      })
    },
  }
}
