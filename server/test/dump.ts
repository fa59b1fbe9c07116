import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Place } from './harness.ts'

type Dump = Record<string, string[]>

const MAX_WAITS = 1_000

/** Returns every row of every table except those in `except`, as text, to detect changes. */
export async function dumpTables({ env }: Place, except: readonly string[]): Promise<Dump> {
  const { DATABASE_URL, DATA_DIR = '' } = env
  const store = DATABASE_URL === undefined ? await sqliteRows(DATA_DIR) : await postgresRows(DATABASE_URL)
  const dump: Dump = {}
  for (const name of await store.tables()) {
    if (!except.includes(name)) dump[name] = (await store.rows(`select * from "${name}"`)).map(asText).sort()
  }
  await store.close()
  return dump
}

/** Tables that the jobs of a running service write at any time: leases and heartbeats. */
const WRITTEN_BY_JOBS = new Set(['leases', 'stream_instances', 'uptime_spans'])

/** Returns the rows that only one of the two dumps has, by table, without those of {@link WRITTEN_BY_JOBS}. */
export function differences(one: Dump, other: Dump): Dump {
  const names = Object.keys({ ...one, ...other }).filter((table) => !WRITTEN_BY_JOBS.has(table))
  const tables = names.map((table): [string, string[]] => {
    const [before, after] = [new Set(one[table]), new Set(other[table])]
    return [table, [...before.symmetricDifference(after)]]
  })
  return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0))
}

const asText = (row: unknown) => JSON.stringify(row)

async function sqliteRows(folder: string) {
  const database = new DatabaseSync(join(folder, 'mintick.sqlite'), { readOnly: true })
  database.prepare('attach $file as ledger').run({ file: join(folder, 'ledger.sqlite') })
  const rows = async (sql: string): Promise<object[]> => database.prepare(sql).all()
  // A running service writes deferred charges to the other tables a moment later. Those of a killed one would stay.
  const deferred = 'select 1 from deferred_runs where problem is null limit 1'
  for (let wait = 0; (await rows(deferred)).length > 0; wait += 1) {
    if (wait > MAX_WAITS) throw new Error(`${folder} has deferred charges that nobody writes`)
    await delay(5)
  }
  const tables = ['main', 'ledger'].map((name) => `select name from ${name}.sqlite_schema where type = 'table'`)
  return {
    rows,
    tables: async () => namesOf(await rows(tables.join(' union '))),
    close: async () => database.close(),
  }
}

async function postgresRows(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const rows = async (sql: string): Promise<object[]> => (await client.query(sql)).rows
  return {
    rows,
    // The rows of a part are those of its table.
    tables: async () =>
      namesOf(
        await rows(
          `select relname as name from pg_class
           where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
        ),
      ),
    close: () => client.end(),
  }
}

const namesOf = (rows: object[]) => rows.flatMap((row) => ('name' in row ? [String(row.name)] : [])).sort()
