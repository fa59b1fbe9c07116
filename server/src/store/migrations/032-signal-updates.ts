import type { Signal } from '../../model/signals.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction } from '../db.ts'
import { Params } from '../sql.ts'

const ROWS_AT_ONCE = 400

interface Row {
  key: number
  at: number
  doc: string
}

/** Writes `updatedAt` into the documents of signals, their versions and their events. */
export async function migrate(tx: Transaction): Promise<void> {
  for (const table of ['signals', 'signal_versions']) {
    const rows = `select r.seq as key, t.updated_at as at, r.doc from ${table} t join ${table}_docs r on r.seq = t.seq`
    await complete(tx, { table: `${table}_docs`, key: 'seq', rows })
  }
  await complete(tx, { table: 'signal_events', key: 'id', rows: 'select id as key, at, doc from signal_events' })
  const events = await tx.query<Row>('select id as key, at, doc from signal_events')
  for (const { key, at, doc } of events) {
    const { createdAt } = JSON.parse(doc) as Signal
    if (Date.parse(createdAt) === at) await tx.query("update signal_events set change = 'new' where id = $1", [key])
  }
}

async function complete(tx: Transaction, from: { table: string; key: string; rows: string }): Promise<void> {
  const { table, key } = from
  for (let last = 0; ; ) {
    const rows = await tx.query<Row>(
      `select * from (${from.rows}) m where m.key > $1 order by m.key limit ${ROWS_AT_ONCE}`,
      [last],
    )
    if (rows.length === 0) return
    last = rows.at(-1)?.key ?? last
    const params = new Params()
    const filled = rows.map((row) => {
      const doc = JSON.stringify({ ...JSON.parse(row.doc), updatedAt: isoTime(row.at) })
      return `(cast(${params.add(row.key)} as integer), cast(${params.add(doc)} as text))`
    })
    await tx.query(
      `with given (place, doc) as (values ${filled.join(', ')})
       update ${table} set doc = given.doc from given where ${table}.${key} = given.place`,
      params.values,
    )
  }
}
