import type { Account } from '../../model/accounts.ts'
import { ApiError } from '../../model/errors.ts'
import type { Queryable } from '../db.ts'

/** Not `*`: PostgreSQL refuses a prepared statement whose result changes when a migration adds a column. */
export const ACCOUNT_COLUMNS =
  'id, email, name, plan_slug, overrides, is_active, suspended_reason, is_demo, posted, customer_id, subscription_id, period_anchor, created_at, deleted_at'

export interface AccountRow {
  id: string
  email: string | null
  name: string | null
  plan_slug: string
  overrides: string
  is_active: number
  suspended_reason: string | null
  is_demo: number
  posted: number
  customer_id: string | null
  subscription_id: string | null
  period_anchor: number
  created_at: number
  deleted_at: number | null
}

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    planSlug: row.plan_slug,
    overrides: JSON.parse(row.overrides),
    isActive: row.is_active === 1,
    suspendedReason: row.suspended_reason,
    isDemo: row.is_demo === 1,
    balance: row.posted,
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    periodAnchor: row.period_anchor,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
  }
}

/**
 * Locks the account until the transaction ends and returns its balance. The update sets the balance and not the id: if
 * it set the id, SQLite would check every table that refers to it.
 */
export async function lockAccount(tx: Queryable, id: string): Promise<number> {
  const [row] = await tx.query<{ posted: number }>(
    'update accounts set posted = posted where id = $1 returning posted',
    [id],
  )
  return row?.posted ?? 0
}

/** Locks an account that a request adds something to, and returns its balance. Throws 401 if it was deleted meanwhile. */
export async function lockUndeleted(tx: Queryable, id: string): Promise<number> {
  const [row] = await tx.query<{ posted: number }>(
    'update accounts set posted = posted where id = $1 and deleted_at is null returning posted',
    [id],
  )
  if (row === undefined) throw new ApiError('UNAUTHORIZED', 'This account was deleted')
  return row.posted
}
