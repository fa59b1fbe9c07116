import type { Db, Queryable, Transaction } from './db.ts'

/** The tables with parts, with the time that a row belongs to and the months in a part. */
const TABLES = {
  request_log: { column: 'created_at', months: 1 },
  candle_blocks: { column: 'starts_at', months: 12 },
} as const

type Table = keyof typeof TABLES

/** Months of which each table has a part in advance, the current one included. */
const MONTHS_AHEAD = 3

/** How long a change of the parts waits for a lock: requests then wait behind it. */
const LOCK_MS = 1_000

/** A part with the rows of `from <= time < to`. */
interface Part {
  name: string
  from: number
  to: number
}

export type Partitions = ReturnType<typeof partitionsStore>

/**
 * The parts of tables by time, on PostgreSQL. Each table also has a default part for the rows of no other part, so that
 * no insert fails.
 */
export function partitionsStore(db: Db) {
  return {
    /** Creates the parts of the current month and the next ones. */
    async prepare(now: number): Promise<void> {
      if (db.engine === 'sqlite') return
      for (const table of Object.keys(TABLES) as Table[]) {
        const missing = partsFrom(table, now).filter(isMissingFrom(await listParts(db, table)))
        for (const part of missing) {
          await change(db, async (tx) => {
            if (isMissingFrom(await listParts(tx, table))(part)) await createPart(tx, table, part)
          })
        }
      }
    },

    /** Drops the empty parts of a table that end before a time, which frees their space at once. */
    async dropBefore(table: Table, time: number): Promise<void> {
      if (db.engine === 'sqlite') return
      for (const { name, to } of await listParts(db, table)) {
        if (to > time || (await hasRows(db, name))) continue
        await change(db, async (tx) => {
          await tx.query(`lock table ${table} in access exclusive mode`)
          if (!(await hasRows(tx, name))) await tx.query(`drop table ${name}`)
        })
      }
    },
  }
}

/** Runs a transaction that changes parts. */
function change(db: Db, work: (tx: Transaction) => Promise<void>): Promise<void> {
  return db.transaction(
    async (tx) => {
      await tx.query(`set local lock_timeout = ${LOCK_MS}`)
      await work(tx)
    },
    'parts',
    true,
  )
}

/** Returns the parts of the current month and the next ones, in the order of time. */
function partsFrom(table: Table, now: number): Part[] {
  const { months } = TABLES[table]
  const date = new Date(now)
  const parts = new Map<number, Part>()
  for (let place = 0; place < MONTHS_AHEAD; place += 1) {
    const first = Math.floor((date.getUTCMonth() + place) / months) * months
    const [from, to] = [Date.UTC(date.getUTCFullYear(), first), Date.UTC(date.getUTCFullYear(), first + months)]
    const label = new Date(from).toISOString().slice(0, months === 12 ? 4 : 7)
    parts.set(from, { name: `${table}_${label.replace('-', '_')}`, from, to })
  }
  return [...parts.values()]
}

const isMissingFrom = (known: readonly Part[]) => (part: Part) =>
  !known.some(({ from, to }) => from < part.to && part.from < to)

/** Lists the parts of a table except the default one. */
async function listParts(db: Queryable, table: Table): Promise<Part[]> {
  const rows = await db.query<{ name: string; bounds: string }>(
    `select c.oid::regclass as name, pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass($1)`,
    [table],
  )
  return rows.flatMap(({ name, bounds }) => {
    const [, from, to] = /^FOR VALUES FROM \('?([-\w]+)'?\) TO \('?(-?\d+)'?\)$/.exec(bounds) ?? []
    if (from === undefined || to === undefined) return []
    return { name, from: from === 'MINVALUE' ? Number.NEGATIVE_INFINITY : Number(from), to: Number(to) }
  })
}

/** Creates a part and moves the rows into it that have arrived in the default part. */
async function createPart(tx: Transaction, table: Table, { name, from, to }: Part): Promise<void> {
  const { column } = TABLES[table]
  // Writers wait here, before they pick a part: one that had picked the default part would fail.
  await tx.query(`lock table only ${table} in share row exclusive mode`)
  await tx.query(`lock table ${table}_default in access exclusive mode`)
  await tx.query(`create table ${name} (like ${table} including defaults)`)
  await tx.query(
    `with moved as (delete from ${table}_default where ${column} >= $1 and ${column} < $2 returning *)
     insert into ${name} select * from moved`,
    [from, to],
  )
  await tx.query(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`)
}

async function hasRows(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(`select 1 from ${name} limit 1`)).length > 0
}
