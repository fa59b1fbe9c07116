import { lockAccount } from '../accounts/account-row.ts'
import { grantLasting, lastingLots, reversalKey } from '../accounts/debts.ts'
import {
  insertTransfer,
  type NewTransfer,
  type OpenLot,
  purchaseKey,
  restorePaidMonth,
  takeFromBalance,
  takeFromLots,
} from '../accounts/transfers.ts'
import type { Db, Queryable, Transaction } from '../db.ts'
import type { StoredPurchase } from './purchases.ts'
import { markReadApplied } from './read-order.ts'

/** A refund or dispute, with the credits to take back for it. */
export interface Reversal {
  id: string
  kind: 'refund' | 'dispute'
  credits: number
  amountUsdCents: number
  createdAt: number
}

export type Reversals = ReturnType<typeof reversalsStore>

export function reversalsStore(db: Db) {
  return {
    /**
     * Makes the ledger agree with the refunds and disputes of a purchase that are in force. Gives back the credits of
     * those that no longer are (a dispute was won, a refund failed). `read` is the number of the read they come from.
     */
    apply(purchase: StoredPurchase, inForce: readonly Reversal[], read: number, at: number): Promise<void> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, purchase.accountId)
        if (!(await markReadApplied(tx, purchase.paymentId ?? purchase.id, read))) return
        const known = await tx.query<Row>(`select ${COLUMNS} from reversals where purchase_id = $1`, [purchase.id])
        const wanted = new Map(inForce.map((reversal) => [reversal.id, reversal]))
        const gone = known.filter(({ id }) => !wanted.has(id)).map((row) => ({ ...row, ...NOTHING_TAKEN }))
        const all = [...inForce, ...gone]
        // Credits that are given back may repay another reversal, so each row is read only when it is processed.
        for (const reversal of all) await applyDifference(tx, purchase, reversal, at, 'give')
        for (const reversal of all) await applyDifference(tx, purchase, reversal, at, 'take')
      })
    },

    /** Returns the debt: credits to take back that the account has already used. */
    async owed(accountId: string): Promise<number> {
      const [row] = await db.query<{ owed: number }>(
        'select cast(coalesce(sum(owed), 0) as bigint) as owed from reversals where account_id = $1 and owed > 0',
        [accountId],
      )
      return row?.owed ?? 0
    },
  }
}

const COLUMNS = `id, kind, credits, amount_usd_cents as "amountUsdCents", from_lot as "fromLot", lapsed,
  from_others as "fromOthers", owed, changes, created_at as "createdAt"`

interface Row extends Reversal {
  fromLot: number
  lapsed: number
  fromOthers: number
  owed: number
  changes: number
}

/** The difference between a reversal as recorded and as it is now. */
interface Difference {
  row: Row
  credits: number
  amountUsdCents: number
}

const NOTHING_TAKEN = { credits: 0, amountUsdCents: 0 }
const UNPOSTED = { ...NOTHING_TAKEN, fromLot: 0, lapsed: 0, fromOthers: 0, owed: 0, changes: 0 }

async function applyDifference(
  tx: Transaction,
  purchase: StoredPurchase,
  reversal: Reversal,
  at: number,
  way: 'give' | 'take',
): Promise<void> {
  const [known] = await tx.query<Row>(`select ${COLUMNS} from reversals where id = $1`, [reversal.id])
  const row = known ?? { ...reversal, ...UNPOSTED }
  const credits = reversal.credits - row.credits
  const missing = { row, credits, amountUsdCents: reversal.amountUsdCents - row.amountUsdCents }
  // A reversal without credits gets a transfer too, since it shows the money in the history.
  const isGiven = credits < 0 || (credits === 0 && missing.amountUsdCents < 0)
  if (way === 'give' && isGiven) await giveBack(tx, purchase, missing, at)
  if (way === 'take' && (credits > 0 || known === undefined)) await takeBack(tx, purchase, missing, at)
}

/**
 * Takes credits back: first the unused ones of the purchase itself, then counts those that have expired. Credits that
 * were used are taken from other lots that do not expire; the rest becomes a debt.
 */
async function takeBack(tx: Transaction, purchase: StoredPurchase, difference: Difference, at: number): Promise<void> {
  const { row, credits } = difference
  const fromLot = await takeFromLots(tx, await ownLots(tx, purchase), credits)
  const lapsed = Math.min(credits - fromLot, await expiredUnclaimed(tx, purchase))
  const rest = credits - fromLot - lapsed
  const fromOthers = await takeFromLots(tx, await lastingLots(tx, purchase.accountId), rest)
  const owed = rest - fromOthers
  const taken = fromLot + fromOthers
  const balanceAfter = (await takeFromBalance(tx, purchase.accountId, taken)) ?? 0
  await insertTransfer(
    tx,
    await transferOf(tx, purchase, difference, -taken, describeTaking(row.kind, owed), at),
    balanceAfter,
  )
  await save(tx, purchase, difference, {
    fromLot: row.fromLot + fromLot,
    lapsed: row.lapsed + lapsed,
    fromOthers: row.fromOthers + fromOthers,
    owed: row.owed + owed,
    changes: row.changes + 1,
  })
}

/** Gives credits back in the reverse order: first cancels the debt, then refills the lots they were taken from. */
async function giveBack(tx: Transaction, purchase: StoredPurchase, difference: Difference, at: number): Promise<void> {
  const { row } = difference
  let left = -difference.credits
  const upTo = (most: number) => {
    const part = Math.min(left, most)
    left -= part
    return part
  }
  const owed = upTo(row.owed)
  const fromOthers = upTo(row.fromOthers)
  const lapsed = upTo(row.lapsed)
  const fromLot = upTo(row.fromLot)
  const isMonthly = purchase.lot === 'monthly' && fromLot > 0
  // Saved first: the grant below repays debts, of which this is no longer one.
  await save(tx, purchase, difference, {
    fromLot: row.fromLot - fromLot,
    lapsed: row.lapsed - lapsed,
    fromOthers: row.fromOthers - fromOthers,
    owed: row.owed - owed,
    changes: row.changes + (isMonthly ? 2 : 1),
  })
  const description = row.kind === 'refund' ? 'A refund failed' : 'A dispute was won'
  const source = purchaseKey(purchase.id)
  const transfer = await transferOf(tx, purchase, difference, fromOthers + (isMonthly ? 0 : fromLot), description, at)
  await grantLasting(tx, transfer, 'pack', source)
  if (!isMonthly) return
  const rest = { ...difference, row: { ...row, changes: row.changes + 1 }, amountUsdCents: 0 }
  const monthly = await transferOf(tx, purchase, rest, fromLot, description, at)
  await restorePaidMonth(tx, { ...monthly, periodEnd: await periodEndOf(tx, purchase) }, source)
}

function save(
  tx: Transaction,
  purchase: StoredPurchase,
  { row, credits, amountUsdCents }: Difference,
  parts: Pick<Row, 'fromLot' | 'lapsed' | 'fromOthers' | 'owed' | 'changes'>,
): Promise<unknown> {
  return tx.query(
    `insert into reversals
       (id, account_id, purchase_id, kind, amount_usd_cents, credits, from_lot, lapsed, from_others, owed, changes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do update set amount_usd_cents = excluded.amount_usd_cents, credits = excluded.credits,
       from_lot = excluded.from_lot, lapsed = excluded.lapsed, from_others = excluded.from_others,
       owed = excluded.owed, changes = excluded.changes`,
    [
      row.id,
      purchase.accountId,
      purchase.id,
      row.kind,
      row.amountUsdCents + amountUsdCents,
      row.credits + credits,
      parts.fromLot,
      parts.lapsed,
      parts.fromOthers,
      parts.owed,
      parts.changes,
      row.createdAt,
    ],
  )
}

function ownLots(tx: Queryable, purchase: StoredPurchase): Promise<OpenLot[]> {
  return tx.query<OpenLot>(
    'select id, remaining from lots where account_id = $1 and source = $2 and kind = $3 and remaining > 0 order by id',
    [purchase.accountId, purchaseKey(purchase.id), purchase.lot],
  )
}

/** Returns the expired credits of the purchase that no reversal has counted yet. */
async function expiredUnclaimed(tx: Queryable, purchase: StoredPurchase): Promise<number> {
  const [row] = await tx.query<{ expired: number; lapsed: number }>(
    `select (select coalesce(sum(expired), 0) from lots where account_id = $1 and source = $2) as expired,
       (select coalesce(sum(lapsed), 0) from reversals where purchase_id = $3) as lapsed`,
    [purchase.accountId, purchaseKey(purchase.id), purchase.id],
  )
  return Number(row?.expired ?? 0) - Number(row?.lapsed ?? 0)
}

async function periodEndOf(tx: Queryable, purchase: StoredPurchase): Promise<number> {
  const [lot] = await tx.query<{ period_end: number }>(
    'select period_end from lots where account_id = $1 and source = $2 and kind = $3 order by id limit 1',
    [purchase.accountId, purchaseKey(purchase.id), 'monthly'],
  )
  return lot?.period_end ?? 0
}

/** Builds the transfer of a reversal, with the payment details of the purchase. */
async function transferOf(
  tx: Transaction,
  purchase: StoredPurchase,
  difference: Difference,
  credits: number,
  description: string,
  at: number,
): Promise<NewTransfer> {
  const [bought] = await tx.query<{ package_id: string | null; plan_slug: string | null; session_id: string | null }>(
    'select package_id, plan_slug, session_id from transfers where idempotency_key = $1',
    [purchaseKey(purchase.id)],
  )
  return {
    accountId: purchase.accountId,
    credits,
    kind: 'refund',
    description,
    idempotencyKey: reversalKey(difference.row),
    at,
    payment: {
      amountUsdCents: difference.amountUsdCents === 0 ? null : -difference.amountUsdCents,
      packageId: bought?.package_id ?? null,
      planSlug: bought?.plan_slug ?? null,
      sessionId: bought?.session_id ?? null,
    },
  }
}

function describeTaking(kind: Reversal['kind'], owed: number): string {
  const what = kind === 'refund' ? 'Payment refunded' : 'Payment disputed'
  return owed === 0 ? what : `${what}; ${owed} credits of it are gone and owed`
}
