import type { Db } from '../db.ts'
import { chargeExport, type ExportCharge } from './charge-export.ts'
import { type BulkExport, saveExport } from './export-row.ts'

export type BulkExports = ReturnType<typeof bulkExportsStore>

export function bulkExportsStore(db: Db) {
  return {
    /** Charges for the next rows and saves the progress. Returns the balance, or why the rows must not be sent. */
    charge: (charge: ExportCharge) => db.run(chargeExport, charge),

    save: (record: BulkExport): Promise<void> => db.transaction((tx) => saveExport(tx, record)),

    /** Finds an export of an account, with the credits that it cost. */
    async find(accountId: string, id: string): Promise<(BulkExport & { credits: number }) | undefined> {
      const [found] = await db.query<BulkExport & { credits: number }>(
        `select id, account_id as "accountId", api_key_id as "apiKeyId", endpoint, format, status, row_count as rows,
           byte_count as bytes, sha256, created_at as "createdAt", updated_at as "updatedAt",
           (select cast(coalesce(sum(credits), 0) as bigint) from metered_charges where export_id = $1) as credits
         from bulk_exports where id = $1 and account_id = $2`,
        [id, accountId],
      )
      return found
    },
  }
}
