import type { Balance } from '../../model/accounts.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { isoDay } from '../../model/time.ts'
import { logMetered } from '../accounts/record-requests.ts'
import { recordUsage, takeFromBalance } from '../accounts/transfers.ts'
import { addUsage } from '../accounts/usage.ts'
import type { Procedure, Queryable } from '../db.ts'
import { type BulkExport, saveExport } from './export-row.ts'

export interface ExportCharge {
  /** The export before the rows are sent. */
  record: BulkExport
  /** Rows to charge for. */
  rows: number
  credits: number
  /** The line of the request log, which is written with the first charge. */
  request: LoggedRequest | undefined
}

export type ExportCharged = { balance: Balance } | { refusedBy: 'credits_exhausted' | 'key_revoked' }

/** Charges for rows of an export before they are sent, unless its key has stopped working. */
export const chargeExport: Procedure<ExportCharge, ExportCharged> = {
  module: import.meta.url,
  name: 'chargeExport',
  async work(tx, { record, rows, credits, request }) {
    const { id, accountId, apiKeyId, endpoint, updatedAt: at } = record
    if (!(await isKeyUsable(tx, record))) return { refusedBy: 'key_revoked' }
    const balanceAfter = await takeFromBalance(tx, accountId, credits)
    if (balanceAfter === undefined) return { refusedBy: 'credits_exhausted' }
    const transferId = await recordUsage(tx, {
      accountId,
      credits,
      description: 'Bulk export',
      idempotencyKey: `export:${id}:${record.rows}`,
      at,
      balanceAfter,
    })
    await saveExport(tx, record)
    await tx.query(
      `insert into metered_charges (account_id, api_key_id, endpoint, minutes, credits, transfer_id, created_at, export_id,
         request_id, row_count)
       values ($1, $2, $3, 0, $4, $5, $6, $7, $7, $8)`,
      [accountId, apiKeyId, endpoint, credits, transferId, at, id, rows],
    )
    const lastCharge = { transferId, at }
    const none = { succeeded: 0, failed: 0, rateLimited: 0 }
    await addUsage(tx, [{ accountId, apiKeyId, endpoint, day: isoDay(at), ...none, credits, lastCharge }])
    if (request !== undefined) await logMetered(tx, request)
    return { balance: { credits: balanceAfter, transferId } }
  },
}

/** Keys of the dashboard are never active themselves: their sessions are. */
async function isKeyUsable(tx: Queryable, { apiKeyId, updatedAt: now }: BulkExport): Promise<boolean> {
  const found = await tx.query(
    `select 1 from api_keys k join accounts a on a.id = k.account_id where k.id = $1 and a.is_active = 1
       and (k.kind <> 'key' or (k.is_active = 1 and (k.expires_at is null or k.expires_at > $2)))`,
    [apiKeyId, now],
  )
  return found.length > 0
}
