import pg from 'pg'
import { CommitUnknown, DatabaseUnavailable } from '../../model/errors.ts'
import type { Db, Dialect, Queryable, ReadOnlyDb, SearchTerms, Transaction, Value } from '../db.ts'
import { PREFIX_SIGN } from '../lists/search.ts'
import { bulkLoad, repairBulkLoad } from './postgres-bulk.ts'
import { BEGIN_ENDLESS, type ConnectionOptions, type Pace, PostgresConnections } from './postgres-connections.ts'
import { CopyRows } from './postgres-copy.ts'
import { type Inserter, insertRows } from './postgres-insert.ts'

const TIMEOUT_MS = 10_000
const SERIALIZATION_FAILURES = ['40001', '40P01']
const IN_FAILED_TRANSACTION = '25P02'
const MAX_ATTEMPTS = 5

// bigint and count(*) arrive as text by default; every stored number fits a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** PostgreSQL 15 or newer, shared by any number of instances. */
export async function openPostgres(url: string, options: Partial<ConnectionOptions> = {}): Promise<Db> {
  const { timeoutMs = TIMEOUT_MS, directUrl, onOutage } = options
  await checkVersion(directUrl ?? url, timeoutMs)
  if (directUrl !== undefined) await checkSame(url, directUrl, timeoutMs)
  const connections = new PostgresConnections(url, { timeoutMs, directUrl, onOutage })
  const db: Db = {
    ...readsOver(connections),
    get ledger() {
      return db
    },
    transaction: (work, lock, takesLong) => transaction(connections, work, { lock, takesLong }),
    run: ({ work, takesLong }, argument) => transaction(connections, (tx) => work(tx, argument), { takesLong }),
    deferRuns: async () => {},
    bulkLoad: (load, work) => bulkLoad(db, load, work),
  }
  await repairBulkLoad(db).catch(async (error) => {
    await db.close()
    throw error
  })
  return db
}

/** A replica of a server, which may be away. */
export function openReplica(url: string, options: ConnectionOptions): ReadOnlyDb {
  return readsOver(new PostgresConnections(url, options))
}

function readsOver(connections: PostgresConnections): ReadOnlyDb {
  return {
    engine: 'postgres',
    exclusive: false,
    dialect: postgresDialect,
    heavy: queryableOver(connections, 'long'),
    query: queryableOver(connections, 'quick').query,
    close: () => connections.close(),
  }
}

async function checkVersion(url: string, timeoutMs: number): Promise<void> {
  const limits = { statement_timeout: timeoutMs }
  const sql = "select current_setting('server_version_num')::integer as version"
  const { version } = await askOnce<{ version: number }>(url, sql, timeoutMs, limits).catch((error) => {
    if (!POOLER_REFUSAL.test(error.message)) throw error
    throw new Error(
      `${error.message}; if it leads through a pooler, DATABASE_DIRECT_URL must lead to the server itself`,
    )
  })
  if (version < 150_000) throw new Error('PostgreSQL 15 or newer is needed')
}

const POOLER_REFUSAL = /unsupported startup parameter/

/** Two databases would keep migrations and data apart. */
async function checkSame(url: string, directUrl: string, timeoutMs: number): Promise<void> {
  const sql = `select pg_postmaster_start_time() || ' ' || current_database() as name`
  const names = await Promise.all([url, directUrl].map((one) => askOnce<{ name: string }>(one, sql, timeoutMs)))
  if (new Set(names.map(({ name }) => name)).size > 1) {
    throw new Error('DATABASE_DIRECT_URL leads to another database')
  }
}

/** Asks without a pool, so that the operator reads the reason of a failure. */
async function askOnce<Row>(url: string, sql: string, timeoutMs: number, limits: pg.ClientConfig = {}): Promise<Row> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'mintick',
    ...limits,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows[0]
  } finally {
    await client.end()
  }
}

async function transaction<T>(
  connections: PostgresConnections,
  work: (tx: Transaction) => Promise<T>,
  options: { lock?: string | undefined; takesLong?: boolean | undefined } = {},
  attempt = 1,
): Promise<T> {
  const { lock, takesLong = false } = options
  const client = await connections.take(takesLong ? 'endless' : 'quick')
  const limitMs = connections.limitOf(takesLong ? 'endless' : 'quick')
  // The server takes no other statement while it waits for the rows of a copy.
  let copied: Promise<unknown> | undefined
  // Answers arrive in order: the statements behind the first failure fail only because of it.
  let failure: unknown
  const run = async (statement: pg.QueryConfig | CopyRows) => {
    await copied
    return connections.query(client, statement, limitMs).catch((error) => {
      failure ??= error
      throw error
    })
  }
  let isBroken = false
  try {
    // Sent together with the first statement of the work.
    const begun = run({ text: takesLong ? BEGIN_ENDLESS : connections.begin })
    begun.catch(() => {})
    if (lock !== undefined) await run({ text: 'select pg_advisory_xact_lock(hashtext($1))', values: [lock] })
    const tx: Queryable = {
      async query<Row>(sql: string, params: readonly Value[] = []): Promise<Row[]> {
        return (await run(connections.statement(sql, params))).rows as Row[]
      },
    }
    const copy: Inserter['copy'] = async (table, columns, rows) => {
      const copying = run(new CopyRows(table, columns, rows))
      copied = copying.catch(() => {})
      await copying
    }
    const typesOf: Inserter['typesOf'] = (table, columns) => connections.types.of(tx, table, columns)
    const insert: Transaction['insert'] = (table, columns, rows, ending) =>
      insertRows({ ...tx, copy, typesOf }, table, columns, rows, ending)
    const result = await work({ ...tx, insert, dialect: postgresDialect })
    await begun
    await run({ text: 'commit' }).catch((error) => {
      throw error instanceof DatabaseUnavailable ? new CommitUnknown() : error
    })
    return result
  } catch (thrown) {
    const error = hasCode(thrown, IN_FAILED_TRANSACTION) ? failure : thrown
    isBroken = error instanceof DatabaseUnavailable || !(await isDone(run({ text: 'rollback' })))
    if (!hasCode(error, ...SERIALIZATION_FAILURES) || attempt >= MAX_ATTEMPTS) throw error
  } finally {
    client.release(isBroken)
  }
  return transaction(connections, work, options, attempt + 1)
}

const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof pg.DatabaseError && codes.includes(error.code ?? '')

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

function queryableOver(connections: PostgresConnections, pace: Pace): Queryable {
  return {
    async query<Row>(sql: string, params: readonly Value[] = []): Promise<Row[]> {
      const client = await connections.take(pace)
      let isBroken = false
      try {
        return (await connections.query(client, connections.statement(sql, params), connections.limitOf(pace)))
          .rows as Row[]
      } catch (error) {
        isBroken = error instanceof DatabaseUnavailable
        throw error
      } finally {
        client.release(isBroken)
      }
    },
  }
}

const MAX_POSITION = 16_383

/**
 * Returns a literal tsvector: both engines use our own word splitting. PostgreSQL merges words that are named more than once,
 * in less time than it would take here.
 */
function tsvectorOf(words: string): string {
  if (words === '') return ''
  let literal = ''
  let position = 0
  for (const word of words.split(' ')) {
    if (position < MAX_POSITION) position += 1
    literal += `'${word}':${position} `
  }
  return literal
}

const phraseOf = (phrase: string[]) => `(${phrase.map(wordOf).join(' <-> ')})`
const wordOf = (word: string) => (word.endsWith(PREFIX_SIGN) ? `'${word.slice(0, -1)}':*` : `'${word}'`)
const anyOf = (phrases: string[][]) => `(${phrases.map(phraseOf).join(' | ')})`

const postgresDialect: Dialect = {
  // now() is the start of the transaction; this clock advances while a statement waits for a row lock.
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  forUpdate: ' for update',
  identity: 'bigint generated always as identity primary key',
  blob: 'bytea',
  clustered: '',
  bytes: 'collate "C"',
  docsSql: (table, keys, columns) =>
    `select string_agg(r.doc, ',' order by k.place) as docs,
       json_agg(octet_length(r.doc) order by k.place)::text as sizes,
       ${columns.map((column) => `json_agg(k.${column} order by k.place)::text as ${column}`).join(', ')}
     from (select o.*, row_number() over () as place from (${keys}) o) k join ${table} r on r.seq = k.seq`,
  columnsSql: (query, columns) =>
    `select ${columns.map((column) => `json_agg(k.${column} order by k.place)::text as ${column}`).join(', ')}
     from (select o.*, row_number() over () as place from (${query}) o) k`,
  hasStatistics: true,
  search: {
    isOrdered: false,
    pauseMerges: () => undefined,
    indexValue: tsvectorOf,
    queryValue({ groups, excluded }: SearchTerms) {
      if (groups.length === 0) return anyOf(excluded)
      return [...groups.map(anyOf), ...(excluded.length > 0 ? [`!${anyOf(excluded)}`] : [])].join(' & ')
    },
    // `offset 0` is a fence: the planner finds all hits before it joins them, and `matches` tests row by row.
    hits: (table, param, areFirst = false) =>
      `(select rowid as seq from ${table}_search where words @@ ${param}::tsquery${areFirst ? ' offset 0' : ''})`,
    matches: (table, seq, param) =>
      `exists (select 1 from ${table}_search s where s.rowid = ${seq} and s.words @@ ${param}::tsquery offset 0)`,
  },
}
