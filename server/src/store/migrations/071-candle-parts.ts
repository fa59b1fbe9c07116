import type { Db, Transaction } from '../db.ts'

/** Divides the blocks of candles into parts by time, as 070 does with the request log. */
export async function migrate(tx: Transaction, engine: Db['engine']): Promise<void> {
  if (engine === 'sqlite') return
  await tx.query('lock table candle_blocks in access exclusive mode')
  const [constraint] = await tx.query<{ text: string }>(
    "select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'candle_blocks_bound'",
  )
  const end = /-?\d+/.exec(constraint?.text ?? '')?.[0]
  await tx.query('alter table candle_blocks rename to candle_blocks_first')
  await tx.query('alter table candle_blocks_first rename constraint candle_blocks_pkey to candle_blocks_first_pkey')
  await tx.query('create table candle_blocks (like candle_blocks_first) partition by range (starts_at)')
  await tx.query('alter table candle_blocks add primary key (market_ref, level, starts_at)')
  await tx.query(
    `alter table candle_blocks attach partition candle_blocks_first for values from (minvalue) to (${end})`,
  )
  await tx.query('alter table candle_blocks_first drop constraint candle_blocks_bound')
  await tx.query('create table candle_blocks_default partition of candle_blocks default')
}
