import { exactSum } from '../../model/exact-sum.ts'
import { type InsiderTrade, ownerRoleOf } from '../../model/sec/insider-trades.ts'
import type { Transaction } from '../db.ts'
import { UNKNOWN } from '../lists/filters.ts'
import { Params } from '../sql.ts'

const ROWS_AT_ONCE = 400

interface Row {
  seq: number
  doc: string
}

/** Fills the direction, the role of the owner and the value of the filing of all insider trades. */
export async function migrate(tx: Transaction): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await tx.query<Row>(
      `select seq, doc from sec_insider_trades_docs where seq > $1 order by seq limit ${ROWS_AT_ONCE}`,
      [last],
    )
    if (rows.length === 0) return
    last = rows.at(-1)?.seq ?? last
    await fill(tx, rows)
  }
}

async function fill(tx: Transaction, rows: readonly Row[]): Promise<void> {
  const trades = rows.map(({ seq, doc }) => ({ seq, trade: JSON.parse(doc) as InsiderTrade }))
  const filings = [...new Set(trades.map(({ trade }) => trade.accessionNumber))]
  const params = new Params()
  const all = await tx.query<Row>(
    `select t.seq, r.doc from sec_insider_trades t join sec_insider_trades_docs r on r.seq = t.seq
     where t.superseded in (0, 1) and t.accession_number in (${params.list(filings)})`,
    params.values,
  )
  const values = Map.groupBy(
    all.map(({ doc }) => JSON.parse(doc) as InsiderTrade),
    tradeOf,
  )
  const update = new Params()
  const filled = trades.map(({ seq, trade }) => {
    const known = values.get(tradeOf(trade))?.flatMap(({ value }) => value ?? []) ?? []
    const filingValue = known.length === 0 ? null : exactSum(known)
    const doc = Object.entries(trade).flatMap(([field, value]): [string, unknown][] => {
      if (field === 'officerTitle') return [[field, value], ...Object.entries({ ownerRole: ownerRoleOf(trade) })]
      return field === 'value' ? [[field, value], ...Object.entries({ filingValue })] : [[field, value]]
    })
    const places = [seq, trade.acquiredDisposed, filingValue ?? UNKNOWN, JSON.stringify(Object.fromEntries(doc))]
    const [place, direction, sum, text] = places.map((value) => update.add(value))
    return `(cast(${place} as integer), cast(${direction} as text), cast(${sum} as double precision), cast(${text} as text))`
  })
  const given = `with given (seq, direction, sum, doc) as (values ${filled.join(', ')})`
  await tx.query(
    `${given} update sec_insider_trades set acquired_disposed = given.direction, filing_value = given.sum
     from given where sec_insider_trades.seq = given.seq`,
    update.values,
  )
  await tx.query(
    `${given} update sec_insider_trades_docs set doc = given.doc
     from given where sec_insider_trades_docs.seq = given.seq`,
    update.values,
  )
}

const tradeOf = (line: InsiderTrade) =>
  JSON.stringify([line.accessionNumber, line.ownerCik, line.transactionType, line.acquiredDisposed])
