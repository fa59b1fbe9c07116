import type { Transaction } from '../db.ts'

/** The lists of records with their tables, and the SQL of the time at which a row was added. */
const LISTS = [
  { source: 'entries', table: 'entries', ref: 'seq', at: 'created_at' },
  { source: 'markets', table: 'markets', ref: 'ref', at: 'created_at' },
  ...[
    'prediction_markets',
    'sec_insider_trades',
    'sec_financial_filings',
    'sec_institutional_holdings',
    'sec_beneficial_ownership',
    'sec_private_placements',
    'sec_planned_sales',
    'sec_material_events',
  ].map((table) => ({
    source: table.replace(/^sec_/, '').replaceAll('_', '-'),
    table,
    ref: 'seq',
    at: `(select last_created_at from feeds where name = '${table}')`,
  })),
]

/** Logs the insert of every record of the store, after the changes that are known. */
export async function migrate(tx: Transaction): Promise<void> {
  for (const { source, table, ref, at } of LISTS) {
    const [feed] = await tx.query<{ last: number }>("select last_seq as last from feeds where name = 'changes'")
    await tx.query(
      `insert into changes (source, position, ref, action, record_id, at)
       select '${source}', ${feed?.last ?? 0} + row_number() over (order by ${ref}), ${ref}, 'insert', null, ${at}
       from ${table}`,
    )
    await tx.query(`update feeds set last_seq = last_seq + (select count(*) from ${table}) where name = 'changes'`)
    await tx.query(
      `insert into change_counts (source, count) select '${source}', count(*) from changes where source = '${source}'`,
    )
  }
  await tx.query(
    `update feeds set epoch = (select count(*) from changes where action = 'removal'),
       last_created_at = (select coalesce(max(at), 0) from changes) where name = 'changes'`,
  )
  // After the rows: building an index at once is faster.
  await tx.query('create index changes_by_ref on changes (source, ref, position)')
  await tx.query("create index changes_of_known on changes (source, position) where action <> 'insert'")
  await tx.query('create index changes_by_record on changes (record_id) where record_id is not null')
}
