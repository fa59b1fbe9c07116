import type { Balance, LotKind } from '../../model/accounts.ts'
import type { Db } from '../db.ts'
import { lockAccount } from './account-row.ts'
import { grantLasting } from './debts.ts'
import { type NewTransfer, type PeriodTransfer, readBalance, replaceLot, withdraw } from './transfers.ts'

/** Credits of one origin. */
export interface Lot {
  kind: LotKind
  granted: number
  remaining: number
  createdAt: number
  expiresAt: number | null
}

export type Ledger = ReturnType<typeof ledgerStore>

export function ledgerStore(db: Db) {
  return {
    async balance(accountId: string): Promise<number> {
      const [row] = await db.query<{ posted: number }>('select posted from accounts where id = $1', [accountId])
      return row?.posted ?? 0
    },

    lastBalance: (accountId: string): Promise<Balance> => readBalance(db, accountId),

    /** Lists the lots that have credits left, in the order in which they are used. */
    listLots: (accountId: string): Promise<Lot[]> =>
      db.query<Lot>(
        `select kind, granted, remaining, created_at as "createdAt", period_end as "expiresAt" from lots
         where account_id = $1 and remaining > 0 order by burn_rank, id`,
        [accountId],
      ),

    /** Grants credits as a new lot. Returns false if the transfer was made before. */
    grant(transfer: NewTransfer, lot: LotKind): Promise<boolean> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, transfer.accountId)
        return grantLasting(tx, transfer, lot)
      })
    },

    /** Takes credits, in burn order. Returns false if the balance does not cover them. */
    withdraw(transfer: NewTransfer): Promise<boolean> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, transfer.accountId)
        return withdraw(tx, transfer)
      })
    },

    /** Grants the credits of a period in place of those of earlier periods. */
    replaceLot(transfer: PeriodTransfer, lot: LotKind): Promise<void> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, transfer.accountId)
        await replaceLot(tx, transfer, lot)
      })
    },
  }
}
