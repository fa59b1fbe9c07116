import type { Db, Value } from '../../src/store/db.ts'

type Row = Record<string, Value>

/** Tables of accounts and their money with their primary keys, referenced tables first. */
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

/** Tables of the processor with their primary keys. */
const SANDBOX_TABLES = {
  sandbox_objects: 'id',
  sandbox_deliveries: 'event_id',
  sandbox_answers: 'idempotency_key',
} as const

/** A copy of the money of all accounts, and optionally of the processor's objects, that can be restored. */
export class Snapshot {
  readonly #keys: Record<string, string>
  readonly #tables = new Map<string, Map<Value, Row>>()

  private constructor(keys: Record<string, string>) {
    this.#keys = keys
  }

  static take(db: Db): Promise<Snapshot> {
    return new Snapshot(TABLES).#read(db)
  }

  static takeAll(db: Db): Promise<Snapshot> {
    return new Snapshot({ ...TABLES, ...SANDBOX_TABLES }).#read(db)
  }

  async #read(db: Db): Promise<Snapshot> {
    for (const [table, key] of Object.entries(this.#keys)) this.#tables.set(table, await readTable(db, table, key))
    return this
  }

  async restore(db: Db): Promise<void> {
    const now = await new Snapshot(this.#keys).#read(db)
    await db.transaction(async (tx) => {
      for (const [table, key] of Object.entries(this.#keys).toReversed()) {
        for (const id of now.#table(table).keys()) {
          if (!this.#table(table).has(id)) await tx.query(`delete from ${table} where ${key} = $1`, [id])
        }
      }
      for (const [table, key] of Object.entries(this.#keys)) {
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
