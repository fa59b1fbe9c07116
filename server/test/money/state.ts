import { isoDay } from '../../src/model/time.ts'
import { creditsByKind } from '../lots.ts'
import type { MoneyRig } from './rig.ts'

/** Returns the final state of an account, without traces of the order of events. */
export async function stateOf({ store, db, clock }: MoneyRig, id: string) {
  const account = await store.accounts.find(id)
  const { monthly = 0, signup = 0, pack = 0, adjustment = 0 } = await creditsByKind(store, id)
  const keys = await store.keys.list(id)
  const subscriptions = await store.subscriptions.list(id)
  return {
    balance: account?.balance,
    lots: { monthly, signup, pack, adjustment },
    owed: await store.reversals.owed(id),
    plan: account?.planSlug,
    subscription: account?.subscriptionId ?? null,
    anchor: account?.periodAnchor,
    activeKeys: keys.filter(({ isActive }) => isActive).length,
    countedKeys: (await store.accounts.state(id, isoDay(0), clock.now())).activeKeys,
    subscriptions,
    purchases: await db.query<{
      id: string
      paymentId: string | null
      lot: string
      credits: number
      amountUsdCents: number
    }>(
      `select id, payment_id as "paymentId", lot, credits, amount_usd_cents as "amountUsdCents" from purchases
       where account_id = $1 order by id`,
      [id],
    ),
    reversals: await db.query<{ id: string; purchaseId: string; kind: string; credits: number }>(
      `select id, purchase_id as "purchaseId", kind, credits
       from reversals where account_id = $1 and credits > 0 order by id`,
      [id],
    ),
    checkouts: await db.query<{ id: string; sessionId: string | null; status: string }>(
      `select id, session_id as "sessionId", status from checkouts where account_id = $1 order by id`,
      [id],
    ),
    transfers: await db.query(
      `select kind, cast(sum(credits) as bigint) as credits, cast(sum(amount_usd_cents) as bigint) as cents
       from transfers where account_id = $1 and kind <> 'expiry' group by kind order by kind`,
      [id],
    ),
  }
}
