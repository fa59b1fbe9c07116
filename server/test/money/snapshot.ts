import type { Db, Value } from '../../src/store/db.ts'

type Row = Record<string, Value>

/** What belongs to accounts and their money, each after what it refers to, with its key. */
const TABLES = {
  accounts: 'id',
  api_keys: 'id',
  transfers: 'id',
  lots: 'id',
  checkouts: 'id',
  subscriptions: 'id',
  purchases: 'id',
  reversals: 'id',
  processor_events: 'id',
  processor_reads: 'object_id',
  processor_sweeps: 'processor',
} as const

/** The money of all accounts at one moment, to be gone back to. The processor keeps what it has. */
export class Snapshot {
  readonly #tables: Map<string, Map<Value, Row>>

  private constructor(tables: Map<string, Map<Value, Row>>) {
    this.#tables = tables
  }

  static async take(db: Db): Promise<Snapshot> {
    const tables = new Map<string, Map<Value, Row>>()
    for (const [table, key] of Object.entries(TABLES)) tables.set(table, await readTable(db, table, key))
    return new Snapshot(tables)
  }

  async restore(db: Db): Promise<void> {
    const now = await Snapshot.take(db)
    await db.transaction(async (tx) => {
      for (const [table, key] of Object.entries(TABLES).toReversed()) {
        for (const id of now.#table(table).keys()) {
          if (!this.#table(table).has(id)) await tx.query(`delete from ${table} where ${key} = $1`, [id])
        }
      }
      for (const [table, key] of Object.entries(TABLES)) {
        for (const [id, row] of this.#table(table)) {
          const present = now.#table(table).get(id)
          const columns = Object.keys(row).filter((column) => row[column] !== present?.[column])
          if (present === undefined) await tx.insert(table, Object.keys(row), [Object.values(row)])
          else if (columns.length > 0) {
            const changes = columns.map((column, index) => `${column} = $${index + 2}`).join(', ')
            await tx.query(`update ${table} set ${changes} where ${key} = $1`, [
              id,
              ...columns.map((column) => row[column] ?? null),
            ])
          }
        }
      }
    })
  }

  #table(name: string): Map<Value, Row> {
    return this.#tables.get(name) ?? new Map()
  }
}

async function readTable(db: Db, table: string, key: string): Promise<Map<Value, Row>> {
  const rows = await db.query<Row>(`select * from ${table}`)
  return new Map(rows.map((row) => [row[key] ?? null, row]))
}
