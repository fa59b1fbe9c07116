import { type Balance, BURN_RANK, type LotKind, type TransferKind } from '../../model/accounts.ts'
import type { Queryable, Transaction, Value } from '../db.ts'
import { givenPairs, Params, padded, together } from '../sql.ts'

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
export async function replaceLot(tx: Transaction, transfer: PeriodTransfer, lot: LotKind): Promise<boolean> {
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
export async function replacePaidMonth(tx: Transaction, transfer: PeriodTransfer, source: string): Promise<boolean> {
  if (await isRecorded(tx, transfer.idempotencyKey)) return false
  await expireLots(tx, transfer, 'monthly', `(coalesce(period_end, 0) < $3 or source is null or not ${IS_PAID})`)
  await restorePaidMonth(tx, transfer, source)
  return true
}

/** Grants the credits of a paid month again after a won dispute or failed refund; lets no other credits expire. */
export async function restorePaidMonth(tx: Transaction, transfer: PeriodTransfer, source: string): Promise<void> {
  await grantLot(tx, transfer, 'monthly', { source, periodEnd: transfer.periodEnd })
  await expireIfLate(tx, transfer, 'monthly', `period_end > $3 and ${IS_PAID}`)
  await expireIfOver(tx, transfer)
}

/** Lets the month expire if it has ended already and the account has no subscription. */
async function expireIfOver(tx: Transaction, { accountId, periodEnd, at }: PeriodTransfer): Promise<void> {
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
export async function expirePaidMonths(tx: Transaction, accountId: string, at: number): Promise<number> {
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

async function expireIfLate(tx: Transaction, transfer: PeriodTransfer, lot: LotKind, isLater: string): Promise<void> {
  const { accountId, periodEnd } = transfer
  const [later] = await tx.query(`select 1 from lots where account_id = $1 and kind = $2 and ${isLater} limit 1`, [
    accountId,
    lot,
    periodEnd,
  ])
  if (later !== undefined)
    await expireLots(tx, { ...transfer, idempotencyKey: `${transfer.idempotencyKey}:late` }, lot, 'period_end = $3')
}

async function expireLots(tx: Transaction, transfer: PeriodTransfer, lot: LotKind, which: string): Promise<void> {
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
  tx: Transaction,
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
  tx: Transaction,
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

/** Returns the balance with the last transfer, in one statement, so that they agree. */
export async function readBalance(db: Queryable, accountId: string): Promise<Balance> {
  const [row] = await db.query<Balance>(
    `select posted as credits, (select coalesce(max(id), 0) from transfers where account_id = $1) as "transferId"
     from accounts where id = $1`,
    [accountId],
  )
  return row ?? { credits: 0, transferId: 0 }
}

/** Returns the new balance, or undefined if it does not cover the credits. Every charge is decided here or below. */
export async function takeFromBalance(tx: Queryable, accountId: string, credits: number): Promise<number | undefined> {
  const [row] = await tx.query<{ posted: number }>(
    'update accounts set posted = posted - $2 where id = $1 and posted >= $3 returning posted',
    [accountId, credits, credits],
  )
  return row?.posted
}

/** Takes credits from balances that cover them. Returns the new balances. */
export async function takeFromBalances(
  tx: Queryable,
  charges: readonly (readonly [accountId: string, credits: number])[],
): Promise<Map<string, number>> {
  const [first, ...others] = charges
  if (first !== undefined && others.length === 0) {
    const balance = await takeFromBalance(tx, ...first)
    return new Map(balance === undefined ? [] : [[first[0], balance]])
  }
  const given = padded(charges)
  const rows = await tx.query<{ id: string; posted: number }>(
    `update accounts set posted = posted - given.column2 from ${givenPairs(['text', 'bigint'], given.length)}
     where id = given.column1 and posted >= given.column2 returning id, posted`,
    given.flat(),
  )
  return new Map(rows.map(({ id, posted }) => [id, posted]))
}

/** Locks accounts in the order of their ids, so that two instances cannot deadlock. */
export async function lockAccounts(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  if (tx.dialect.forUpdate === '' || accountIds.length < 2) return
  const params = new Params()
  const ids = params.list(padded(accountIds))
  await tx.query(`select 1 from accounts where id in (${ids}) order by id${tx.dialect.forUpdate}`, params.values)
}

/** Lists the lots of accounts that have credits, those of an account in burn order. */
export async function listOpenLots(tx: Queryable, ...accountIds: string[]): Promise<Map<string, OpenLot[]>> {
  const params = new Params()
  const ids = params.list(padded(accountIds))
  const lots = await tx.query<OpenLot & { account_id: string }>(
    `select account_id, id, remaining from lots where account_id in (${ids}) and remaining > 0 order by burn_rank, id`,
    params.values,
  )
  return Map.groupBy(lots, (lot) => lot.account_id)
}

export interface OpenLot {
  id: number
  remaining: number
}

/** Takes up to `credits` from these lots in their order; returns the number taken. */
export async function takeFromLots(tx: Queryable, lots: readonly OpenLot[], credits: number): Promise<number> {
  const parts = partsOf(lots, credits)
  await reduceLots(tx, parts)
  return parts.reduce((sum, [, taken]) => sum + taken, 0)
}

type LotPart = readonly [lotId: number, credits: number]

/** Divides up to `credits` among the lots, in their order. */
function partsOf(lots: readonly OpenLot[], credits: number): LotPart[] {
  const parts: LotPart[] = []
  let left = credits
  for (const { id, remaining } of lots) {
    if (left === 0) break
    const taken = Math.min(left, remaining)
    parts.push([id, taken])
    left -= taken
  }
  return parts
}

async function reduceLots(tx: Queryable, parts: readonly LotPart[]): Promise<void> {
  const [first, ...others] = parts
  if (first === undefined) return
  if (others.length === 0) {
    await tx.query('update lots set remaining = remaining - $2 where id = $1', first)
    return
  }
  const given = padded(parts)
  await tx.query(
    `update lots set remaining = remaining - given.column2 from ${givenPairs(['bigint', 'bigint'], given.length)}
     where id = given.column1`,
    given.flat(),
  )
}

/** Takes credits out of all open lots of accounts. */
async function burnLots(
  tx: Queryable,
  charges: readonly { accountId: string; lots: readonly OpenLot[]; credits: number }[],
): Promise<void> {
  const parts = charges.flatMap(({ accountId, lots, credits }) => {
    const taken = partsOf(lots, credits)
    if (taken.reduce((sum, [, part]) => sum + part, 0) < credits)
      throw new Error(`the lots of account ${accountId} do not cover its balance`)
    return taken
  })
  await reduceLots(tx, parts)
}

/** Takes credits, in burn order. Returns false if the balance does not cover them. */
export async function withdraw(tx: Transaction, transfer: NewTransfer): Promise<boolean> {
  const balanceAfter = await takeFromBalance(tx, transfer.accountId, -transfer.credits)
  if (balanceAfter === undefined) return false
  const { accountId } = transfer
  const lots = (await listOpenLots(tx, accountId)).get(accountId) ?? []
  await burnLots(tx, [{ accountId, lots, credits: -transfer.credits }])
  await insertTransfer(tx, transfer, balanceAfter)
  return true
}

/** Usage that was taken from the balance before. */
export interface TakenUsage
  extends Pick<NewTransfer, 'accountId' | 'credits' | 'description' | 'idempotencyKey' | 'at'> {
  balanceAfter: number
}

/** Records usage; returns the id of the transfer. */
export async function recordUsage(tx: Transaction, usage: TakenUsage): Promise<number> {
  return transferIdOf(await recordUsages(tx, [usage], await listOpenLots(tx, usage.accountId)), usage)
}

/** Records the usage of several accounts, whose open lots are given; returns the ids of the transfers by idempotency key. */
export async function recordUsages(
  tx: Transaction,
  usages: readonly TakenUsage[],
  lots: ReadonlyMap<string, readonly OpenLot[]>,
): Promise<Map<string, number>> {
  const [, rows] = await together([
    burnLots(
      tx,
      [...Map.groupBy(usages, ({ accountId }) => accountId)].map(([accountId, own]) => ({
        accountId,
        lots: lots.get(accountId) ?? [],
        credits: own.reduce((sum, { credits }) => sum + credits, 0),
      })),
    ),
    insertTransfers(
      tx,
      usages.map(({ balanceAfter, credits, ...usage }) => [
        { ...usage, credits: -credits, kind: 'usage' },
        balanceAfter,
      ]),
    ),
  ])
  return rows
}

export async function insertTransfer(tx: Transaction, transfer: NewTransfer, balanceAfter: number): Promise<number> {
  return transferIdOf(await insertTransfers(tx, [[transfer, balanceAfter]]), transfer)
}

/** Returns the id of a transfer that was inserted. */
export function transferIdOf(
  ids: ReadonlyMap<string, number>,
  { idempotencyKey }: Pick<NewTransfer, 'idempotencyKey'>,
): number {
  const id = ids.get(idempotencyKey)
  if (id === undefined) throw new Error(`failed to insert transfer ${idempotencyKey}`)
  return id
}

const TRANSFER_COLUMNS = [
  'account_id',
  'kind',
  'credits',
  'balance_after',
  'description',
  'idempotency_key',
  'amount_usd_cents',
  'package_id',
  'plan_slug',
  'session_id',
  'created_at',
]

/** Returns the ids by idempotency key. */
async function insertTransfers(
  tx: Transaction,
  transfers: readonly (readonly [transfer: NewTransfer, balanceAfter: number])[],
): Promise<Map<string, number>> {
  const values = transfers.map(([transfer, balanceAfter]): Value[] => [
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
  ])
  const rows = await tx.insert<{ id: number; idempotency_key: string }>(
    'transfers',
    TRANSFER_COLUMNS,
    values,
    'returning id, idempotency_key',
  )
  return new Map(rows.map(({ id, idempotency_key }) => [idempotency_key, id]))
}
