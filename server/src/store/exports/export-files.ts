import type { OffsetPage } from '../../model/paging.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { isoDay } from '../../model/time.ts'
import { lockAccount } from '../accounts/account-row.ts'
import { logMetered } from '../accounts/record-requests.ts'
import { recordUsage, takeFromBalance } from '../accounts/transfers.ts'
import { addUsage } from '../accounts/usage.ts'
import type { Db } from '../db.ts'
import { Params, where } from '../sql.ts'

/** A file with the records of a dataset on one UTC day. */
export interface ExportFile {
  id: string
  dataset: string
  day: string
  rows: number
  bytes: number
  sha256: string
  rowsSha256: string
  supersedes: string | null
  supersededBy: string | null
  createdAt: number
}

export interface FileFilters {
  dataset?: readonly string[]
  dayAfter?: number
  dayBefore?: number
  includeSuperseded?: boolean
}

export interface FilePayment {
  file: Pick<ExportFile, 'id' | 'rows'>
  credits: number
  /** The line of the request log, which is written with the charge. */
  request: LoggedRequest
}

const COLUMNS = `id, dataset, day, row_count as rows, byte_count as bytes, sha256, rows_sha256 as "rowsSha256", supersedes,
  superseded_by as "supersededBy", created_at as "createdAt"`

export type ExportFiles = ReturnType<typeof exportFilesStore>

export function exportFilesStore(db: Db) {
  return {
    /** Returns a page, latest day first. */
    async page(filters: FileFilters, limit: number, offset: number): Promise<OffsetPage<ExportFile>> {
      const params = new Params()
      const { dataset, dayAfter, dayBefore, includeSuperseded = false } = filters
      const conditions = where([
        ...(dataset === undefined ? [] : [`dataset in (${params.list(dataset)})`]),
        ...(dayAfter === undefined ? [] : [`day >= ${params.add(isoDay(dayAfter))}`]),
        ...(dayBefore === undefined ? [] : [`day <= ${params.add(isoDay(dayBefore))}`]),
        ...(includeSuperseded ? [] : ['superseded_by is null']),
      ])
      const [total] = await db.query<{ count: number }>(
        `select count(*) as count from export_files${conditions}`,
        params.values,
      )
      const data = await db.query<ExportFile>(
        `select ${COLUMNS} from export_files${conditions} order by day desc, dataset, created_at desc, id
         limit ${params.add(limit)} offset ${params.add(offset)}`,
        params.values,
      )
      return { data, totalCount: total?.count ?? 0 }
    },

    async find(id: string): Promise<ExportFile | undefined> {
      const [file] = await db.query<ExportFile>(`select ${COLUMNS} from export_files where id = $1`, [id])
      return file
    },

    /** Finds the file of a day that no other one supersedes. */
    async findCurrent(dataset: string, day: string): Promise<ExportFile | undefined> {
      const [file] = await db.query<ExportFile>(
        `select ${COLUMNS} from export_files where dataset = $1 and day = $2 and superseded_by is null`,
        [dataset, day],
      )
      return file
    },

    /** Adds a file, which supersedes the current one of its day. A file that another instance has added stays as it is. */
    add(file: Omit<ExportFile, 'supersedes' | 'supersededBy'>): Promise<void> {
      return db.transaction(async (tx) => {
        const [old] = await tx.query<{ id: string }>(
          `update export_files set superseded_by = $3 where dataset = $1 and day = $2 and superseded_by is null
             and id <> $3 returning id`,
          [file.dataset, file.day, file.id],
        )
        await tx.query(
          `insert into export_files (id, dataset, day, row_count, byte_count, sha256, rows_sha256, supersedes, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing`,
          [
            file.id,
            file.dataset,
            file.day,
            file.rows,
            file.bytes,
            file.sha256,
            file.rowsSha256,
            old?.id ?? null,
            file.createdAt,
          ],
        )
      })
    },

    /** Lists files of days before a day, oldest first. */
    listBefore: (day: string, limit: number): Promise<ExportFile[]> =>
      db.query<ExportFile>(
        `select ${COLUMNS} from export_files where day < $1 order by day, dataset, created_at limit ${Math.trunc(limit)}`,
        [day],
      ),

    remove: (id: string): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query('delete from export_files where id = $1', [id])
      }),

    /** Returns those of the files that an account has paid for. */
    async listPaid(accountId: string, ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set()
      const params = new Params()
      const rows = await db.query<{ id: string }>(
        `select distinct export_id as id from metered_charges
         where export_id in (${params.list(ids)}) and account_id = ${params.add(accountId)}`,
        params.values,
      )
      return new Set(rows.map(({ id }) => id))
    },

    /**
     * Charges an account for a file, once: returns the credits that it paid now, with its balance; undefined if the balance
     * does not cover them.
     */
    pay(payment: FilePayment): Promise<{ credits: number; balance: number } | undefined> {
      const { file, credits, request } = payment
      const { accountId, apiKeyId, endpoint, createdAt: at } = request
      return db.transaction(async (tx) => {
        const before = await lockAccount(tx, accountId)
        const paid = await tx.query('select 1 from metered_charges where export_id = $1 and account_id = $2 limit 1', [
          file.id,
          accountId,
        ])
        if (paid.length > 0 || credits === 0) return { credits: 0, balance: before }
        const balance = await takeFromBalance(tx, accountId, credits)
        if (balance === undefined) return undefined
        const transferId = await recordUsage(
          tx,
          { accountId, credits, description: 'Export file', idempotencyKey: `file:${file.id}:${accountId}`, at },
          balance,
        )
        await tx.query(
          `insert into metered_charges (account_id, api_key_id, endpoint, minutes, credits, transfer_id, created_at,
             export_id, request_id, row_count)
           values ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9)`,
          [accountId, apiKeyId, endpoint, credits, transferId, at, file.id, request.id, file.rows],
        )
        const none = { succeeded: 0, failed: 0, rateLimited: 0 }
        const lastCharge = { transferId, at }
        await addUsage(tx, [{ accountId, apiKeyId, endpoint, day: isoDay(at), ...none, credits, lastCharge }])
        await logMetered(tx, request)
        return { credits, balance }
      })
    },
  }
}
