import type { Account } from '../../model/accounts.ts'
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from '../accounts/account-row.ts'
import type { PlanRules } from '../accounts/accounts.ts'
import { beginMonths } from '../accounts/grants.ts'
import { applyKeyLimit } from '../accounts/keys.ts'
import { expirePaidMonths } from '../accounts/transfers.ts'
import type { Db, Queryable } from '../db.ts'
import { markReadApplied } from './read-order.ts'

/** A subscription as last read from the payment processor. */
export interface Subscription {
  id: string
  accountId: string
  planSlug: string
  status: string
  /** The time from which its months are counted. */
  anchor: number
  periodStart: number
  periodEnd: number
  cancelAtPeriodEnd: boolean
  pendingPlanSlug: string | null
  /** After a failed payment: the time until which the plan stays in force. */
  graceUntil: number | null
  createdAt: number
}

/** Statuses of subscriptions that continue by themselves: they are renewed, or paid later. */
const LIVE_STATUSES = ['active', 'trialing', 'past_due']

export const isLive = (status: string) => LIVE_STATUSES.includes(status)

/** Returns whether the subscription may still come into force, so that no other may be started. */
export const isUnfinished = (status: string) => isLive(status) || status === 'incomplete' || status === 'paused'

const IS_LIVE = `status in (${LIVE_STATUSES.map((status) => `'${status}'`).join(', ')})`

/** The rules that decide the plan of an account with subscriptions. */
export interface SubscriptionRules extends PlanRules {
  inForce(subscriptions: readonly Subscription[]): Subscription | undefined
  /** Returns the start of the next month. */
  nextPeriodAt(anchor: number): number
  planWithoutSubscription: string
}

export type Subscriptions = ReturnType<typeof subscriptionsStore>

export function subscriptionsStore(db: Db) {
  return {
    /** Stores the subscription and sets the resulting plan. `read` is the number of the read it comes from. */
    apply(subscription: Subscription, read: number, rules: SubscriptionRules): Promise<void> {
      return db.transaction(async (tx) => {
        const { accountId } = subscription
        // Locks the account.
        await beginMonths(tx, accountId, rules.grantRule)
        if (!(await markReadApplied(tx, subscription.id, read))) return
        await save(tx, subscription, rules.now)
        const known = await listOf(tx, accountId)
        const inForce = rules.inForce(known)
        const account = await setPlan(tx, accountId, inForce, rules)
        if (inForce === undefined) await expirePaidMonths(tx, accountId, rules.now)
        if (account !== undefined) await applyKeyLimit(tx, accountId, rules.maxApiKeys(account), rules.now)
      })
    },

    async find(id: string): Promise<Subscription | undefined> {
      const [row] = await db.query<Row>(`select ${COLUMNS} from subscriptions where id = $1`, [id])
      return row && toSubscription(row)
    },

    /** Newest first. */
    list: (accountId: string) => listOf(db, accountId),

    /**
     * Lists live subscriptions whose grace period is over, and those whose month is over and whose last check was
     * before its end or before `notCheckedSince`.
     */
    async listOverdue(now: number, notCheckedSince: number, limit: number): Promise<Subscription[]> {
      const rows = await db.query<Row>(
        `select ${COLUMNS} from subscriptions where ${IS_LIVE} and (grace_until <= $1
           or (period_end <= $1 and (checked_at < period_end or checked_at <= $2))) order by checked_at, id limit $3`,
        [now, notCheckedSince, limit],
      )
      return rows.map(toSubscription)
    },

    /** Lists subscriptions by id. */
    async listAll(after: string, limit: number): Promise<Subscription[]> {
      const rows = await db.query<Row>(`select ${COLUMNS} from subscriptions where id > $1 order by id limit $2`, [
        after,
        limit,
      ])
      return rows.map(toSubscription)
    },
  }
}

interface Row extends Omit<Subscription, 'cancelAtPeriodEnd'> {
  cancelAtPeriodEnd: number
}

const COLUMNS = `id, account_id as "accountId", plan_slug as "planSlug", status, anchor, period_start as "periodStart",
  period_end as "periodEnd", cancel_at_period_end as "cancelAtPeriodEnd", pending_plan_slug as "pendingPlanSlug",
  grace_until as "graceUntil", created_at as "createdAt"`

async function listOf(db: Queryable, accountId: string): Promise<Subscription[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS} from subscriptions where account_id = $1 order by created_at desc, id desc`,
    [accountId],
  )
  return rows.map(toSubscription)
}

const toSubscription = (row: Row): Subscription => ({ ...row, cancelAtPeriodEnd: row.cancelAtPeriodEnd === 1 })

function save(tx: Queryable, subscription: Subscription, now: number): Promise<unknown> {
  return tx.query(
    `insert into subscriptions (id, account_id, plan_slug, status, anchor, period_start, period_end,
       cancel_at_period_end, pending_plan_slug, grace_until, checked_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do update set plan_slug = excluded.plan_slug, status = excluded.status, anchor = excluded.anchor,
       period_start = excluded.period_start, period_end = excluded.period_end,
       cancel_at_period_end = excluded.cancel_at_period_end, pending_plan_slug = excluded.pending_plan_slug,
       grace_until = excluded.grace_until, checked_at = excluded.checked_at`,
    [
      subscription.id,
      subscription.accountId,
      subscription.planSlug,
      subscription.status,
      subscription.anchor,
      subscription.periodStart,
      subscription.periodEnd,
      subscription.cancelAtPeriodEnd ? 1 : 0,
      subscription.pendingPlanSlug,
      subscription.graceUntil,
      now,
      subscription.createdAt,
    ],
  )
}

/** Sets the plan of the subscription in force. An account that never had one keeps the plan set by the operator. */
async function setPlan(
  tx: Queryable,
  accountId: string,
  inForce: Subscription | undefined,
  rules: SubscriptionRules,
): Promise<Account | undefined> {
  const [row] =
    inForce === undefined
      ? await tx.query<AccountRow>(
          `update accounts set plan_slug = $2, subscription_id = null
           where id = $1 and subscription_id is not null returning ${ACCOUNT_COLUMNS}`,
          [accountId, rules.planWithoutSubscription],
        )
      : await tx.query<AccountRow>(
          `update accounts set plan_slug = $2, subscription_id = $3, period_anchor = $4, next_period_at = $5
           where id = $1 returning ${ACCOUNT_COLUMNS}`,
          [accountId, inForce.planSlug, inForce.id, inForce.anchor, rules.nextPeriodAt(inForce.anchor)],
        )
  return row && toAccount(row)
}
