import type { AuditRecord } from '../../model/operators.ts'
import type { OffsetPage } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import { refuseOthers } from '../lists/filters.ts'
import { Params, where } from '../sql.ts'

export interface AuditTrailFilters {
  token?: string
  target?: string
  createdAfter?: number
  createdBefore?: number
}

export type AuditTrail = ReturnType<typeof auditTrailStore>

const COLUMNS = `request_id as "requestId", token, method, route, target, summary, status_code as "statusCode",
  created_at as "createdAt"`

/** Nothing removes rows, and nothing changes an outcome. */
export function auditTrailStore(db: Db) {
  return {
    /** Returns the number of the row. */
    add(record: AuditRecord): Promise<number> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<{ seq: number }>(
          `insert into audit_trail (request_id, token, method, route, target, summary, status_code, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8) returning seq`,
          [
            record.requestId,
            record.token,
            record.method,
            record.route,
            record.target,
            record.summary,
            record.statusCode,
            record.createdAt,
          ],
        )
        if (row === undefined) throw new Error('failed to add to the audit trail')
        return row.seq
      })
    },

    /** Sets the outcome of a request that has none yet. */
    finish(
      seq: number,
      { target, summary, statusCode }: Pick<AuditRecord, 'target' | 'summary' | 'statusCode'>,
    ): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(
          'update audit_trail set target = $2, summary = $3, status_code = $4 where seq = $1 and status_code is null',
          [seq, target, summary, statusCode],
        )
      })
    },

    /** Returns a page, newest first. */
    async page(filters: AuditTrailFilters, limit: number, offset: number): Promise<OffsetPage<AuditRecord>> {
      const { token, target, createdAfter, createdBefore, ...unread } = filters
      refuseOthers(unread)
      const params = new Params()
      const conditions = [
        ...(token === undefined ? [] : [`token = ${params.add(token)}`]),
        ...(target === undefined ? [] : [`target = ${params.add(target)}`]),
        ...(createdAfter === undefined ? [] : [`created_at >= ${params.add(createdAfter)}`]),
        ...(createdBefore === undefined ? [] : [`created_at <= ${params.add(createdBefore)}`]),
      ]
      const [total] = await db.heavy.query<{ count: number }>(
        `select count(*) as count from audit_trail${where(conditions)}`,
        params.values,
      )
      const data = await db.heavy.query<AuditRecord>(
        `select ${COLUMNS} from audit_trail${where(conditions)}
         order by created_at desc, seq desc limit ${params.add(limit)} offset ${params.add(offset)}`,
        params.values,
      )
      return { data, totalCount: total?.count ?? 0 }
    },
  }
}
