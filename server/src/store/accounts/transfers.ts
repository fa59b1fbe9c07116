import { BURN_RANK, type LotKind, type TransferKind } from '../../model/accounts.ts'
import type { Queryable } from '../db.ts'
import { together } from '../sql.ts'

/** A change of a balance, made once per `idempotencyKey`. */
export interface NewTransfer {
  accountId: string
  credits: number
  kind: TransferKind
  description: string
  idempotencyKey: string
  at: number
  payment?: PaymentDetails
}

export interface PaymentDetails {
  amountUsdCents?: number | null
  packageId?: string | null
  planSlug?: string | null
  sessionId?: string | null
}

/** Credits that expire when those of a later period are granted. */
export interface PeriodTransfer extends NewTransfer {
  periodEnd: number
}

/**
 * Grants the credits of a period. Credits of earlier periods expire. If the account already has credits of a later
 * period, the new ones expire at once, so the order in which periods arrive does not matter. Lots of other kinds stay
 * as they are.
 */
export async function replaceLot(tx: Queryable, transfer: PeriodTransfer, lot: LotKind): Promise<boolean> {
  if (await isRecorded(tx, transfer.idempotencyKey)) return false
  await expireLots(tx, transfer, lot, 'coalesce(period_end, 0) < $3')
  await grantLot(tx, transfer, lot, { periodEnd: transfer.periodEnd })
  await expireIfLate(tx, transfer, lot, 'period_end > $3')
  return true
}

/**
 * Does the same for a paid month. Only paid months count as later, and monthly credits that were free expire in any
 * case.
 */
export async function replacePaidMonth(tx: Queryable, transfer: PeriodTransfer, source: string): Promise<boolean> {
  if (await isRecorded(tx, transfer.idempotencyKey)) return false
  await expireLots(tx, transfer, 'monthly', `(coalesce(period_end, 0) < $3 or source is null or not ${IS_PAID})`)
  await restorePaidMonth(tx, transfer, source)
  return true
}

/** Grants the credits of a paid month again after a won dispute or failed refund; lets no other credits expire. */
export async function restorePaidMonth(tx: Queryable, transfer: PeriodTransfer, source: string): Promise<void> {
  await grantLot(tx, transfer, 'monthly', { source, periodEnd: transfer.periodEnd })
  await expireIfLate(tx, transfer, 'monthly', `period_end > $3 and ${IS_PAID}`)
  await expireIfOver(tx, transfer)
}

/** Lets the month expire if it has ended already and the account has no subscription. */
async function expireIfOver(tx: Queryable, { accountId, periodEnd, at }: PeriodTransfer): Promise<void> {
  if (periodEnd > at) return
  const [account] = await tx.query<{ subscription_id: string | null }>(
    'select subscription_id from accounts where id = $1',
    [accountId],
  )
  if (account?.subscription_id === null) await expirePaidMonths(tx, accountId, at)
}

/**
 * Lets paid months that are over expire and returns the number of credits. Only for accounts without a subscription:
 * with one, the payment of the next month may be under way, and the credits expire when it arrives.
 */
export async function expirePaidMonths(tx: Queryable, accountId: string, at: number): Promise<number> {
  const over = await tx.query<OpenLot>(
    `select id, remaining from lots where account_id = $1 and kind = 'monthly' and remaining > 0 and period_end <= $2
       and ${IS_PAID} order by id`,
    [accountId, at],
  )
  for (const { id, remaining } of over) {
    await tx.query('update lots set expired = expired + remaining, remaining = 0 where id = $1', [id])
    await recordExpiry(tx, { accountId, idempotencyKey: `lot:${id}`, at }, remaining)
  }
  return over.reduce((sum, { remaining }) => sum + remaining, 0)
}

const PURCHASE = 'purchase:'
const IS_PAID = `source like '${PURCHASE}%'`

/** Returns the idempotency key of a purchase's transfer, which is also the source of its lots. */
export const purchaseKey = (purchaseId: string) => PURCHASE + purchaseId

async function expireIfLate(tx: Queryable, transfer: PeriodTransfer, lot: LotKind, isLater: string): Promise<void> {
  const { accountId, periodEnd } = transfer
  const [later] = await tx.query(`select 1 from lots where account_id = $1 and kind = $2 and ${isLater} limit 1`, [
    accountId,
    lot,
    periodEnd,
  ])
  if (later !== undefined)
    await expireLots(tx, { ...transfer, idempotencyKey: `${transfer.idempotencyKey}:late` }, lot, 'period_end = $3')
}

async function expireLots(tx: Queryable, transfer: PeriodTransfer, lot: LotKind, which: string): Promise<void> {
  // `remaining > 0` matches the partial index: an account may have very many used lots.
  const chosen = `where account_id = $1 and kind = $2 and remaining > 0 and ${which}`
  const values = [transfer.accountId, lot, transfer.periodEnd]
  const [old] = await tx.query<{ remaining: number | null }>(
    `select sum(remaining) as remaining from lots ${chosen}`,
    values,
  )
  const expired = Number(old?.remaining ?? 0)
  if (expired === 0) return
  await tx.query(`update lots set expired = expired + remaining, remaining = 0 ${chosen}`, values)
  await recordExpiry(tx, transfer, expired)
}

async function recordExpiry(
  tx: Queryable,
  { accountId, idempotencyKey, at }: Pick<NewTransfer, 'accountId' | 'idempotencyKey' | 'at'>,
  credits: number,
): Promise<void> {
  const balanceAfter = await takeFromBalance(tx, accountId, credits)
  await insertTransfer(
    tx,
    {
      accountId,
      credits: -credits,
      kind: 'expiry',
      description: 'Unused credits expired',
      idempotencyKey: `${idempotencyKey}:expiry`,
      at,
    },
    balanceAfter ?? 0,
  )
}

export async function grantLot(
  tx: Queryable,
  transfer: NewTransfer,
  lot: LotKind,
  { source = transfer.idempotencyKey, periodEnd }: { source?: string | undefined; periodEnd?: number | undefined } = {},
): Promise<boolean> {
  if (await isRecorded(tx, transfer.idempotencyKey)) return false
  const [row] = await tx.query<{ posted: number }>(
    'update accounts set posted = posted + $2 where id = $1 returning posted',
    [transfer.accountId, transfer.credits],
  )
  if (row === undefined) throw new Error(`failed to grant credits: account ${transfer.accountId} does not exist`)
  if (transfer.credits > 0) {
    await tx.query(
      `insert into lots (account_id, kind, burn_rank, granted, remaining, source, period_end, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        transfer.accountId,
        lot,
        BURN_RANK[lot],
        transfer.credits,
        transfer.credits,
        source,
        periodEnd ?? null,
        transfer.at,
      ],
    )
  }
  await insertTransfer(tx, transfer, row.posted)
  return true
}

async function isRecorded(tx: Queryable, idempotencyKey: string): Promise<boolean> {
  const rows = await tx.query('select 1 from transfers where idempotency_key = $1', [idempotencyKey])
  return rows.length > 0
}

/** Returns the new balance, or undefined if it does not cover the credits. Every charge is decided here. */
export async function takeFromBalance(tx: Queryable, accountId: string, credits: number): Promise<number | undefined> {
  const [row] = await tx.query<{ posted: number }>(
    'update accounts set posted = posted - $2 where id = $1 and posted >= $3 returning posted',
    [accountId, credits, credits],
  )
  return row?.posted
}

/** Lists the lots of an account that have credits, in burn order. */
export function listOpenLots(tx: Queryable, accountId: string): Promise<OpenLot[]> {
  return tx.query('select id, remaining from lots where account_id = $1 and remaining > 0 order by burn_rank, id', [
    accountId,
  ])
}

/** Takes credits out of all open lots of an account. */
async function burnLots(tx: Queryable, accountId: string, lots: readonly OpenLot[], credits: number): Promise<void> {
  const left = credits - (await takeFromLots(tx, lots, credits))
  if (left > 0) throw new Error(`the lots of account ${accountId} do not cover its balance`)
}

export interface OpenLot {
  id: number
  remaining: number
}

/** Takes up to `credits` from these lots in their order; returns the number taken. */
export async function takeFromLots(tx: Queryable, lots: readonly OpenLot[], credits: number): Promise<number> {
  let left = credits
  for (const lot of lots) {
    if (left === 0) break
    const taken = Math.min(left, lot.remaining)
    await tx.query('update lots set remaining = remaining - $2 where id = $1', [lot.id, taken])
    left -= taken
  }
  return credits - left
}

/** Takes credits, in burn order. Returns false if the balance does not cover them. */
export async function withdraw(tx: Queryable, transfer: NewTransfer): Promise<boolean> {
  const balanceAfter = await takeFromBalance(tx, transfer.accountId, -transfer.credits)
  if (balanceAfter === undefined) return false
  await burnLots(tx, transfer.accountId, await listOpenLots(tx, transfer.accountId), -transfer.credits)
  await insertTransfer(tx, transfer, balanceAfter)
  return true
}

/** Records usage that was taken from the balance before; returns the id of the transfer. */
export async function recordUsage(
  tx: Queryable,
  usage: Pick<NewTransfer, 'accountId' | 'credits' | 'description' | 'idempotencyKey' | 'at'>,
  balanceAfter: number,
  lots?: readonly OpenLot[],
): Promise<number> {
  const { accountId, credits } = usage
  const open = lots ?? (await listOpenLots(tx, accountId))
  const [, id] = await together([
    burnLots(tx, accountId, open, credits),
    insertTransfer(tx, { ...usage, credits: -credits, kind: 'usage' }, balanceAfter),
  ])
  return id
}

export async function insertTransfer(tx: Queryable, transfer: NewTransfer, balanceAfter: number): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into transfers (account_id, kind, credits, balance_after, description, idempotency_key, amount_usd_cents,
       package_id, plan_slug, session_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      transfer.accountId,
      transfer.kind,
      transfer.credits,
      balanceAfter,
      transfer.description,
      transfer.idempotencyKey,
      transfer.payment?.amountUsdCents ?? null,
      transfer.payment?.packageId ?? null,
      transfer.payment?.planSlug ?? null,
      transfer.payment?.sessionId ?? null,
      transfer.at,
    ],
  )
  if (row === undefined) throw new Error(`failed to insert transfer ${transfer.idempotencyKey}`)
  return row.id
}
