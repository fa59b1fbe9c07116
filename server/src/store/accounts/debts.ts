import { LASTING_LOTS, type LotKind } from '../../model/accounts.ts'
import type { Queryable, Transaction } from '../db.ts'
import { grantLot, insertTransfer, type NewTransfer, type OpenLot, takeFromBalance, takeFromLots } from './transfers.ts'

/** Grants credits that do not expire and repays the account's debts from them. */
export async function grantLasting(
  tx: Transaction,
  transfer: NewTransfer,
  lot: LotKind,
  source?: string,
): Promise<boolean> {
  if (!(await grantLot(tx, transfer, lot, { source }))) return false
  await repayDebts(tx, transfer.accountId, transfer.at)
  return true
}

/** SQL condition: the lot does not expire. */
export const IS_LASTING = `kind in (${LASTING_LOTS.map((kind) => `'${kind}'`).join(', ')})`

/**
 * Lists the lots that repay debts. Expiring credits do not: otherwise the order in which events arrive would matter.
 */
export function lastingLots(tx: Queryable, accountId: string): Promise<OpenLot[]> {
  return tx.query<OpenLot>(
    `select id, remaining from lots where account_id = $1 and remaining > 0 and ${IS_LASTING} order by burn_rank, id`,
    [accountId],
  )
}

/** Repays debts, oldest first, as far as there are lasting credits. So an account never has both. */
async function repayDebts(tx: Transaction, accountId: string, at: number): Promise<void> {
  const debts = await tx.query<{ id: string; kind: string; owed: number; changes: number }>(
    'select id, kind, owed, changes from reversals where account_id = $1 and owed > 0 order by created_at, id',
    [accountId],
  )
  for (const debt of debts) {
    const repaid = await takeFromLots(tx, await lastingLots(tx, accountId), debt.owed)
    if (repaid === 0) return
    const balanceAfter = await takeFromBalance(tx, accountId, repaid)
    await tx.query(
      `update reversals set owed = owed - $2, from_others = from_others + $2, changes = changes + 1 where id = $1`,
      [debt.id, repaid],
    )
    await insertTransfer(
      tx,
      {
        accountId,
        credits: -repaid,
        kind: 'refund',
        description: `Owed since a ${debt.kind === 'refund' ? 'refund' : 'disputed payment'}`,
        idempotencyKey: reversalKey(debt),
        at,
      },
      balanceAfter ?? 0,
    )
  }
}

/** Returns the idempotency key of the next transfer of a reversal, which has one for each change. */
export const reversalKey = ({ id, changes }: { id: string; changes: number }) => `reversal:${id}:${changes + 1}`
