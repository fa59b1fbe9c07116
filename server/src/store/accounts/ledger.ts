import { BURN_RANK, type LotKind, type TransferKind } from '../../model/accounts.ts'
import type { Db, Queryable } from '../db.ts'
import { lockAccount } from './account-row.ts'

/** Adds to or takes from a balance once, however often it is asked for: `idempotencyKey` names the occasion. */
export interface Posting {
  accountId: string
  credits: number
  kind: TransferKind
  description: string
  idempotencyKey: string
  at: number
}

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
        return grantLot(tx, posting, lot)
      })
    },

    /** Takes credits back, in burn order. False when the balance does not cover it. */
    withdraw(posting: Posting): Promise<boolean> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, posting.accountId)
        const balanceAfter = await takeFromBalance(tx, posting.accountId, -posting.credits)
        if (balanceAfter === undefined) return false
        await burnLots(tx, posting.accountId, -posting.credits)
        await insertTransfer(tx, posting, balanceAfter)
        return true
      })
    },

    /** See below, with the account locked. */
    replaceLot(posting: Posting, lot: LotKind): Promise<void> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, posting.accountId)
        await replaceLot(tx, posting, lot)
      })
    },
  }
}

/** Lets what remains of the lots of this kind expire and grants a new one; no other lot is touched. */
export async function replaceLot(tx: Queryable, posting: Posting, lot: LotKind): Promise<void> {
  if (await isPosted(tx, posting.idempotencyKey)) return
  // Of lots that are used up an account may have very many; the index does not hold them.
  const ofKind = 'where account_id = $1 and kind = $2 and remaining > 0'
  const [old] = await tx.query<{ remaining: number | null }>(`select sum(remaining) as remaining from lots ${ofKind}`, [
    posting.accountId,
    lot,
  ])
  const expired = Number(old?.remaining ?? 0)
  if (expired > 0) {
    await tx.query(`update lots set remaining = 0 ${ofKind}`, [posting.accountId, lot])
    const balanceAfter = await takeFromBalance(tx, posting.accountId, expired)
    await insertTransfer(
      tx,
      {
        ...posting,
        credits: -expired,
        kind: 'expiry',
        description: 'Unused credits expired',
        idempotencyKey: `${posting.idempotencyKey}:expiry`,
      },
      balanceAfter ?? 0,
    )
  }
  await grantLot(tx, posting, lot)
}

export async function grantLot(tx: Queryable, posting: Posting, lot: LotKind): Promise<boolean> {
  if (await isPosted(tx, posting.idempotencyKey)) return false
  const [row] = await tx.query<{ posted: number }>(
    'update accounts set posted = posted + $2 where id = $1 returning posted',
    [posting.accountId, posting.credits],
  )
  if (row === undefined) throw new Error('a grant names an account that does not exist')
  await tx.query(
    `insert into lots (account_id, kind, burn_rank, granted, remaining, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [posting.accountId, lot, BURN_RANK[lot], posting.credits, posting.credits, posting.at],
  )
  await insertTransfer(tx, posting, row.posted)
  return true
}

async function isPosted(tx: Queryable, idempotencyKey: string): Promise<boolean> {
  const rows = await tx.query('select 1 from transfers where idempotency_key = $1', [idempotencyKey])
  return rows.length > 0
}

/** The balance after, or undefined when it does not cover the credits: here the last word on every charge is spoken. */
export async function takeFromBalance(tx: Queryable, accountId: string, credits: number): Promise<number | undefined> {
  const [row] = await tx.query<{ posted: number }>(
    'update accounts set posted = posted - $2 where id = $1 and posted >= $3 returning posted',
    [accountId, credits, credits],
  )
  return row?.posted
}

async function burnLots(tx: Queryable, accountId: string, credits: number): Promise<void> {
  const lots = await tx.query<{ id: number; remaining: number }>(
    'select id, remaining from lots where account_id = $1 and remaining > 0 order by burn_rank, id',
    [accountId],
  )
  let left = credits
  for (const lot of lots) {
    if (left === 0) break
    const taken = Math.min(left, lot.remaining)
    await tx.query('update lots set remaining = remaining - $2 where id = $1', [lot.id, taken])
    left -= taken
  }
  if (left > 0) throw new Error(`the lots of account ${accountId} do not cover its balance`)
}

/** Posts what was used, once it has been taken from the balance. Gives the transfer. */
export async function postUsage(
  tx: Queryable,
  usage: Pick<Posting, 'accountId' | 'credits' | 'description' | 'idempotencyKey' | 'at'>,
  balanceAfter: number,
): Promise<number> {
  await burnLots(tx, usage.accountId, usage.credits)
  return insertTransfer(tx, { ...usage, credits: -usage.credits, kind: 'usage' }, balanceAfter)
}

async function insertTransfer(tx: Queryable, posting: Posting, balanceAfter: number): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into transfers (account_id, kind, credits, balance_after, description, idempotency_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [
      posting.accountId,
      posting.kind,
      posting.credits,
      balanceAfter,
      posting.description,
      posting.idempotencyKey,
      posting.at,
    ],
  )
  if (row === undefined) throw new Error('a transfer was not written')
  return row.id
}
