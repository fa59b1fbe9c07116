import type { Balance } from '../../model/accounts.ts'
import { isoDay } from '../../model/time.ts'
import { recordUsage, takeFromBalance } from '../accounts/transfers.ts'
import { addUsage } from '../accounts/usage.ts'
import type { Transaction } from '../db.ts'

/** Rows of an export or of a file that an account pays for. */
interface RowCharge {
  accountId: string
  apiKeyId: string
  /** Method and path, as usage is counted. */
  endpoint: string
  /** Id of the export or of the file. */
  exportId: string
  requestId: string
  rows: number
  credits: number
  description: string
  idempotencyKey: string
  at: number
}

/** Takes the credits for rows and records the charge. Returns undefined if the balance does not cover them. */
export async function chargeRows(tx: Transaction, charge: RowCharge): Promise<Balance | undefined> {
  const { accountId, apiKeyId, endpoint, credits, description, idempotencyKey, at } = charge
  const balanceAfter = await takeFromBalance(tx, accountId, credits)
  if (balanceAfter === undefined) return undefined
  const transferId = await recordUsage(tx, { accountId, credits, description, idempotencyKey, at, balanceAfter })
  await tx.query(
    `insert into metered_charges (account_id, api_key_id, endpoint, minutes, credits, transfer_id, created_at, export_id,
       request_id, row_count)
     values ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9)`,
    [accountId, apiKeyId, endpoint, credits, transferId, at, charge.exportId, charge.requestId, charge.rows],
  )
  const none = { succeeded: 0, failed: 0, rateLimited: 0 }
  const lastCharge = { transferId, at }
  await addUsage(tx, [{ accountId, apiKeyId, endpoint, day: isoDay(at), ...none, credits, lastCharge }])
  return { credits: balanceAfter, transferId }
}
