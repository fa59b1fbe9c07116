import { lockAccount } from '../accounts/account-row.ts'
import { grantLasting } from '../accounts/debts.ts'
import { type NewTransfer, type PaymentDetails, purchaseKey, replacePaidMonth } from '../accounts/transfers.ts'
import type { Db } from '../db.ts'

/** A payment that grants credits: for a pack, a month of a plan, or after an upgrade the rest of one. */
export interface Purchase {
  /** The checkout session of a pack, the invoice of a plan. */
  id: string
  accountId: string
  paymentId: string | null
  credits: number
  amountUsdCents: number
  /** Credits of a plan expire with their month; those of a pack do not. */
  periodEnd: number | null
}

export type Purchases = ReturnType<typeof purchasesStore>

export function purchasesStore(db: Db) {
  return {
    /** Records the purchase and grants its credits. Returns false if that was done before. */
    fulfil(
      purchase: Purchase,
      description: string,
      product: Omit<PaymentDetails, 'amountUsdCents'>,
      at: number,
    ): Promise<boolean> {
      return db.transaction(async (tx) => {
        const { id, accountId, paymentId, credits, amountUsdCents, periodEnd } = purchase
        await lockAccount(tx, accountId)
        const lot = periodEnd === null ? 'pack' : 'monthly'
        const inserted = await tx.query(
          `insert into purchases (id, account_id, payment_id, lot, credits, amount_usd_cents, created_at)
           values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
          [id, accountId, paymentId, lot, credits, amountUsdCents, at],
        )
        if (inserted.length === 0) return false
        const transfer: Omit<NewTransfer, 'kind'> = {
          accountId,
          credits,
          description,
          idempotencyKey: purchaseKey(id),
          at,
          payment: { ...product, amountUsdCents },
        }
        return periodEnd === null
          ? grantLasting(tx, { ...transfer, kind: 'purchase' }, lot)
          : replacePaidMonth(tx, { ...transfer, kind: 'subscription', periodEnd }, purchaseKey(id))
      })
    },

    async find(id: string): Promise<StoredPurchase | undefined> {
      const [row] = await db.query<StoredPurchase>(`select ${COLUMNS} from purchases where id = $1`, [id])
      return row
    },

    async findByPayment(paymentId: string): Promise<StoredPurchase | undefined> {
      const [row] = await db.query<StoredPurchase>(`select ${COLUMNS} from purchases where payment_id = $1`, [
        paymentId,
      ])
      return row
    },
  }
}

export type StoredPurchase = Omit<Purchase, 'periodEnd'> & { lot: 'pack' | 'monthly' }

const COLUMNS = `id, account_id as "accountId", payment_id as "paymentId", lot, credits,
  amount_usd_cents as "amountUsdCents"`
