import { LRUCache } from 'lru-cache'
import type { OffsetPage } from '../../model/paging.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { isoDay } from '../../model/time.ts'
import { lockAccount } from '../accounts/account-row.ts'
import { logMetered } from '../accounts/record-requests.ts'
import type { Db, Transaction } from '../db.ts'
import type { Lease } from '../leases.ts'
import { Params, where } from '../sql.ts'
import { chargeRows } from './charge-rows.ts'

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
  /** The version of the dataset as of which the file is known to be current; null if none is. */
  version: number | null
}

type StoredFile = Pick<ExportFile, 'id' | 'dataset' | 'day'>

/** Returns the name of a file in the storage. */
export const storedName = ({ id, dataset, day }: StoredFile): string => `${dataset}/${day}/${id}.parquet`

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
  superseded_by as "supersededBy", created_at as "createdAt", version`

export type ExportFiles = ReturnType<typeof exportFilesStore>

const CACHED_PAGES = 500

/** A file, and whether the account that asks has paid for it. */
export type OfferedFile = ExportFile & { isPaid: boolean }

export function exportFilesStore(db: Db) {
  const pages = new LRUCache<string, OffsetPage<OfferedFile>>({ max: CACHED_PAGES })
  let changes = 0
  /** Changes the files or who has paid for them. */
  const change = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    db.transaction(work).finally(() => {
      changes += 1
      pages.clear()
    })

  const listPaid = async (accountId: string, ids: readonly string[]): Promise<Set<string>> => {
    if (ids.length === 0) return new Set()
    const params = new Params()
    const rows = await db.query<{ id: string }>(
      `select distinct export_id as id from metered_charges
       where export_id in (${params.list(ids)}) and account_id = ${params.add(accountId)}`,
      params.values,
    )
    return new Set(rows.map(({ id }) => id))
  }

  return {
    /** Returns a page for an account, latest day first. On an engine with one process, it is the same object until a change. */
    async page(
      accountId: string,
      filters: FileFilters,
      limit: number,
      offset: number,
    ): Promise<OffsetPage<OfferedFile>> {
      const key = JSON.stringify([accountId, filters, limit, offset])
      const known = pages.get(key)
      if (known !== undefined) return known
      const changesBefore = changes
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
      const paid = await listPaid(
        accountId,
        data.map(({ id }) => id),
      )
      const page = {
        data: data.map((file) => ({ ...file, isPaid: paid.has(file.id) })),
        totalCount: total?.count ?? 0,
      }
      // A page that was read during a change may be older than it.
      if (db.exclusive && changes === changesBefore) pages.set(key, page)
      return page
    },

    async find(id: string): Promise<ExportFile | undefined> {
      const [file] = await db.query<ExportFile>(`select ${COLUMNS} from export_files where id = $1`, [id])
      return file
    },

    /** Lists the files of a dataset from a day on that no others supersede. */
    listCurrent: (dataset: string, from: string): Promise<ExportFile[]> =>
      db.query<ExportFile>(
        `select ${COLUMNS} from export_files where dataset = $1 and day >= $2 and superseded_by is null`,
        [dataset, from],
      ),

    /** Notes that a file is going to be stored, so that it is removed unless `add` follows. */
    startUpload: ({ id, dataset, day }: StoredFile, lease?: Lease): Promise<void> =>
      db.transaction(async (tx) => {
        await lease?.verify(tx)
        await tx.query(
          'insert into export_uploads (id, dataset, day) values ($1, $2, $3) on conflict (id) do nothing',
          [id, dataset, day],
        )
      }),

    /** Adds a stored file, which supersedes the current one of its day. A file that another instance has added stays as it is. */
    add(file: Omit<ExportFile, 'supersedes' | 'supersededBy'>, lease?: Lease): Promise<void> {
      return change(async (tx) => {
        await lease?.verify(tx)
        const [old] = await tx.query<{ id: string }>(
          `update export_files set superseded_by = $3 where dataset = $1 and day = $2 and superseded_by is null
             and id <> $3 returning id`,
          [file.dataset, file.day, file.id],
        )
        await tx.query(
          `insert into export_files (id, dataset, day, row_count, byte_count, sha256, rows_sha256, supersedes, created_at,
             version)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (id) do nothing`,
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
            file.version,
          ],
        )
        await tx.query('delete from export_uploads where id = $1', [file.id])
      })
    },

    /** Lists files that were to be stored and have not been added. */
    listLeftUploads: (): Promise<StoredFile[]> =>
      db.query<StoredFile>(
        `select id, dataset, day from export_uploads u where not exists (select 1 from export_files f where f.id = u.id)`,
      ),

    /** Forgets all uploads. Call it after removing the files that `listLeftUploads` returns. */
    forgetUploads: (): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query('delete from export_uploads')
      }),

    /** Saves that files are current as of a version of their dataset. */
    setVersion: (ids: readonly string[], version: number): Promise<void> =>
      db.transaction(async (tx) => {
        if (ids.length === 0) return
        const params = new Params()
        await tx.query(
          `update export_files set version = ${params.add(version)} where id in (${params.list(ids)})`,
          params.values,
        )
      }),

    /** Lists files of days before a day, oldest first. */
    listBefore: (day: string, limit: number): Promise<ExportFile[]> =>
      db.query<ExportFile>(
        `select ${COLUMNS} from export_files where day < $1 order by day, dataset, created_at limit ${Math.trunc(limit)}`,
        [day],
      ),

    remove: (id: string): Promise<void> =>
      change(async (tx) => {
        await tx.query('delete from export_files where id = $1', [id])
      }),

    /**
     * Charges an account for a file, once. Returns the credits charged now, or undefined if the balance does not cover
     * them.
     */
    pay(payment: FilePayment): Promise<number | undefined> {
      const { file, credits, request } = payment
      const { accountId, apiKeyId, endpoint, createdAt: at } = request
      return change(async (tx) => {
        await lockAccount(tx, accountId)
        const paid = await tx.query('select 1 from metered_charges where export_id = $1 and account_id = $2 limit 1', [
          file.id,
          accountId,
        ])
        if (paid.length > 0 || credits === 0) return 0
        const balance = await chargeRows(tx, {
          accountId,
          apiKeyId,
          endpoint,
          exportId: file.id,
          requestId: request.id,
          rows: file.rows,
          credits,
          description: 'Export file',
          idempotencyKey: `file:${file.id}:${accountId}`,
          at,
        })
        if (balance === undefined) return undefined
        await logMetered(tx, request)
        return credits
      })
    },
  }
}
