import { randomUUID } from 'node:crypto'
import type { Account } from '../model/accounts.ts'
import type { OffsetPage } from '../model/paging.ts'
import type { Db, Queryable } from './db.ts'

export interface AccountRow {
  id: string
  email: string | null
  name: string | null
  plan_slug: string
  overrides: string
  is_active: number
  is_demo: number
  posted: number
  period_start: number
  period_end: number
  created_at: number
}

export type Accounts = ReturnType<typeof accountsStore>

export function accountsStore(db: Db) {
  return {
    /** Undefined when the email is taken. */
    insert(account: Omit<Account, 'id' | 'balance' | 'isActive'>, id: string = randomUUID()): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        const rows = await tx.query<AccountRow>(
          `insert into accounts
             (id, email, name, plan_slug, overrides, is_active, is_demo, posted, period_start, period_end, created_at)
           values ($1, $2, $3, $4, $5, 1, $6, 0, $7, $8, $9)
           on conflict do nothing returning *`,
          [
            id,
            account.email,
            account.name,
            account.planSlug,
            JSON.stringify(account.overrides),
            account.isDemo ? 1 : 0,
            account.periodStart,
            account.periodEnd,
            account.createdAt,
          ],
        )
        return rows[0] && toAccount(rows[0])
      })
    },

    async find(id: string): Promise<Account | undefined> {
      const [row] = await db.query<AccountRow>('select * from accounts where id = $1', [id])
      return row && toAccount(row)
    },

    async page(limit: number, offset: number): Promise<OffsetPage<Account>> {
      const [count] = await db.query<{ count: number }>('select count(*) as count from accounts')
      const rows = await db.query<AccountRow>('select * from accounts order by created_at desc, id limit $1 offset $2', [
        limit,
        offset,
      ])
      return { data: rows.map(toAccount), totalCount: count?.count ?? 0 }
    },

    update(
      id: string,
      change: { planSlug?: string; overrides?: Record<string, unknown>; isActive?: boolean },
    ): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<AccountRow>(
          `update accounts set plan_slug = coalesce($2, plan_slug), overrides = coalesce($3, overrides),
             is_active = coalesce($4, is_active)
           where id = $1 returning *`,
          [
            id,
            change.planSlug ?? null,
            change.overrides === undefined ? null : JSON.stringify(change.overrides),
            change.isActive === undefined ? null : Number(change.isActive),
          ],
        )
        return row && toAccount(row)
      })
    },
  }
}

/** Makes every other transaction that locks the same account wait for this one. */
export async function lockAccount(tx: Queryable, id: string): Promise<void> {
  await tx.query('update accounts set id = id where id = $1', [id])
}

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    planSlug: row.plan_slug,
    overrides: JSON.parse(row.overrides),
    isActive: row.is_active === 1,
    isDemo: row.is_demo === 1,
    balance: row.posted,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    createdAt: row.created_at,
  }
}
