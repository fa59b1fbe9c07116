import type { Account, LotKind } from '../../model/accounts.ts'
import type { OffsetPage } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import { countRows } from '../sql.ts'
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from './account-row.ts'
import { beginMonths, type GrantRule } from './grants.ts'
import { applyKeyLimit, insertKey, type NewKey } from './keys.ts'
import { grantLot } from './transfers.ts'

/** The rules to apply when the plan of an account changes. */
export interface PlanRules {
  now: number
  grantRule: GrantRule
  maxApiKeys(account: Account): number
}

export type Accounts = ReturnType<typeof accountsStore>

export function accountsStore(db: Db) {
  return {
    /**
     * Creates the account, its first key and its opening credits. Returns undefined if the email or the id is taken.
     */
    open(
      account: Omit<Account, 'balance' | 'isActive' | 'customerId' | 'subscriptionId'> & { nextPeriodAt: number },
      key: Omit<NewKey, 'accountId'>,
      grants: readonly { lot: LotKind; credits: number; description: string }[],
    ): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        const inserted = await tx.query(
          `insert into accounts
             (id, email, name, plan_slug, overrides, is_active, is_demo, posted, period_anchor, next_period_at,
              created_at)
           values ($1, $2, $3, $4, $5, 1, $6, 0, $7, $8, $9)
           on conflict do nothing returning id`,
          [
            account.id,
            account.email,
            account.name,
            account.planSlug,
            JSON.stringify(account.overrides),
            account.isDemo ? 1 : 0,
            account.periodAnchor,
            account.nextPeriodAt,
            account.createdAt,
          ],
        )
        if (inserted.length === 0) return undefined
        await insertKey(tx, { ...key, accountId: account.id })
        for (const { lot, credits, description } of grants) {
          await grantLot(
            tx,
            {
              accountId: account.id,
              credits,
              kind: 'grant',
              description,
              idempotencyKey: `opening:${account.id}:${lot}`,
              at: account.createdAt,
            },
            lot,
            { periodEnd: lot === 'monthly' ? account.nextPeriodAt : undefined },
          )
        }
        const [row] = await tx.query<AccountRow>(`select ${ACCOUNT_COLUMNS} from accounts where id = $1`, [account.id])
        return row && toAccount(row)
      })
    },

    async find(id: string): Promise<Account | undefined> {
      const [row] = await db.query<AccountRow>(`select ${ACCOUNT_COLUMNS} from accounts where id = $1`, [
        id.toLowerCase(),
      ])
      return row && toAccount(row)
    },

    async page(limit: number, offset: number): Promise<OffsetPage<Account>> {
      const rows = await db.query<AccountRow>(
        `select ${ACCOUNT_COLUMNS} from accounts order by created_at desc, id limit $1 offset $2`,
        [limit, offset],
      )
      return { data: rows.map(toAccount), totalCount: await countRows(db, 'accounts') }
    },

    /**
     * Changes the account, after granting the months that have begun under its old plan. Then fits its keys to the
     * limit of the new plan. Does not change the plan of a subscribed account.
     */
    update(
      id: string,
      change: { planSlug?: string; overrides?: Record<string, unknown>; isActive?: boolean },
      rules: PlanRules,
    ): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        await beginMonths(tx, id.toLowerCase(), rules.grantRule)
        const [row] = await tx.query<AccountRow>(
          `update accounts set plan_slug = case when subscription_id is null then coalesce($2, plan_slug) else plan_slug end,
             overrides = coalesce($3, overrides),
             is_active = coalesce($4, is_active)
           where id = $1 returning ${ACCOUNT_COLUMNS}`,
          [
            id.toLowerCase(),
            change.planSlug ?? null,
            change.overrides === undefined ? null : JSON.stringify(change.overrides),
            change.isActive === undefined ? null : Number(change.isActive),
          ],
        )
        if (row === undefined) return undefined
        const account = toAccount(row)
        await applyKeyLimit(tx, account.id, rules.maxApiKeys(account), rules.now)
        return account
      })
    },

    /** Sets the customer id at the payment processor if it is still `previous`; returns the current one. */
    setCustomer(id: string, customerId: string, previous: string | null): Promise<string> {
      return db.transaction(async (tx) => {
        await tx.query(
          `update accounts set customer_id = $2 where id = $1 and coalesce(customer_id, '') = coalesce(cast($3 as text), '')`,
          [id, customerId, previous],
        )
        const [row] = await tx.query<{ customer_id: string | null }>('select customer_id from accounts where id = $1', [
          id,
        ])
        return row?.customer_id ?? customerId
      })
    },
  }
}
