import type { Signal } from '../../model/signals.ts'
import type { Db, Transaction } from '../db.ts'
import { searchWords } from '../lists/search.ts'
import { textOf } from '../signals/signal-writes.ts'
import { insertRecords } from '../sql.ts'

const ROWS_AT_ONCE = 1_000

/** Indexes the words of signal versions as searches spell them. The SQL of 025 cannot fold letters on SQLite. */
export async function migrate(tx: Transaction, engine: Db['engine']): Promise<void> {
  if (engine !== 'sqlite') return
  await tx.query("insert into signal_versions_search (signal_versions_search) values ('delete-all')")
  for (let last = 0; ; ) {
    const rows = await tx.query<{ seq: number; doc: string }>(
      `select seq, doc from signal_versions_docs where seq > $1 order by seq limit ${ROWS_AT_ONCE}`,
      [last],
    )
    if (rows.length === 0) return
    last = rows.at(-1)?.seq ?? last
    const wordsOf = (doc: string) => searchWords(textOf(JSON.parse(doc) as Signal)).join(' ')
    await insertRecords(
      tx,
      'signal_versions_search',
      rows.map(({ seq, doc }) => ({ rowid: seq, words: wordsOf(doc) })),
    )
  }
}
