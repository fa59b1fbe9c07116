import type { Db } from '../src/store/db.ts'

/** The migrations that divide tables into parts. */
export const PART_MIGRATIONS = [
  '065-part-bounds.ts',
  '066-part-bounds-check.sql',
  '070-log-parts.ts',
  '071-candle-parts.ts',
]

/** Takes a PostgreSQL store back to before the parts of tables. */
export async function undoParts(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of ['request_log', 'candle_blocks']) {
      await tx.query(`alter table ${table} rename to divided`)
      await tx.query(`create table ${table} (like divided)`)
      await tx.query(`insert into ${table} select * from divided`)
      await tx.query('drop table divided cascade')
    }
    const [last] = await tx.query<{ seq: number }>('select max(seq) as seq from request_log')
    await tx.query(
      `alter table request_log add primary key (seq),
       alter seq add generated always as identity (start with ${(last?.seq ?? 0) + 1})`,
    )
    await tx.query('create index request_log_by_account on request_log (account_id, created_at, seq, credits)')
    await tx.query('alter table candle_blocks add primary key (market_ref, level, starts_at)')
    for (const name of PART_MIGRATIONS) {
      await tx.query('delete from migrations where name = $1', [name])
      await tx.query('delete from migration_checksums where name = $1', [name])
    }
  })
}
