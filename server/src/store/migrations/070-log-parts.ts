import type { Db, Transaction } from '../db.ts'

/**
 * Divides the request log into parts by time. The table becomes the first part without being read: the constraint of 065
 * proves its bound. It keeps its key, by which an older version finds rows.
 */
export async function migrate(tx: Transaction, engine: Db['engine']): Promise<void> {
  if (engine === 'sqlite') return
  await tx.query('lock table request_log in access exclusive mode')
  const [last] = await tx.query<{ seq: number | null }>('select max(seq) as seq from request_log')
  const [constraint] = await tx.query<{ text: string }>(
    "select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'request_log_bound'",
  )
  const end = /-?\d+/.exec(constraint?.text ?? '')?.[0]
  await tx.query('alter table request_log rename to request_log_first')
  await tx.query('alter index request_log_by_account rename to request_log_first_by_account')
  await tx.query('alter table request_log_first alter column seq drop identity')
  await tx.query('create table request_log (like request_log_first) partition by range (created_at)')
  await tx.query(`create sequence request_log_numbers start ${(last?.seq ?? 0) + 1} owned by request_log.seq`)
  await tx.query("alter table request_log alter column seq set default nextval('request_log_numbers')")
  await tx.query('create index request_log_by_account on request_log (account_id, created_at, seq, credits)')
  await tx.query(`alter table request_log attach partition request_log_first for values from (minvalue) to (${end})`)
  await tx.query('alter table request_log_first drop constraint request_log_bound')
  await tx.query('create table request_log_default partition of request_log default')
}
