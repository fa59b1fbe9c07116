import type { Account } from '../../model/accounts.ts'
import type { Db, Transaction } from '../db.ts'
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from './account-row.ts'
import { expirePaidMonths, type PeriodTransfer, replaceLot } from './transfers.ts'

/** Returns the grant of the next month and the start of the one after it; undefined if the month has not begun. */
export type GrantRule = (account: Account, nextPeriodAt: number) => Month | undefined

export interface Month {
  grant: PeriodTransfer | undefined
  nextPeriodAt: number
}

interface BegunMonth extends Month {
  isBalanceChanged: boolean
}

/** The position of an account among those whose month has begun. */
export interface DueAccount {
  nextPeriodAt: number
  id: string
}

export type Grants = ReturnType<typeof grantsStore>

export function grantsStore(db: Db) {
  return {
    /** Lists accounts whose next month has begun, longest waiting first, after the position `after`. */
    listDue(now: number, after: DueAccount | undefined, limit: number): Promise<DueAccount[]> {
      return db.query<DueAccount>(
        `select next_period_at as "nextPeriodAt", id from accounts
         where next_period_at <= $1 and (next_period_at, id) > ($2, $3) order by next_period_at, id limit $4`,
        [now, after?.nextPeriodAt ?? -1, after?.id ?? '', limit],
      )
    },

    /**
     * Begins the next month of these accounts in one transaction and returns the months begun, by account. Accounts are
     * locked in the order of ids, so that two instances cannot deadlock.
     */
    begin(ids: readonly string[], rule: GrantRule): Promise<Map<string, BegunMonth>> {
      return db.transaction(async (tx) => {
        const begun = new Map<string, BegunMonth>()
        for (const id of ids.toSorted()) {
          const month = await beginMonth(tx, id, rule)
          if (month !== undefined) begun.set(id, month)
        }
        return begun
      })
    },
  }
}

/** Grants the month and advances `next_period_at` under the account's lock, so that a second attempt does nothing. */
async function beginMonth(tx: Transaction, id: string, rule: GrantRule): Promise<BegunMonth | undefined> {
  // Locks the account in the same way as lockAccount.
  const [row] = await tx.query<AccountRow & { next_period_at: number }>(
    `update accounts set posted = posted where id = $1 returning ${ACCOUNT_COLUMNS}, next_period_at`,
    [id],
  )
  if (row === undefined) return undefined
  const month = rule(toAccount(row), row.next_period_at)
  if (month === undefined) return undefined
  const expired = row.subscription_id === null ? await expirePaidMonths(tx, id, row.next_period_at) : 0
  if (month.grant !== undefined) await replaceLot(tx, month.grant, 'monthly')
  await tx.query('update accounts set next_period_at = $2 where id = $1', [id, month.nextPeriodAt])
  return { ...month, isBalanceChanged: month.grant !== undefined || expired > 0 }
}

/** Begins all due months of the account; locks it. */
export async function beginMonths(tx: Transaction, id: string, rule: GrantRule): Promise<void> {
  let month = await beginMonth(tx, id, rule)
  while (month !== undefined) month = await beginMonth(tx, id, rule)
}
