import type { ExportFormat, ExportStatus } from '../../model/exports.ts'
import type { Queryable } from '../db.ts'

/** An export and how far it has come. */
export interface BulkExport {
  id: string
  accountId: string
  apiKeyId: string
  /** Method and path, as usage is counted. */
  endpoint: string
  format: ExportFormat
  status: ExportStatus
  rows: number
  bytes: number
  sha256: string | null
  createdAt: number
  updatedAt: number
}

export async function saveExport(tx: Queryable, record: BulkExport): Promise<void> {
  await tx.query(
    `insert into bulk_exports (id, account_id, api_key_id, endpoint, format, status, row_count, byte_count, sha256,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (id) do update set status = excluded.status, row_count = excluded.row_count,
       byte_count = excluded.byte_count, sha256 = excluded.sha256, updated_at = excluded.updated_at`,
    [
      record.id,
      record.accountId,
      record.apiKeyId,
      record.endpoint,
      record.format,
      record.status,
      record.rows,
      record.bytes,
      record.sha256,
      record.createdAt,
      record.updatedAt,
    ],
  )
}
