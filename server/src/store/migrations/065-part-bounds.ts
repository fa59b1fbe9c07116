import type { Db, Transaction } from '../db.ts'

/**
 * Bounds the times in the request log and in the blocks of candles, so that each table can become its own first part
 * without being read (070 and 071). 066 checks the rows meanwhile.
 */
export async function migrate(tx: Transaction, engine: Db['engine'], now: number): Promise<void> {
  if (engine === 'sqlite') return
  const [log] = await tx.query<{ newest: number | null }>(
    `select max(l.created_at) as newest from request_log_heads h cross join lateral (
       select created_at from request_log where account_id = h.account_id order by created_at desc limit 1
     ) l`,
  )
  const lastMonth = new Date(Math.max(now, log?.newest ?? 0))
  await bound(tx, 'request_log', 'created_at', Date.UTC(lastMonth.getUTCFullYear(), lastMonth.getUTCMonth() + 1))

  const [candles] = await tx.query<{ newest: number | null }>(
    `select max(b.starts_at) as newest from markets m cross join generate_series(0, 4) as l (level) cross join lateral (
       select starts_at from candle_blocks where market_ref = m.ref and level = l.level order by starts_at desc limit 1
     ) b`,
  )
  const lastYear = new Date(Math.max(now, candles?.newest ?? 0)).getUTCFullYear()
  await bound(tx, 'candle_blocks', 'starts_at', Date.UTC(lastYear + 1))
}

function bound(tx: Transaction, table: string, column: string, end: number): Promise<unknown> {
  return tx.query(`alter table ${table} add constraint ${table}_bound check (${column} < ${end}) not valid`)
}
