import { type Balance, isUsable, withSecret } from '../../model/accounts.ts'
import { restrictionError } from '../../model/key-restrictions.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { lockAccount } from '../accounts/account-row.ts'
import { JOINED_KEY_COLUMNS, type KeyRow, toKey } from '../accounts/keys.ts'
import { logMetered } from '../accounts/record-requests.ts'
import type { Procedure, Queryable } from '../db.ts'
import { chargeRows } from './charge-rows.ts'
import { type BulkExport, saveExport } from './export-row.ts'

export interface ExportCharge {
  /** The export before the rows are sent. */
  record: BulkExport
  /** The secret of the key or the session with which the export started, and the address of its client. */
  holder: { secretNumber: number; sessionId: string | undefined; address: string }
  /** Rows to charge for. */
  rows: number
  credits: number
  /** The line of the request log, which is written with the first charge. */
  request: LoggedRequest | undefined
}

export type ExportCharged = { balance: Balance } | { refusedBy: 'credits_exhausted' | 'key_revoked' }

/** Charges for rows of an export before they are sent, unless its key has stopped working for its caller. */
export const chargeExport: Procedure<ExportCharge, ExportCharged> = {
  module: import.meta.url,
  name: 'chargeExport',
  async work(tx, { record, holder, rows, credits, request }) {
    const { id, accountId, apiKeyId, endpoint, updatedAt: at } = record
    // Changes of a key lock the account too, so none is answered between the check and the charge.
    await lockAccount(tx, accountId)
    if (!(await isUsableBy(tx, record, holder))) return { refusedBy: 'key_revoked' }
    const balance = await chargeRows(tx, {
      accountId,
      apiKeyId,
      endpoint,
      exportId: id,
      requestId: id,
      rows,
      credits,
      description: 'Bulk export',
      idempotencyKey: `export:${id}:${record.rows}`,
      at,
    })
    if (balance === undefined) return { refusedBy: 'credits_exhausted' }
    await saveExport(tx, record)
    if (request !== undefined) await logMetered(tx, request)
    return { balance }
  },
}

/** Returns whether the key of an export still works for its holder. The dashboard's key is never active; its session counts instead. */
async function isUsableBy(
  tx: Queryable,
  { apiKeyId, updatedAt: now }: BulkExport,
  { secretNumber, sessionId, address }: ExportCharge['holder'],
): Promise<boolean> {
  const [row] = await tx.query<KeyRow & { session_expires_at: number | null }>(
    `select ${JOINED_KEY_COLUMNS}, (select expires_at from sessions where id = $2) as session_expires_at
     from api_keys k join accounts a on a.id = k.account_id where k.id = $1 and a.is_active = 1`,
    [apiKeyId, sessionId ?? null],
  )
  if (row === undefined) return false
  if (sessionId !== undefined) return (row.session_expires_at ?? 0) > now
  const key = withSecret(toKey(row), secretNumber)
  return isUsable(key, now) && restrictionError(key, { scope: 'data', address }) === undefined
}
