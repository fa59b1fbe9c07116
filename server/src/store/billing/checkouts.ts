import { lockUndeleted } from '../accounts/account-row.ts'
import type { Db } from '../db.ts'

export const CHECKOUT_STATUSES = ['open', 'processing', 'paid', 'failed', 'expired'] as const
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number]

/** A payment page that was opened for an account, for a pack or a plan. */
export interface Checkout {
  id: string
  accountId: string
  packageId: string | null
  planSlug: string | null
  sessionId: string | null
  url: string | null
  status: CheckoutStatus
  createdAt: number
}

export type Checkouts = ReturnType<typeof checkoutsStore>

export function checkoutsStore(db: Db) {
  return {
    /**
     * Begins a checkout. An account has at most one open checkout for a plan: if there is one, returns that instead.
     */
    begin(checkout: Pick<Checkout, 'id' | 'accountId' | 'packageId' | 'planSlug' | 'createdAt'>): Promise<Checkout> {
      return db.transaction(async (tx) => {
        await lockUndeleted(tx, checkout.accountId)
        await tx.query(
          `insert into checkouts (id, account_id, package_id, plan_slug, status, checked_at, created_at)
           values ($1, $2, $3, $4, 'open', $5, $6) on conflict do nothing`,
          [
            checkout.id,
            checkout.accountId,
            checkout.packageId,
            checkout.planSlug,
            checkout.createdAt,
            checkout.createdAt,
          ],
        )
        const [row] = await tx.query<Checkout>(
          `select ${COLUMNS} from checkouts where id = $1 or (account_id = $2 and plan_slug is not null
             and cast($3 as text) is not null and status in ('open', 'processing')) limit 1`,
          [checkout.id, checkout.accountId, checkout.planSlug],
        )
        if (row === undefined) throw new Error(`failed to begin checkout ${checkout.id}`)
        return row
      })
    },

    setSession(id: string, session: { sessionId: string; url: string }): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('update checkouts set session_id = $2, url = $3 where id = $1', [
          id,
          session.sessionId,
          session.url,
        ])
      })
    },

    /** Sets the status. A paid checkout stays paid, and one that has ended is not reopened. */
    settle(id: string, status: CheckoutStatus, now: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(
          `update checkouts set status = $2, checked_at = $3 where id = $1 and (status in ('open', 'processing')
             or (status in ('failed', 'expired') and cast($2 as text) in ('paid', 'failed', 'expired')))`,
          [id, status, now],
        )
      })
    },

    async findBySession(sessionId: string): Promise<Checkout | undefined> {
      const [row] = await db.query<Checkout>(`select ${COLUMNS} from checkouts where session_id = $1`, [sessionId])
      return row
    },

    /** Lists unsettled checkouts that began before the time `before` and were not checked after `notCheckedSince`. */
    listUnsettled(before: number, notCheckedSince: number, limit: number): Promise<Checkout[]> {
      return db.query<Checkout>(
        `select ${COLUMNS} from checkouts where status in ('open', 'processing') and created_at < $1 and checked_at <= $2
         order by created_at limit $3`,
        [before, notCheckedSince, limit],
      )
    },
  }
}

const COLUMNS = `id, account_id as "accountId", package_id as "packageId", plan_slug as "planSlug",
  session_id as "sessionId", url, status, created_at as "createdAt"`
