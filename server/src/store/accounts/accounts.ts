import type { Account, LotKind } from '../../model/accounts.ts'
import type { OffsetPage } from '../../model/paging.ts'
import type { Db, Transaction } from '../db.ts'
import { refuseOthers } from '../lists/filters.ts'
import { Params, where } from '../sql.ts'
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from './account-row.ts'
import { beginMonths, type GrantRule } from './grants.ts'
import { ACTIVE_KEYS, applyKeyLimit, insertKey, type NewKey } from './keys.ts'
import { grantLot } from './transfers.ts'

/** Follows every character that an email address can have. */
const LAST_CHARACTER = '\u{10ffff}'

/** The rules to apply when the plan of an account changes. */
export interface PlanRules {
  now: number
  grantRule: GrantRule
  maxApiKeys(account: Account): number
}

export interface OpeningGrant {
  lot: LotKind
  credits: number
  description: string
}

export type NewAccount = Omit<
  Account,
  'balance' | 'isActive' | 'suspendedReason' | 'customerId' | 'subscriptionId' | 'deletedAt'
> & { nextPeriodAt: number }

/** The state of an account at one moment. */
export interface AccountState {
  balance: number
  /** The remaining credits of each origin. */
  monthly: number
  granted: number
  purchased: number
  /** The debt: credits to take back that the account has already used. */
  owed: number
  /** Credits used since the start of a day. */
  used: number
  activeKeys: number
  openStreams: number
}

export interface AccountFilters {
  email?: string
  emailPrefix?: string
  /** Part of the email address or the name; A to Z match in either case. */
  search?: string
}

export type Accounts = ReturnType<typeof accountsStore>

export function accountsStore(db: Db) {
  const containing = (text: string, params: Params) => {
    // Only ASCII: that is what SQLite lowers.
    const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    const pattern = params.add(`%${lower.replaceAll(/[\\%_]/g, '\\$&')}%`)
    const has = (column: string) => `lower(${column} ${db.dialect.bytes}) like ${pattern} escape '\\'`
    return `(${has('email')} or ${has('name')})`
  }
  return {
    /**
     * Creates the account, its first key and its opening credits. Returns undefined if the email or the id is taken.
     */
    open(
      account: NewAccount,
      key: Omit<NewKey, 'accountId'>,
      grants: readonly OpeningGrant[],
    ): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        if (!(await insertAccount(tx, account, grants))) return undefined
        await insertKey(tx, { ...key, accountId: account.id })
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

    /** Reads the state of an account in one statement, so that its numbers agree. Usage counts from the day `fromDay` on. */
    async state(id: string, fromDay: string, now: number): Promise<AccountState> {
      const left = (kinds: string) =>
        `cast(coalesce(sum(case when l.kind in (${kinds}) then l.remaining end), 0) as bigint)`
      const [row] = await db.query<AccountState>(
        `select a.posted as balance, ${left("'monthly'")} as monthly, ${left("'signup', 'adjustment'")} as granted,
           ${left("'pack'")} as purchased,
           (select cast(coalesce(sum(owed), 0) as bigint) from reversals where account_id = $1 and owed > 0) as owed,
           (select cast(coalesce(sum(credits), 0) as bigint) from usage_days where account_id = $1 and day >= $3) as used,
           (select count(*) from api_keys where account_id = $1 and ${ACTIVE_KEYS}) as "activeKeys",
           (select count(*) from streams where account_id = $1 and closed_ms is null) as "openStreams"
         from accounts a left join lots l on l.account_id = a.id and l.remaining > 0 where a.id = $1 group by a.id`,
        [id, now, fromDay],
      )
      if (row === undefined) throw new Error(`there is no account ${id}`)
      return row
    },

    /** Returns a page, newest first. */
    async page(
      limit: number,
      offset: number,
      { email, emailPrefix, search, ...unread }: AccountFilters = {},
    ): Promise<OffsetPage<Account>> {
      refuseOthers(unread)
      const params = new Params()
      const column = `email ${db.dialect.bytes}`
      const conditions = [
        ...(email === undefined ? [] : [`email = ${params.add(email)}`]),
        ...(emailPrefix === undefined
          ? []
          : [
              `${column} >= ${params.add(emailPrefix)} and ${column} < ${params.add(`${emailPrefix}${LAST_CHARACTER}`)}`,
            ]),
        ...(search === undefined ? [] : [containing(search, params)]),
      ]
      const reader = search === undefined ? db : db.heavy
      const [total] = await reader.query<{ count: number }>(
        `select count(*) as count from accounts${where(conditions)}`,
        params.values,
      )
      const rows = await reader.query<AccountRow>(
        `select ${ACCOUNT_COLUMNS} from accounts${where(conditions)}
         order by created_at desc, id limit ${params.add(limit)} offset ${params.add(offset)}`,
        params.values,
      )
      return { data: rows.map(toAccount), totalCount: total?.count ?? 0 }
    },

    /**
     * Changes the account, after granting the months that have begun under its old plan. Then fits its keys to the
     * limit of the new plan. Does not change the plan of a subscribed account, and does not enable a deleted one. Enabling
     * the account clears the reason of its suspension.
     */
    update(
      id: string,
      change: { planSlug?: string; overrides?: Record<string, unknown>; isActive?: boolean; suspendedReason?: string },
      rules: PlanRules,
    ): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        await beginMonths(tx, id.toLowerCase(), rules.grantRule)
        const [row] = await tx.query<AccountRow>(
          `update accounts set plan_slug = case when subscription_id is null then coalesce($2, plan_slug) else plan_slug end,
             overrides = coalesce($3, overrides),
             is_active = case when deleted_at is null then coalesce($4, is_active) else is_active end,
             suspended_reason = case when $4 = 1 or deleted_at is not null then null else coalesce($5, suspended_reason) end
           where id = $1 returning ${ACCOUNT_COLUMNS}`,
          [
            id.toLowerCase(),
            change.planSlug ?? null,
            change.overrides === undefined ? null : JSON.stringify(change.overrides),
            change.isActive === undefined ? null : Number(change.isActive),
            change.suspendedReason ?? null,
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

/** Inserts the account with its opening credits. Returns whether neither the email nor the id was taken. */
export async function insertAccount(
  tx: Transaction,
  account: NewAccount,
  grants: readonly OpeningGrant[],
): Promise<boolean> {
  const inserted = await tx.query(
    `insert into accounts
       (id, email, name, plan_slug, overrides, is_active, is_demo, posted, period_anchor, next_period_at, created_at)
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
  if (inserted.length === 0) return false
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
  return true
}
